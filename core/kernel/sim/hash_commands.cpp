#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"
#include "core/kernel/sim/number_text.h"

#include <cmath>

namespace lockscope::sim::handlers {

using store::Reply;

namespace {

using Hash = Typed<HashValue>;

Hash findHash(Call& call)
{
    return findTyped<HashValue>(call, call.key());
}

HashValue& orCreated(Call& call, const Hash& found)
{
    return found.value != nullptr ? *found.value
                                  : std::get<HashValue>(call.create(call.key(), HashValue()).value);
}

Bytes* fieldOf(const Hash& found, const Bytes& field)
{
    return found.value != nullptr ? found.value->find(field) : nullptr;
}

Reply textOrNil(const Bytes* text)
{
    return text != nullptr ? replies::bulk(*text) : replies::nil();
}

/// Both halves of the fields, or one of them.
Reply contents(Call& call, bool withFields, bool withValues)
{
    const Hash found = findHash(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    Reply::Array items;
    if (found.value != nullptr) {
        items.reserve(found.value->fields.size() * 2);
        for (const auto& [field, value] : found.value->fields) {
            if (withFields) {
                items.push_back(replies::bulk(field));
            }
            if (withValues) {
                items.push_back(replies::bulk(value));
            }
        }
    }
    return Reply::ofArray(std::move(items));
}

} // namespace

Reply hset(Call& call)
{
    if (call.size() % 2 == 1) {
        return replies::wrongArity(call.spec.name);
    }
    const Hash found = findHash(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    HashValue& hash = orCreated(call, found);
    std::int64_t added = 0;
    for (std::size_t i = 2; i < call.size(); i += 2) {
        added += hash.set(call.word(i), call.word(i + 1)) ? 1 : 0;
    }
    call.touch(call.key());
    return replies::number(added);
}

Reply hmset(Call& call)
{
    Reply reply = hset(call);
    return reply.isError() ? std::move(reply) : replies::ok();
}

Reply hsetnx(Call& call)
{
    const Hash found = findHash(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    if (fieldOf(found, call.word(2)) != nullptr) {
        return replies::number(std::int64_t{0});
    }
    orCreated(call, found).set(call.word(2), call.word(3));
    call.touch(call.key());
    return replies::number(std::int64_t{1});
}

Reply hget(Call& call)
{
    const Hash found = findHash(call);
    return found.isOther ? replies::wrongType() : textOrNil(fieldOf(found, call.word(2)));
}

Reply hmget(Call& call)
{
    const Hash found = findHash(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    Reply::Array values;
    for (std::size_t i = 2; i < call.size(); ++i) {
        values.push_back(textOrNil(fieldOf(found, call.word(i))));
    }
    return Reply::ofArray(std::move(values));
}

Reply hgetall(Call& call)
{
    return contents(call, true, true);
}

Reply hkeys(Call& call)
{
    return contents(call, true, false);
}

Reply hvals(Call& call)
{
    return contents(call, false, true);
}

Reply hdel(Call& call)
{
    return removeWords(call, findHash(call), &HashValue::fields);
}

Reply hexists(Call& call)
{
    const Hash found = findHash(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    return replies::number(std::int64_t{fieldOf(found, call.word(2)) != nullptr});
}

Reply hlen(Call& call)
{
    const Hash found = findHash(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    return replies::number(found.value != nullptr ? found.value->fields.size() : 0);
}

Reply hstrlen(Call& call)
{
    const Hash found = findHash(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    const Bytes* const value = fieldOf(found, call.word(2));
    return replies::number(value != nullptr ? value->size() : 0);
}

Reply hincrby(Call& call)
{
    const auto increment = parseInteger(call.word(3));
    if (!increment) {
        return replies::notAnInteger();
    }
    const Hash found = findHash(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    Bytes* const present = fieldOf(found, call.word(2));
    const auto old = present != nullptr ? parseInteger(*present) : std::optional<std::int64_t>(0);
    if (!old) {
        return replies::error("hash value is not an integer");
    }
    std::int64_t sum = 0;
    if (__builtin_add_overflow(*old, *increment, &sum)) {
        return replies::overflow();
    }
    if (present != nullptr) {
        *present = std::to_string(sum);
    } else {
        orCreated(call, found).set(call.word(2), std::to_string(sum));
    }
    call.touch(call.key());
    return replies::number(sum);
}

/// As hincrbyfloatCommand() in t_hash.c.
Reply hincrbyfloat(Call& call)
{
    const auto increment = parseLongDouble(call.word(3));
    if (!increment) {
        return replies::notAFloat();
    }
    if (!std::isfinite(*increment)) {
        return replies::error("value is NaN or Infinity");
    }
    const Hash found = findHash(call);
    if (found.isOther) {
        return replies::wrongType();
    }
    const Bytes* const present = fieldOf(found, call.word(2));
    const auto old = present != nullptr ? parseLongDouble(*present) : std::optional<long double>(0);
    if (!old) {
        return replies::error("hash value is not a float");
    }
    const long double sum = *old + *increment;
    if (!std::isfinite(sum)) {
        return replies::error("increment would produce NaN or Infinity");
    }
    Bytes text = formatLongDouble(sum);
    orCreated(call, found).set(call.word(2), text);
    call.touch(call.key());
    return Reply::ofBulk(std::move(text));
}

} // namespace lockscope::sim::handlers
