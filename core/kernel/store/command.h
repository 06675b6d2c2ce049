#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/time.h"

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::store {

/// One Redis command: its name and its arguments, as bytes.
struct Command {
    std::vector<Bytes> words;

    Command() = default;
    explicit Command(std::vector<Bytes> allWords) : words(std::move(allWords)) {}

    /// Command("SET", key, token, "NX", "PX", 30000): words of text or whole numbers.
    template<class First, class... Rest>
        requires(!std::same_as<std::decay_t<First>,
                               Command> && !std::same_as<std::decay_t<First>, std::vector<Bytes>>)
    explicit Command(First&& first, Rest&&... rest)
    {
        words.reserve(1 + sizeof...(rest));
        append(std::forward<First>(first));
        (append(std::forward<Rest>(rest)), ...);
    }

    template<class Word>
    void append(Word&& word)
    {
        if constexpr (std::integral<std::decay_t<Word>>) {
            words.push_back(std::to_string(word));
        } else {
            words.emplace_back(std::forward<Word>(word));
        }
    }

    friend bool operator==(const Command&, const Command&) = default;
};

/// The command as one would type it at redis-cli: words that need it in double quotes, bytes
/// escaped.
std::string toText(const Command& command);

} // namespace lockscope::store
