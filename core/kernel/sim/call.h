#pragma once

#include "core/kernel/base/characters.h"
#include "core/kernel/sim/command_table.h"
#include "core/kernel/sim/sim_database.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::sim {

/// One command while it is carried out.
struct Call {
    SimDatabase& database;
    const CommandSpec& spec;
    const std::vector<Bytes>& words; // the command's name first
    const CommandContext& context;

    std::size_t size() const { return words.size(); }
    const Bytes& word(std::size_t index) const { return words[index]; }
    /// The key of most commands.
    const Bytes& key() const { return words[1]; }
    std::int64_t nowMs() const { return toEpochMs(context.now); }

    /// The key as it is now; one that has expired is removed and not found.
    Entry* find(const Bytes& name);
    /// Adds a key that is not there.
    Entry& create(const Bytes& name, Value value);
    void erase(Entry& entry);
    /// A connection may be watching the key (WATCH).
    void touch(const Bytes& name) const
    {
        if (context.keyspaceListener != nullptr) {
            context.keyspaceListener->keyTouched(name);
        }
    }
};

/// A key that has to hold a T, if it is there at all.
template<class T>
struct Typed {
    Entry* entry = nullptr;
    T* value = nullptr;
    bool isOther = false; // it is there and holds something else

    explicit Typed(Entry* found)
        : entry(found),
          value(found != nullptr ? std::get_if<T>(&found->value) : nullptr),
          isOther(found != nullptr && value == nullptr)
    {}
};

template<class T>
Typed<T> findTyped(Call& call, const Bytes& name)
{
    return Typed<T>(call.find(name));
}

/// The answers that many commands share.
namespace replies {
store::Reply ok();
store::Reply nil();
store::Reply number(std::int64_t n);
store::Reply number(std::size_t n);
store::Reply bulk(std::string_view bytes);
store::Reply emptyArray();
store::Reply error(std::string_view text); // the kind ERR
store::Reply wrongType();
store::Reply syntaxError();
store::Reply notAnInteger();
store::Reply notAFloat();
store::Reply overflow();
store::Reply invalidExpiry(const Call& call);
store::Reply wrongArity(std::string_view commandName);
store::Reply otherDatabase(); // than 0, the only one that is simulated
} // namespace replies

/// The error in the time-out that blocking commands have as their last word, in seconds.
std::optional<store::Reply> badTimeout(const Call& call);

/// The number of a database, or the error in it. Only 0 is simulated: see otherDatabase().
std::variant<int, store::Reply> databaseNumber(const Bytes& word);

/// Takes out of the collection what the words behind the key name, and the key with the last of it:
/// HDEL, SREM, ZREM. `items` is where the collection keeps them.
template<class T, class Items>
store::Reply removeWords(Call& call, const Typed<T>& found, Items T::*items)
{
    if (found.isOther) {
        return replies::wrongType();
    }
    std::int64_t removed = 0;
    for (std::size_t i = 2; i < call.size() && found.value != nullptr; ++i) {
        removed += found.value->erase(call.word(i)) ? 1 : 0;
    }
    if (removed > 0) {
        if ((found.value->*items).empty()) {
            call.erase(*found.entry);
        }
        call.touch(call.key());
    }
    return replies::number(removed);
}

/// A word of the caller's as errors repeat it: on one line, and cut where C would.
std::string shownInError(std::string_view word, std::size_t lengthMax = 128);

/// The elements `first` to `last` of `count`, both counted from the end when negative, as Redis
/// cuts them; nullopt when nothing is left.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0; // exclusive
};
std::optional<Span> spanOf(std::int64_t first, std::int64_t last, std::size_t count);

} // namespace lockscope::sim
