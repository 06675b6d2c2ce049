#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"
#include "core/kernel/sim/expiry_option.h"
#include "core/kernel/sim/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockscope::sim::handlers {

using store::Reply;

namespace {

using Text = Typed<Bytes>;

Reply textOrNil(const Text& found)
{
    if (found.isOther) {
        return replies::wrongType();
    }
    return found.value != nullptr ? replies::bulk(*found.value) : replies::nil();
}

/// Gives the key a new value, whatever it held. As setKey() in db.c: the old expiry goes, too.
void assign(Call& call, const Bytes& key, const Bytes& value, std::int64_t expiresAtMs)
{
    Entry* entry = call.find(key);
    if (entry == nullptr) {
        entry = &call.create(key, value);
    } else if (Bytes* const text = std::get_if<Bytes>(&entry->value)) {
        *text = value;
    } else {
        entry->value = value;
    }
    entry->expiresAtMs = expiresAtMs;
    call.touch(key);
}

/// The words behind the value of SET.
struct SetOptions {
    bool onlyIfAbsent = false;
    bool onlyIfPresent = false;
    bool wantsOld = false;
    bool keepsExpiry = false;
    std::optional<ExpiryOption> expiry;

    /// False for what Redis calls a syntax error.
    bool read(const std::vector<Bytes>& words);

private:
    bool readFlag(std::string_view word);
};

bool SetOptions::readFlag(std::string_view word)
{
    if (equalsIgnoringCase(word, "nx") && !onlyIfPresent) {
        return onlyIfAbsent = true;
    }
    if (equalsIgnoringCase(word, "xx") && !onlyIfAbsent) {
        return onlyIfPresent = true;
    }
    // NX and GET go together since Redis 7.0 (redis.io, SET, History).
    if (equalsIgnoringCase(word, "get")) {
        return wantsOld = true;
    }
    if (equalsIgnoringCase(word, "keepttl") && !expiry) {
        return keepsExpiry = true;
    }
    return false;
}

bool SetOptions::read(const std::vector<Bytes>& words)
{
    for (std::size_t i = 3; i < words.size(); ++i) {
        auto unit = expiryUnitOf(words[i]);
        if (!unit) {
            if (!readFlag(words[i])) {
                return false;
            }
            continue;
        }
        // The same unit may be given twice, the last one counts; another unit is an error.
        const bool isOtherUnit = expiry
                                 && (expiry->isInSeconds != unit->isInSeconds
                                     || expiry->isAbsolute != unit->isAbsolute);
        if (keepsExpiry || isOtherUnit || i + 1 == words.size()) {
            return false;
        }
        unit->amount = &words[++i];
        expiry = unit;
    }
    return true;
}

/// As checkStringLength() in t_string.c, but less than the 512 MB there: a world is copied, and a
/// client that is tried must not take the memory of the machine with one SETRANGE.
constexpr std::int64_t kLengthMax = 16LL * 1024 * 1024;

Reply tooLong()
{
    return replies::error("string exceeds maximum allowed size (proto-max-bulk-len)");
}

/// Where a bit stands in its byte; the first one is the highest.
struct BitPlace {
    std::size_t byte = 0;
    unsigned shift = 0;
};

/// As getBitOffsetFromArgument() in bitops.c.
std::optional<BitPlace> bitPlaceOf(const Bytes& word)
{
    const auto offset = parseInteger(word);
    if (!offset || *offset < 0 || *offset / 8 >= kLengthMax) {
        return std::nullopt;
    }
    return BitPlace{static_cast<std::size_t>(*offset / 8), 7U - static_cast<unsigned>(*offset % 8)};
}

Reply badBitOffset()
{
    return replies::error("bit offset is not an integer or out of range");
}

unsigned bitAt(const Bytes* text, BitPlace place)
{
    const bool isInside = text != nullptr && place.byte < text->size();
    return isInside ? static_cast<unsigned char>((*text)[place.byte]) >> place.shift & 1U : 0U;
}

/// The text of the key, with zeros behind it if it is shorter; a key that is not there is made.
Bytes& lengthened(Call& call, const Text& found, std::size_t length)
{
    Bytes& text = found.value != nullptr ? *found.value
                                         : std::get<Bytes>(call.create(call.key(), Bytes()).value);
    text.resize(std::max(text.size(), length), '\0');
    return text;
}

/// As incrDecrCommand() in t_string.c: the value alone is replaced, so the expiry stays.
Reply addNumber(Call& call, std::int64_t increment)
{
    const Text found = findTyped<Bytes>(call, call.key());
    if (found.isOther) {
        return replies::wrongType();
    }
    const auto old = found.value != nullptr ? parseInteger(*found.value)
                                            : std::optional<std::int64_t>(0);
    if (!old) {
        return replies::notAnInteger();
    }
    std::int64_t sum = 0;
    if (__builtin_add_overflow(*old, increment, &sum)) {
        return replies::overflow();
    }
    if (found.value != nullptr) {
        *found.value = std::to_string(sum);
    } else {
        call.create(call.key(), std::to_string(sum));
    }
    call.touch(call.key());
    return replies::number(sum);
}

Reply setWithExpiry(Call& call, ExpiryOption option)
{
    option.amount = &call.word(2);
    const auto expiry = expiryInstant(call, option);
    if (const auto* const error = std::get_if<Reply>(&expiry)) {
        return *error;
    }
    assign(call, call.key(), call.word(3), std::get<std::int64_t>(expiry));
    return replies::ok();
}

} // namespace

