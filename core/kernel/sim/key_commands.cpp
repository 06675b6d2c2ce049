#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"
#include "core/kernel/sim/number_text.h"

namespace lockscope::sim::handlers {

using store::Reply;

namespace {

/// What SCAN is asked to leave out.
struct ScanOptions {
    std::string_view pattern = "*";
    std::optional<std::string> typeName;

    /// The error, if there is one.
    std::optional<Reply> read(const std::vector<Bytes>& words);
    bool accepts(const Entry& entry) const
    {
        return inspect::matchesGlob(pattern, entry.key)
               && (!typeName || *typeName == sim::typeName(entry.value));
    }
};

std::optional<Reply> ScanOptions::read(const std::vector<Bytes>& words)
{
    for (std::size_t i = 2; i < words.size(); i += 2) {
        if (i + 1 == words.size()) {
            return replies::syntaxError();
        }
        if (equalsIgnoringCase(words[i], "count")) {
            // Read for its errors alone: see scan().
            const auto count = parseInteger(words[i + 1]);
            if (!count) {
                return replies::notAnInteger();
            }
            if (*count < 1) {
                return replies::syntaxError();
            }
        } else if (equalsIgnoringCase(words[i], "match")) {
            pattern = words[i + 1];
        } else if (equalsIgnoringCase(words[i], "type")) {
            typeName = lowered(words[i + 1]);
        } else {
            return replies::syntaxError();
        }
    }
    return std::nullopt;
}

/// A cursor is a number as C reads it; nullopt for anything else.
std::optional<bool> isFirstPage(std::string_view cursor)
{
    const std::string_view digits = cursor.substr(cursor.starts_with('-') || cursor.starts_with('+')
                                                      ? 1
                                                      : 0);
    constexpr std::string_view kDigits = "0123456789";
    if (digits.empty() || digits.find_first_not_of(kDigits) != std::string_view::npos) {
        return std::nullopt;
    }
    return digits.find_first_not_of('0') == std::string_view::npos;
}

/// The keys that are alive and accepted.
template<class Accepts>
Reply::Array namesOf(const Call& call, Accepts accepts)
{
    Reply::Array names;
    for (const Entry& entry : call.database.keys().entries()) {
        if (!entry.isExpiredAt(call.nowMs()) && accepts(entry)) {
            names.push_back(replies::bulk(entry.key));
        }
    }
    return names;
}

/// As renameGenericCommand() in db.c: the expiry moves along and replaces that of the target. Of a
/// key onto itself nothing happens, but it has to be there.
Reply moveKey(Call& call, bool onlyIfAbsent)
{
    const Bytes& target = call.word(2);
    Entry* source = call.find(call.key());
    if (source == nullptr) {
        return replies::error("no such key");
    }
    const auto done = [onlyIfAbsent](bool isMoved) {
        return onlyIfAbsent ? replies::number(std::int64_t{isMoved}) : replies::ok();
    };
    if (call.key() == target) {
        return done(false);
    }
    if (Entry* const present = call.find(target)) {
        if (onlyIfAbsent) {
            return done(false);
        }
        call.erase(*present);
    }
    source = call.find(call.key()); // it may have moved when the target was removed
    Value value = std::move(source->value);
    const std::int64_t expiresAtMs = source->expiresAtMs;
    call.erase(*source);
    call.create(target, std::move(value)).expiresAtMs = expiresAtMs;
    call.touch(call.key());
    call.touch(target);
    return done(true);
}

/// The words of COPY behind the two keys.
struct CopyOptions {
    bool replaces = false;
    int database = 0;

