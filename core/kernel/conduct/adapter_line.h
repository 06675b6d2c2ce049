#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The words that a conductor and an adapter say to each other, one line each: see docs/adapters.md.
namespace lockscope::conduct {

/// What a process is asked to do.
enum class Word : std::uint8_t {
    Acquire,   // take the lock
    Release,   // give it back
    Extend,    // renew it by hand
    Held,      // say whether the library believes to hold it
    Interrupt, // break off the running call of a thread
    Cancel,    // the same for a task of an event loop
    Reset,     // forget all locks; the keys that follow from now on
    WordCount,
};

std::string_view idOf(Word word); // "acquire"
std::optional<Word> wordOf(std::string_view id);

/// What an adapter said that it understands.
class Vocabulary {
public:
    void add(Word word) { m_bits |= 1U << static_cast<unsigned>(word); }
    bool has(Word word) const { return (m_bits & 1U << static_cast<unsigned>(word)) != 0; }

    bool knowsReaders = false; // "acquire … read"
    bool knowsThreads = false; // calls of several threads go on at the same time: "threads"
    bool isReentrant = false;  // its holder may take the lock once more: "reentrant"
    bool isFair = false;       // who has waited longest is next: "fair"
    bool hasNoLease = false;   // its holds last until they are given back: "no-lease"

private:
    unsigned m_bits = 0;
};

/// How a call ended.
struct Answer {
    enum class Kind : std::uint8_t { Yes, No, Error };

    Kind kind = Kind::No;
    std::string text;                       // of an error
    std::optional<std::int64_t> fence = {}; // Yes: the number of the grant, where there is one

    friend bool operator==(const Answer&, const Answer&) = default;
};

/// "yes", "yes, with the number 17", "no", "an error (…)".
std::string describe(const Answer& answer);

/// One line of an adapter.
struct AdapterLine {
    enum class Kind : std::uint8_t {
        Ready,  // it can work; `vocabulary`
        Answer, // of the call on `thread`
        Lost,   // the library says that the lock of `key` is lost
        Strange // none of these: a mistake of the adapter
    };

    Kind kind = Kind::Strange;
    Vocabulary vocabulary;
    std::string thread;
    std::string key;
    Answer answer;
};

/// Any bytes; without the end of the line.
AdapterLine readAdapterLine(std::string_view line);

/// "acquire t0 order:42 read", without the end of the line. `keys`: one, or all of a reset.
std::string adapterLine(Word word, std::string_view thread, const std::vector<std::string>& keys,
                        bool isRead = false);

} // namespace lockscope::conduct