Reply set(Call& call)
{
    SetOptions options;
    if (!options.read(call.words)) {
        return replies::syntaxError();
    }
    std::int64_t expiresAtMs = Entry::kNever;
    if (options.expiry) {
        auto expiry = expiryInstant(call, *options.expiry);
        if (auto* const error = std::get_if<Reply>(&expiry)) {
            return std::move(*error);
        }
        expiresAtMs = std::get<std::int64_t>(expiry);
    }
    // In the order of setGenericCommand() in t_string.c: with GET another type is an error even
    // where NX or XX would have left the key alone.
    const Text found = findTyped<Bytes>(call, call.key());
    if (options.wantsOld && found.isOther) {
        return replies::wrongType();
    }
    Reply old = options.wantsOld ? textOrNil(found) : replies::nil();
    const bool isPresent = found.entry != nullptr;
    if ((options.onlyIfAbsent && isPresent) || (options.onlyIfPresent && !isPresent)) {
        return old;
    }
    if (options.keepsExpiry && isPresent) {
        expiresAtMs = found.entry->expiresAtMs;
    }
    if (isPresent) {
        assign(call, call.key(), call.word(2), expiresAtMs);
    } else {
        call.create(call.key(), call.word(2)).expiresAtMs = expiresAtMs;
        call.touch(call.key());
    }
    return options.wantsOld ? std::move(old) : replies::ok();
}

Reply get(Call& call)
{
    return textOrNil(findTyped<Bytes>(call, call.key()));
}

Reply getset(Call& call)
{
    Reply old = get(call);
    if (!old.isError()) {
        assign(call, call.key(), call.word(2), Entry::kNever);
    }
    return old;
}

Reply getdel(Call& call)
{
    const Text found = findTyped<Bytes>(call, call.key());
    Reply old = textOrNil(found);
    if (found.value != nullptr) {
        call.erase(*found.entry);
        call.touch(call.key());
    }
    return old;
}

