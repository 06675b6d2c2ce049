#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"
#include "core/kernel/sim/number_text.h"

#include <variant>

namespace lockscope::sim::handlers {

using store::Reply;

namespace {

using Stream = Typed<StreamValue>;

constexpr StreamId kGreatestId{StreamId::kLast, StreamId::kLast};

Reply notAnId()
{
    return replies::error("Invalid stream ID specified as stream command argument");
}

Reply notAboveLast()
{
    return replies::error("The ID specified in XADD is equal or smaller than the target stream top "
                          "item");
}

/// The id of a new entry, as far as the caller names it.
struct WantedId {
    std::optional<std::uint64_t> ms;       // nullopt: "*"
    std::optional<std::uint64_t> sequence; // nullopt: "5-*"

    static std::optional<WantedId> parse(const Bytes& word);
    bool isZero() const { return ms == 0U && sequence == 0U; }
    /// nullopt when it would not be above the last one.
    std::optional<StreamId> after(StreamId last, std::uint64_t nowMs) const;
};

std::optional<WantedId> WantedId::parse(const Bytes& word)
{
    if (word == "*") {
        return WantedId();
    }
    if (word.ends_with("-*")) {
        const auto ms = parseIdPart(word.substr(0, word.size() - 2));
        return ms ? std::optional(WantedId{ms, std::nullopt}) : std::nullopt;
    }
    const auto id = StreamId::parse(word, 0);
    return id ? std::optional(WantedId{id->ms, id->sequence}) : std::nullopt;
}

StreamId following(StreamId id)
{
    return id.sequence == StreamId::kLast ? StreamId{id.ms + 1, 0}
                                          : StreamId{id.ms, id.sequence + 1};
}

/// As streamAppendItem() in t_stream.c: a clock that goes backwards does not make ids do so.
std::optional<StreamId> WantedId::after(StreamId last, std::uint64_t nowMs) const
{
    if (!ms) {
        return nowMs > last.ms ? StreamId{nowMs, 0} : following(last);
    }
    if (!sequence && *ms == last.ms) {
        return last.sequence == StreamId::kLast ? std::nullopt : std::optional(following(last));
    }
    const StreamId id{*ms, sequence.value_or(0)};
    return id > last ? std::optional(id) : std::nullopt;
}

/// The words of XADD up to the id, or of XTRIM to the end.
struct AddOrTrim {
    StreamTrim trim;
    bool onlyPresent = false; // NOMKSTREAM
    WantedId id;
    std::size_t firstField = 0;

    /// The error, if there is one.
    std::optional<Reply> read(const std::vector<Bytes>& words, bool isAdd);

private:
    std::optional<Reply> readStrategy(const std::vector<Bytes>& words, std::size_t& i);
    std::optional<Reply> readThreshold(const Bytes& word, bool isLength);
    std::optional<Reply> readLimit(const Bytes& word);
    std::optional<Reply> readLast(const std::vector<Bytes>& words, std::size_t i, bool isAdd);
    std::optional<Reply> conflict(bool isAdd) const;

