#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"
#include "core/kernel/sim/number_text.h"

#include <algorithm>
#include <utility>

namespace lockscope::sim::handlers {

using store::Reply;

namespace {

using List = Typed<ListValue>;

enum class Side { Left, Right };

List findList(Call& call)
{
    return findTyped<ListValue>(call, call.key());
}

void add(ListValue& list, Side side, const Bytes& item)
{
    list.items.insert(side == Side::Left ? list.items.begin() : list.items.end(), item);
}

/// One element of a list that has some.
Bytes popItem(ListValue& list, Side side)
{
    const auto place = side == Side::Left ? list.items.begin() : list.items.end() - 1;
    Bytes item = std::move(*place);
    list.items.erase(place);
    return item;
}

/// After something was taken out. Redis has no empty lists: the key goes with its last element.
void settle(Call& call, const List& found, const Bytes& key)
{
    if (found.value->items.empty()) {
        call.erase(*found.entry);
    }
    call.touch(key);
}

Reply push(Call& call, Side side, bool onlyIfPresent)
{
    const List found = findList(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    if (found.value == nullptr && onlyIfPresent) {
        return replies::number(std::int64_t{0});
    }
    ListValue& list = found.value != nullptr
                          ? *found.value
                          : std::get<ListValue>(call.create(call.key(), ListValue()).value);
    // One by one: LPUSH puts each in front of the one before.
    for (std::size_t i = 2; i < call.size(); ++i) {
        add(list, side, call.word(i));
    }
    call.touch(call.key());
    return replies::number(list.items.size());
}

/// As popGenericCommand() in t_list.c: of no list nil, of a list with a count of 0 nothing.
Reply popSeveral(Call& call, Side side, std::int64_t count)
{
    const List found = findList(call);
    if (found.value == nullptr) {
        return found.isOther ? replies::wrongType() : replies::nil();
    }
    if (count == 0) {
        return replies::emptyArray();
    }
    Reply::Array items;
    while (!found.value->items.empty() && static_cast<std::int64_t>(items.size()) < count) {
        items.push_back(Reply::ofBulk(popItem(*found.value, side)));
    }
    settle(call, found, call.key());
    return Reply::ofArray(std::move(items));
}

Reply pop(Call& call, Side side)
{
    if (call.size() > 3) {
        return replies::wrongArity(call.spec.name);
    }
    if (call.size() == 3) {
        const auto count = parseInteger(call.word(2));
        if (!count || *count < 0) {
            return replies::error("value is out of range, must be positive");
        }
        return popSeveral(call, side, *count);
    }
    const List found = findList(call);
    if (found.value == nullptr) {
        return found.isOther ? replies::wrongType() : replies::nil();
    }
    Reply item = Reply::ofBulk(popItem(*found.value, side));
    settle(call, found, call.key());
    return item;
}

/// From the first of the keys that holds something; nil when none does. A blocking command goes on
/// from there.
Reply popFromAny(Call& call, Side side)
{
    if (std::optional<Reply> error = badTimeout(call)) {
        return std::move(*error);
    }
    for (std::size_t i = 1; i + 1 < call.size(); ++i) {
        // As blockingPopGenericCommand() in t_list.c: another type is an error, even before a key
        // that could be served.
        const List found = findTyped<ListValue>(call, call.word(i));
        if (found.isOther) {
            return replies::wrongType();
        }
        if (found.value != nullptr) {
            Reply::Array answer;
            answer.push_back(replies::bulk(call.word(i)));
            answer.push_back(Reply::ofBulk(popItem(*found.value, side)));
            settle(call, found, call.word(i));
            return Reply::ofArray(std::move(answer));
        }
    }
    return replies::nil();
}

/// The place of an element that may be counted from the end; nullopt when there is none.
std::optional<std::size_t> placeOf(std::int64_t index, const ListValue& list)
{
    const auto count = static_cast<std::int64_t>(list.items.size());
    const std::int64_t place = index < 0 ? index + count : index;
    return place >= 0 && place < count ? std::optional(static_cast<std::size_t>(place))
                                       : std::nullopt;
}

std::optional<Side> sideOf(std::string_view word)
{
    if (equalsIgnoringCase(word, "left")) {
        return Side::Left;
    }
    return equalsIgnoringCase(word, "right") ? std::optional(Side::Right) : std::nullopt;
}

/// As lmoveGenericCommand() in t_list.c: both types are checked before anything moves.
Reply moveItem(Call& call, Side from, Side to)
{
    const Bytes& target = call.word(2);
    List source = findList(call);
    if (source.value == nullptr) {
        return source.isOther ? replies::wrongType() : replies::nil();
    }
    if (findTyped<ListValue>(call, target).isOther) {
        return replies::wrongType();
    }
    source = findList(call); // it may have moved when the target turned out to have expired
    Bytes item = popItem(*source.value, from);
    if (call.key() == target) {
        add(*source.value, to, item);
    } else {
        // Before the target is made: an insertion moves the source.
        if (source.value->items.empty()) {
            call.erase(*source.entry);
        }
        const List destination = findTyped<ListValue>(call, target);
        ListValue& list = destination.value != nullptr
                              ? *destination.value
                              : std::get<ListValue>(call.create(target, ListValue()).value);
        add(list, to, item);
        call.touch(target);
    }
    call.touch(call.key());
    return Reply::ofBulk(std::move(item));
}

/// The words of LPOS behind the element.
struct PositionOptions {
    std::int64_t rank = 1;             // which match counts first; negative: from the tail
    std::optional<std::int64_t> count; // how many are asked for, 0 being all; nullopt: one, alone
    std::int64_t lengthMax = 0;        // how many elements are looked at; 0: all

    /// The error, if there is one.
    std::optional<Reply> read(const std::vector<Bytes>& words);
    Reply::Array placesOf(const Bytes& item, const std::vector<Bytes>& items) const;
};

std::optional<Reply> PositionOptions::read(const std::vector<Bytes>& words)
{
    for (std::size_t i = 3; i < words.size(); i += 2) {
        const bool isRank = equalsIgnoringCase(words[i], "rank");
        const bool isCount = equalsIgnoringCase(words[i], "count");
        if ((!isRank && !isCount && !equalsIgnoringCase(words[i], "maxlen"))
            || i + 1 == words.size()) {
            return replies::syntaxError();
        }
        const auto number = parseInteger(words[i + 1]);
        if (!number && isRank) {
            return replies::notAnInteger();
        }
        if (isRank && *number == 0) {
            return replies::error(
                "RANK can't be zero: use 1 to start from the first match, 2 from "
                "the second ... or use negative to start from the end of the list");
        }
        if (!isRank && (!number || *number < 0)) {
            return replies::error(isCount ? "COUNT can't be negative" : "MAXLEN can't be negative");
        }
        if (isRank) {
            rank = *number;
        } else if (isCount) {
            count = number;
        } else {
            lengthMax = *number;
        }
    }
    return std::nullopt;
}

Reply::Array PositionOptions::placesOf(const Bytes& item, const std::vector<Bytes>& items) const
{
    const bool isFromTail = rank < 0;
    std::int64_t toSkip = isFromTail ? -(rank + 1) : rank - 1; // the lowest number has no opposite
    const auto length = static_cast<std::int64_t>(items.size());
    const std::int64_t looked = lengthMax == 0 ? length : std::min(lengthMax, length);
    const std::int64_t wanted = count.value_or(1);
    Reply::Array places;
    for (std::int64_t i = 0; i < looked; ++i) {
        const std::int64_t place = isFromTail ? length - 1 - i : i;
        if (items[static_cast<std::size_t>(place)] != item || toSkip-- > 0) {
            continue;
        }
        places.push_back(replies::number(place));
        if (static_cast<std::int64_t>(places.size()) == wanted) {
            break;
        }
    }
    return places;
}

} // namespace

Reply lpush(Call& call)
{
    return push(call, Side::Left, false);
}

Reply rpush(Call& call)
{
    return push(call, Side::Right, false);
}

Reply lpushx(Call& call)
{
    return push(call, Side::Left, true);
}

Reply rpushx(Call& call)
{
    return push(call, Side::Right, true);
}

Reply lpop(Call& call)
{
    return pop(call, Side::Left);
}

Reply rpop(Call& call)
{
    return pop(call, Side::Right);
}

Reply blpop(Call& call)
{
    return popFromAny(call, Side::Left);
}

Reply brpop(Call& call)
{
    return popFromAny(call, Side::Right);
}

Reply llen(Call& call)
{
    const List found = findList(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    return replies::number(found.value != nullptr ? found.value->items.size() : 0);
}

Reply lrange(Call& call)
{
    const auto first = parseInteger(call.word(2));
    const auto last = parseInteger(call.word(3));
    if (!first || !last) {
        return replies::notAnInteger();
    }
    const List found = findList(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    Reply::Array items;
    const auto span = found.value != nullptr ? spanOf(*first, *last, found.value->items.size())
                                             : std::nullopt;
    for (std::size_t i = span ? span->begin : 0; span && i < span->end; ++i) {
        items.push_back(replies::bulk(found.value->items[i]));
    }
    return Reply::ofArray(std::move(items));
}

/// Redis looks at the index only when there is a list.
Reply lindex(Call& call)
{
    const List found = findList(call);
    if (found.value == nullptr) {
        return found.isOther ? replies::wrongType() : replies::nil();
    }
    const auto index = parseInteger(call.word(2));
    if (!index) {
        return replies::notAnInteger();
    }
    const auto place = placeOf(*index, *found.value);
    return place ? replies::bulk(found.value->items[*place]) : replies::nil();
}

/// As lposCommand() in t_list.c.
Reply lpos(Call& call)
{
    PositionOptions options;
    if (auto error = options.read(call.words)) {
        return std::move(*error);
    }
    const List found = findList(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    Reply::Array places;
    if (found.value != nullptr) {
        places = options.placesOf(call.word(2), found.value->items);
    }
    if (options.count) {
        return Reply::ofArray(std::move(places));
    }
    return places.empty() ? replies::nil() : std::move(places.front());
}

Reply lset(Call& call)
{
    const List found = findList(call);
    if (found.value == nullptr) {
        return found.isOther ? replies::wrongType() : replies::error("no such key");
    }
    const auto index = parseInteger(call.word(2));
    if (!index) {
        return replies::notAnInteger();
    }
    const auto place = placeOf(*index, *found.value);
    if (!place) {
        return replies::error("index out of range");
    }
    found.value->items[*place] = call.word(3);
    call.touch(call.key());
    return replies::ok();
}

Reply linsert(Call& call)
{
    const bool isAfter = equalsIgnoringCase(call.word(2), "after");
    if (!isAfter && !equalsIgnoringCase(call.word(2), "before")) {
        return replies::syntaxError();
    }
    const List found = findList(call);
    if (found.value == nullptr) {
        return found.isOther ? replies::wrongType() : replies::number(std::int64_t{0});
    }
    std::vector<Bytes>& items = found.value->items;
    const auto pivot = std::ranges::find(items, call.word(3));
    if (pivot == items.end()) {
        return replies::number(std::int64_t{-1});
    }
    items.insert(isAfter ? pivot + 1 : pivot, call.word(4));
    call.touch(call.key());
    return replies::number(items.size());
}

Reply lrem(Call& call)
{
    const auto limit = parseInteger(call.word(2));
    if (!limit) {
        return replies::notAnInteger();
    }
    const List found = findList(call);
    if (found.value == nullptr) {
        return found.isOther ? replies::wrongType() : replies::number(std::int64_t{0});
    }
    std::vector<Bytes>& items = found.value->items;
    const bool isFromTail = *limit < 0;
    if (isFromTail) {
        std::ranges::reverse(items);
    }
    const std::uint64_t most = isFromTail ? 0 - static_cast<std::uint64_t>(*limit)
                                          : static_cast<std::uint64_t>(*limit);
    std::uint64_t removed = 0;
    std::erase_if(items, [&](const Bytes& item) {
        const bool isRemoved = item == call.word(3) && (most == 0 || removed < most);
        removed += isRemoved ? 1 : 0;
        return isRemoved;
    });
    if (isFromTail) {
        std::ranges::reverse(items);
    }
    if (removed > 0) {
        settle(call, found, call.key());
    }
    return replies::number(static_cast<std::int64_t>(removed));
}

Reply ltrim(Call& call)
{
    const auto first = parseInteger(call.word(2));
    const auto last = parseInteger(call.word(3));
    if (!first || !last) {
        return replies::notAnInteger();
    }
    const List found = findList(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    if (found.value != nullptr) {
        std::vector<Bytes>& items = found.value->items;
        const Span kept = spanOf(*first, *last, items.size()).value_or(Span());
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(kept.end), items.end());
        items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(kept.begin));
        settle(call, found, call.key());
    }
    return replies::ok();
}

Reply lmove(Call& call)
{
    const auto from = sideOf(call.word(3));
    const auto to = sideOf(call.word(4));
    return from && to ? moveItem(call, *from, *to) : replies::syntaxError();
}

Reply rpoplpush(Call& call)
{
    return moveItem(call, Side::Right, Side::Left);
}

Reply blmove(Call& call)
{
    const auto from = sideOf(call.word(3));
    const auto to = sideOf(call.word(4));
    if (!from || !to) {
        return replies::syntaxError();
    }
    std::optional<Reply> error = badTimeout(call);
    return error ? std::move(*error) : moveItem(call, *from, *to);
}

Reply brpoplpush(Call& call)
{
    std::optional<Reply> error = badTimeout(call);
    return error ? std::move(*error) : moveItem(call, Side::Right, Side::Left);
}

} // namespace lockscope::sim::handlers