Reply getex(Call& call)
{
    std::optional<ExpiryOption> expiry;
    const bool isPersisted = call.size() == 3 && equalsIgnoringCase(call.word(2), "persist");
    if (call.size() == 4) {
        expiry = expiryUnitOf(call.word(2));
    }
    if (call.size() > 2 && !expiry && !isPersisted) {
        return replies::syntaxError();
    }
    // Before the amount of the expiry is looked at, as in getexCommand(): of a key that is not
    // there a bad one is no error.
    const Text found = findTyped<Bytes>(call, call.key());
    if (found.value == nullptr) {
        return textOrNil(found);
    }
    std::int64_t expiresAtMs = isPersisted ? Entry::kNever : found.entry->expiresAtMs;
    if (expiry) {
        expiry->amount = &call.word(3);
        auto instant = expiryInstant(call, *expiry);
        if (auto* const error = std::get_if<Reply>(&instant)) {
            return std::move(*error);
        }
        expiresAtMs = std::get<std::int64_t>(instant);
    }
    Reply old = textOrNil(found);
    // As getexCommand() in t_string.c: GETEX with an instant in the past is a GETDEL.
    if (expiry && expiry->isAbsolute && expiresAtMs <= call.nowMs()) {
        call.erase(*found.entry);
        call.touch(call.key());
    } else if (expiry || expiresAtMs != found.entry->expiresAtMs) {
        found.entry->expiresAtMs = expiresAtMs;
        call.touch(call.key());
    }
    return old;
}

Reply setnx(Call& call)
{
    if (call.find(call.key()) != nullptr) {
        return replies::number(std::int64_t{0});
    }
    call.create(call.key(), call.word(2));
    call.touch(call.key());
    return replies::number(std::int64_t{1});
}

Reply setex(Call& call)
{
    return setWithExpiry(call, ExpiryOption{true, false});
}

Reply psetex(Call& call)
{
    return setWithExpiry(call, ExpiryOption{false, false});
}

Reply mget(Call& call)
{
    Reply::Array values;
    for (std::size_t i = 1; i < call.size(); ++i) {
        const Text found = findTyped<Bytes>(call, call.word(i));
        // MGET never fails: a key of another type is nil (mgetCommand() in t_string.c).
        values.push_back(found.value != nullptr ? replies::bulk(*found.value) : replies::nil());
    }
    return Reply::ofArray(std::move(values));
}

Reply mset(Call& call)
{
    if (call.size() % 2 == 0) {
        return replies::wrongArity(call.spec.name);
    }
    for (std::size_t i = 1; i < call.size(); i += 2) {
        assign(call, call.word(i), call.word(i + 1), Entry::kNever);
    }
    return replies::ok();
}

Reply msetnx(Call& call)
{
    if (call.size() % 2 == 0) {
        return replies::wrongArity(call.spec.name);
    }
    for (std::size_t i = 1; i < call.size(); i += 2) {
        if (call.find(call.word(i)) != nullptr) {
            return replies::number(std::int64_t{0});
        }
    }
    mset(call);
    return replies::number(std::int64_t{1});
}

Reply append(Call& call)
{
    const Text found = findTyped<Bytes>(call, call.key());
    if (found.isOther) {
        return replies::wrongType();
    }
    std::size_t length = call.word(2).size();
    if (found.value != nullptr) {
        if (found.value->size() + length > static_cast<std::size_t>(kLengthMax)) {
            return tooLong();
        }
        *found.value += call.word(2);
        length = found.value->size();
    } else {
        call.create(call.key(), call.word(2));
    }
    // The expiry stays, as with INCR.
    call.touch(call.key());
    return replies::number(length);
}

Reply strlen(Call& call)
{
    const Text found = findTyped<Bytes>(call, call.key());
    if (found.isOther) {
        return replies::wrongType();
    }
    return replies::number(found.value != nullptr ? found.value->size() : 0);
}

Reply incr(Call& call)
{
    return addNumber(call, 1);
}

Reply incrby(Call& call)
{
    const auto increment = parseInteger(call.word(2));
    return increment ? addNumber(call, *increment) : replies::notAnInteger();
}