    bool m_hasLimit = false;
};

std::optional<Reply> AddOrTrim::readThreshold(const Bytes& word, bool isLength)
{
    if (!isLength) {
        trim.minId = StreamId::parse(word, 0);
        return trim.minId ? std::nullopt : std::optional(notAnId());
    }
    const auto length = parseInteger(word);
    if (!length) {
        return replies::notAnInteger();
    }
    if (*length < 0) {
        return replies::error("The MAXLEN argument must be >= 0.");
    }
    trim.maxLength = static_cast<std::size_t>(*length);
    return std::nullopt;
}

/// MAXLEN or MINID at `i`, which is moved to the last of their words.
std::optional<Reply> AddOrTrim::readStrategy(const std::vector<Bytes>& words, std::size_t& i)
{
    if (trim.isAsked()) {
        return replies::error("syntax error, MAXLEN and MINID options at the same time are not "
                              "compatible");
    }
    const bool isLength = equalsIgnoringCase(words[i], "maxlen");
    trim.isApproximate = words[i + 1] == "~" && i + 2 < words.size();
    i += trim.isApproximate || (words[i + 1] == "=" && i + 2 < words.size()) ? 2 : 1;
    return readThreshold(words[i], isLength);
}

std::optional<Reply> AddOrTrim::readLimit(const Bytes& word)
{
    const auto count = parseInteger(word);
    if (!count) {
        return replies::notAnInteger();
    }
    if (*count < 0) {
        return replies::error("The LIMIT argument must be >= 0.");
    }
    trim.limit = static_cast<std::size_t>(*count);
    m_hasLimit = true;
    return std::nullopt;
}

/// What is none of the options: the id, with which the options of XADD end.
std::optional<Reply> AddOrTrim::readLast(const std::vector<Bytes>& words, std::size_t i, bool isAdd)
{
    if (!isAdd) {
        return replies::syntaxError();
    }
    const auto wanted = WantedId::parse(words[i]);
    if (!wanted) {
        return notAnId();
    }
    id = *wanted;
    firstField = i + 1;
    return std::nullopt;
}

std::optional<Reply> AddOrTrim::conflict(bool isAdd) const
{
    if (m_hasLimit && trim.limit != 0 && !trim.isAsked()) {
        return replies::error("syntax error, LIMIT cannot be used without specifying a trimming "
                              "strategy");
    }
    if (!isAdd && !trim.isAsked()) {
        return replies::error("syntax error, XTRIM must be called with a trimming strategy");
    }
    if (m_hasLimit && !trim.isApproximate) {
        return replies::error("syntax error, LIMIT cannot be used without the special ~ option");
    }
    return std::nullopt;
}

std::optional<Reply> AddOrTrim::read(const std::vector<Bytes>& words, bool isAdd)
{
    constexpr std::size_t kUsualLimit = 100 * 100; // as Redis: a hundred nodes
    trim.limit = kUsualLimit;
    std::optional<Reply> error;
    for (std::size_t i = 2; i < words.size() && firstField == 0 && !error; ++i) {
        const Bytes& word = words[i];
        const bool hasMore = i + 1 < words.size();
        if (hasMore && (equalsIgnoringCase(word, "maxlen") || equalsIgnoringCase(word, "minid"))) {
            error = readStrategy(words, i);
        } else if (hasMore && equalsIgnoringCase(word, "limit")) {
            error = readLimit(words[++i]);
        } else if (isAdd && equalsIgnoringCase(word, "nomkstream")) {
            onlyPresent = true;
        } else {
            error = readLast(words, i, isAdd);
        }
    }
    return error ? error : conflict(isAdd);
}

/// One end of XRANGE.
std::optional<StreamId> rangeEnd(const Bytes& word, std::uint64_t missingSequence)
{
    if (word == "-") {
        return StreamId();
    }
    return word == "+" ? std::optional(kGreatestId) : StreamId::parse(word, missingSequence);
}

Reply listed(const StreamEntry& entry)
{
    Reply::Array words;
    for (const Bytes& word : entry.words) {
        words.push_back(replies::bulk(word));
    }
    return Reply::ofArray({Reply::ofBulk(entry.id.text()), Reply::ofArray(std::move(words))});
}

} // namespace

Reply xadd(Call& call)
{
    AddOrTrim wish;
    if (std::optional<Reply> error = wish.read(call.words, true)) {
        return std::move(*error);
    }
    const std::size_t fieldWords = call.size() - wish.firstField;
    if (wish.firstField == 0 || fieldWords < 2 || fieldWords % 2 != 0) {
        return replies::wrongArity(call.spec.name);
    }
    if (wish.id.isZero()) {
        return replies::error("The ID specified in XADD must be greater than 0-0");
    }
    const Stream found = findTyped<StreamValue>(call, call.key());
    if (found.isOther) {
        return replies::wrongType();
    }
    if (found.value == nullptr && wish.onlyPresent) {
        return replies::nil();
    }
    const StreamId last = found.value != nullptr ? found.value->lastId() : StreamId();
    if (last == kGreatestId) {
        return replies::error("The stream has exhausted the last possible ID, unable to add more "
                              "items");
    }
    const auto id = wish.id.after(last, static_cast<std::uint64_t>(call.nowMs()));
    if (!id) {
        return notAboveLast();
    }
    StreamValue& stream = found.value != nullptr
                              ? *found.value
                              : std::get<StreamValue>(call.create(call.key(), StreamValue()).value);
    const auto firstField = call.words.begin() + static_cast<std::ptrdiff_t>(wish.firstField);
    stream.append(*id, {firstField, call.words.end()});
    if (wish.trim.isAsked()) {
        stream.trim(wish.trim);
    }
    call.touch(call.key());
    return Reply::ofBulk(id->text());
}

Reply xtrim(Call& call)
{
    AddOrTrim wish;
    if (std::optional<Reply> error = wish.read(call.words, false)) {
        return std::move(*error);
    }
    const Stream found = findTyped<StreamValue>(call, call.key());
    if (found.value == nullptr) {
        return found.isOther ? replies::wrongType() : replies::number(std::int64_t{0});
    }
    const std::size_t removed = found.value->trim(wish.trim);
    if (removed > 0) {
        call.touch(call.key());
    }
    return replies::number(removed);
}

Reply xlen(Call& call)
{
    const Stream found = findTyped<StreamValue>(call, call.key());
    if (found.isOther) {
        return replies::wrongType();
    }
    return replies::number(found.value != nullptr ? found.value->length() : std::size_t{0});
}

/// Without COUNT, which no lock library asks for.
Reply xrange(Call& call)
{
    const auto first = rangeEnd(call.word(2), 0);
    const auto last = rangeEnd(call.word(3), StreamId::kLast);
    if (!first || !last) {
        return notAnId();
    }
    if (call.size() > 4) {
        return replies::syntaxError();
    }
    const Stream found = findTyped<StreamValue>(call, call.key());
    if (found.value == nullptr) {
        return found.isOther ? replies::wrongType() : replies::emptyArray();
    }
    Reply::Array entries;
    for (const StreamEntry* const entry : found.value->between(*first, *last)) {
        entries.push_back(listed(*entry));
    }
    return Reply::ofArray(std::move(entries));
}

} // namespace lockscope::sim::handlers