    /// The error, if there is one.
    std::optional<Reply> read(const std::vector<Bytes>& words);
};

std::optional<Reply> CopyOptions::read(const std::vector<Bytes>& words)
{
    for (std::size_t i = 3; i < words.size(); ++i) {
        if (equalsIgnoringCase(words[i], "replace")) {
            replaces = true;
        } else if (equalsIgnoringCase(words[i], "db") && i + 1 < words.size()) {
            const std::variant<int, Reply> number = databaseNumber(words[++i]);
            if (const Reply* const error = std::get_if<Reply>(&number)) {
                return *error;
            }
            database = std::get<int>(number);
        } else {
            return replies::syntaxError();
        }
    }
    return std::nullopt;
}

} // namespace

Reply del(Call& call)
{
    std::int64_t count = 0;
    for (std::size_t i = 1; i < call.size(); ++i) {
        if (Entry* const entry = call.find(call.word(i))) {
            call.erase(*entry);
            call.touch(call.word(i));
            ++count;
        }
    }
    return replies::number(count);
}

Reply exists(Call& call)
{
    std::int64_t count = 0;
    for (std::size_t i = 1; i < call.size(); ++i) {
        count += call.find(call.word(i)) != nullptr ? 1 : 0;
    }
    return replies::number(count);
}

Reply type(Call& call)
{
    const Entry* const entry = call.find(call.key());
    return Reply::ofStatus(entry != nullptr ? std::string(typeName(entry->value)) : "none");
}

Reply keys(Call& call)
{
    return Reply::ofArray(namesOf(call, [&call](const Entry& entry) {
        return inspect::matchesGlob(call.key(), entry.key);
    }));
}

/// Everything in one page: that keeps every promise of SCAN, whatever COUNT says.
Reply scan(Call& call)
{
    const std::optional<bool> isFirst = isFirstPage(call.key());
    if (!isFirst) {
        return replies::error("invalid cursor");
    }
    ScanOptions options;
    if (std::optional<Reply> error = options.read(call.words)) {
        return std::move(*error);
    }
    Reply::Array names;
    if (*isFirst) {
        names = namesOf(call, [&options](const Entry& entry) { return options.accepts(entry); });
    }
    Reply::Array page;
    page.push_back(replies::bulk("0"));
    page.push_back(Reply::ofArray(std::move(names)));
    return Reply::ofArray(std::move(page));
}

/// Redis counts what has expired and was not removed yet, which depends on when it last looked; we
/// never do.
Reply dbsize(Call& call)
{
    return replies::number(namesOf(call, [](const Entry&) { return true; }).size());
}

Reply flush(Call& call)
{
    const bool isKnown = call.size() == 1
                         || (call.size() == 2
                             && (equalsIgnoringCase(call.word(1), "sync")
                                 || equalsIgnoringCase(call.word(1), "async")));
    if (!isKnown) {
        return replies::syntaxError();
    }
    if (call.context.keyspaceListener != nullptr) {
        // Before the keys go: whether a watched key is lost depends on its being there.
        call.context.keyspaceListener->everythingFlushed();
    }
    call.database.keys().clear();
    return replies::ok();
}

Reply rename(Call& call)
{
    return moveKey(call, false);
}

Reply renamenx(Call& call)
{
    return moveKey(call, true);
}

/// As copyCommand() in db.c: the copy has the expiry, too.
Reply copy(Call& call)
{
    CopyOptions options;
    if (auto error = options.read(call.words)) {
        return std::move(*error);
    }
    const Bytes& target = call.word(2);
    if (call.key() == target && options.database == 0) {
        return replies::error("source and destination objects are the same");
    }
    const Entry* const source = call.find(call.key());
    if (source == nullptr) {
        return replies::number(std::int64_t{0});
    }
    if (options.database != 0) {
        return replies::otherDatabase();
    }
    Value value = source->value;
    const std::int64_t expiresAtMs = source->expiresAtMs;
    if (Entry* const present = call.find(target)) {
        if (!options.replaces) {
            return replies::number(std::int64_t{0});
        }
        call.erase(*present);
    }
    call.create(target, std::move(value)).expiresAtMs = expiresAtMs;
    call.touch(target);
    return replies::number(std::int64_t{1});
}

} // namespace lockscope::sim::handlers