/// As incrbyfloatCommand() in t_string.c. The expiry stays.
Reply incrbyfloat(Call& call)
{
    const Text found = findTyped<Bytes>(call, call.key());
    if (found.isOther) {
        return replies::wrongType();
    }
    const auto old = found.value != nullptr ? parseLongDouble(*found.value)
                                            : std::optional<long double>(0);
    const auto increment = parseLongDouble(call.word(2));
    if (!old || !increment) {
        return replies::notAFloat();
    }
    const long double sum = *old + *increment;
    if (!std::isfinite(sum)) {
        return replies::error("increment would produce NaN or Infinity");
    }
    Bytes text = formatLongDouble(sum);
    if (found.value != nullptr) {
        *found.value = text;
    } else {
        call.create(call.key(), text);
    }
    call.touch(call.key());
    return Reply::ofBulk(std::move(text));
}

Reply decr(Call& call)
{
    return addNumber(call, -1);
}

Reply decrby(Call& call)
{
    const auto decrement = parseInteger(call.word(2));
    if (!decrement) {
        return replies::notAnInteger();
    }
    if (*decrement == std::numeric_limits<std::int64_t>::min()) {
        return replies::error("decrement would overflow");
    }
    return addNumber(call, -*decrement);
}

Reply getrange(Call& call)
{
    const auto first = parseInteger(call.word(2));
    const auto last = parseInteger(call.word(3));
    if (!first || !last) {
        return replies::notAnInteger();
    }
    const Text found = findTyped<Bytes>(call, call.key());
    if (found.isOther) {
        return replies::wrongType();
    }
    if (found.value == nullptr || (*first < 0 && *last < 0 && *first > *last)) {
        return replies::bulk({});
    }
    // Unlike the ends of lists, an end before the first byte means the first byte.
    const auto length = static_cast<std::int64_t>(found.value->size());
    const std::int64_t end = *last < 0 ? std::max<std::int64_t>(*last + length, 0) : *last;
    const auto span = spanOf(*first, end, found.value->size());
    if (!span) {
        return replies::bulk({});
    }
    return replies::bulk(
        std::string_view(*found.value).substr(span->begin, span->end - span->begin));
}

/// As setrangeCommand() in t_string.c: nothing to write makes no key, and changes none.
Reply setrange(Call& call)
{
    const auto offset = parseInteger(call.word(2));
    if (!offset) {
        return replies::notAnInteger();
    }
    if (*offset < 0) {
        return replies::error("offset is out of range");
    }
    const Text found = findTyped<Bytes>(call, call.key());
    if (found.isOther) {
        return replies::wrongType();
    }
    const Bytes& piece = call.word(3);
    if (piece.empty()) {
        return replies::number(found.value != nullptr ? found.value->size() : 0);
    }
    if (*offset > kLengthMax - static_cast<std::int64_t>(piece.size())) {
        return tooLong();
    }
    const auto begin = static_cast<std::size_t>(*offset);
    Bytes& text = lengthened(call, found, begin + piece.size());
    text.replace(begin, piece.size(), piece);
    call.touch(call.key());
    return replies::number(text.size());
}

Reply getbit(Call& call)
{
    const auto place = bitPlaceOf(call.word(2));
    if (!place) {
        return badBitOffset();
    }
    const Text found = findTyped<Bytes>(call, call.key());
    return found.isOther ? replies::wrongType()
                         : replies::number(std::int64_t{bitAt(found.value, *place)});
}

Reply setbit(Call& call)
{
    const auto place = bitPlaceOf(call.word(2));
    if (!place) {
        return badBitOffset();
    }
    const Bytes& bit = call.word(3);
    if (bit != "0" && bit != "1") {
        return replies::error("bit is not an integer or out of range");
    }
    const Text found = findTyped<Bytes>(call, call.key());
    if (found.isOther) {
        return replies::wrongType();
    }
    Bytes& text = lengthened(call, found, place->byte + 1);
    const unsigned old = bitAt(&text, *place);
    const auto others = static_cast<unsigned char>(text[place->byte]) & ~(1U << place->shift);
    text[place->byte] = static_cast<char>(others | (bit == "1" ? 1U : 0U) << place->shift);
    call.touch(call.key());
    return replies::number(std::int64_t{old});
}

} // namespace lockscope::sim::handlers
