#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"
#include "core/kernel/sim/number_text.h"

#include <algorithm>

namespace lockscope::sim::handlers {

using store::Reply;

namespace {

using Set = Typed<SetValue>;

Set findSet(Call& call)
{
    return findTyped<SetValue>(call, call.key());
}

bool areAllIntegers(const std::vector<Bytes>& members)
{
    return std::ranges::all_of(members, [](const Bytes& member) {
        return parseInteger(member).has_value();
    });
}

} // namespace

Reply sadd(Call& call)
{
    const Set found = findSet(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    SetValue& set = found.value != nullptr
                        ? *found.value
                        : std::get<SetValue>(call.create(call.key(), SetValue()).value);
    std::int64_t added = 0;
    for (std::size_t i = 2; i < call.size(); ++i) {
        added += set.insert(call.word(i)) ? 1 : 0;
    }
    if (added > 0) {
        call.touch(call.key());
    }
    return replies::number(added);
}

Reply srem(Call& call)
{
    return removeWords(call, findSet(call), &SetValue::members);
}

Reply sismember(Call& call)
{
    const Set found = findSet(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    const bool isMember = found.value != nullptr && found.value->contains(call.word(2));
    return replies::number(std::int64_t{isMember});
}

Reply smismember(Call& call)
{
    const Set found = findSet(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    Reply::Array answers;
    for (std::size_t i = 2; i < call.size(); ++i) {
        const bool isMember = found.value != nullptr && found.value->contains(call.word(i));
        answers.push_back(replies::number(std::int64_t{isMember}));
    }
    return Reply::ofArray(std::move(answers));
}

/// Sets of whole numbers come in their order, as from Redis; all others come from Redis in an order
/// that means nothing.
Reply smembers(Call& call)
{
    const Set found = findSet(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    std::vector<Bytes> members = found.value != nullptr ? found.value->members
                                                        : std::vector<Bytes>();
    if (areAllIntegers(members)) {
        std::ranges::sort(members, {}, [](const Bytes& member) { return *parseInteger(member); });
    }
    Reply::Array items;
    for (Bytes& member : members) {
        items.push_back(Reply::ofBulk(std::move(member)));
    }
    return Reply::ofArray(std::move(items));
}

Reply scard(Call& call)
{
    const Set found = findSet(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    return replies::number(found.value != nullptr ? found.value->members.size() : 0);
}

} // namespace lockscope::sim::handlers
