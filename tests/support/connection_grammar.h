#pragma once

#include "core/kernel/base/rng.h"
#include "core/kernel/store/command.h"
#include "tests/support/command_grammar.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::testing {

/// One thing that one of several clients of a server does.
struct ConnectionStep {
    enum class Kind {
        Commands,
        BriefWait,  // a blocking command with a time-out that is over at once: until it is
        BriefLease, // commands of which one sets a lease of some milliseconds: until it is over
        Disconnect, // and another client takes the place
    };

    std::size_t connection = 0;
    Kind kind = Kind::Commands;
    std::vector<store::Command> commands; // sent all at once; mostly one
};

std::string toText(const ConnectionStep& step);

/// Makes up what several clients do with the same few keys and channels: transactions among
/// writes of others, blocking commands and what ends them, subscriptions and messages, connections
/// that go. The first client never waits nor subscribes, so that something happens all the time.
class ConnectionGrammar {
public:
    static constexpr std::size_t kConnectionCount = 3;

    /// After as many milliseconds a brief lease is over.
    static constexpr std::int64_t kBriefLeaseMs = 10;

    ConnectionGrammar(Rng rng, std::int64_t baseMs);

    ConnectionStep next();

private:
    using Forms = std::span<const std::string_view>;

    ConnectionStep briefLease(std::size_t connection);
    /// Every sequence has a subject that it returns to more often than to others.
    Forms formsFor(std::size_t connection);
    store::Command fromForm(std::string_view form);
    Bytes word(std::string_view symbol);

    Rng m_rng;
    CommandGrammar m_commands;
    std::uint64_t m_subject;
    std::vector<ConnectionStep> m_plan; // what is to follow sooner or later, the next one last
};

} // namespace lockscope::testing
