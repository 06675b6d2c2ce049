#include "core/kernel/world/instants_in_data.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <variant>

namespace lockscope::world {

namespace {

using sim::ServerTime;

/// Times that a protocol wrote lie near the beginning of the world: within a year.
constexpr std::int64_t kServerEpochMs = sim::toEpochMs(ServerClock::kEpoch);
constexpr std::int64_t kYearMs = 366LL * 24 * 3600 * 1000;

class Finder {
public:
    Finder(const ServerClock& clock, std::vector<Instant>& instants)
        : m_clock(clock),
          m_instants(instants)
    {}

    void addTime(std::int64_t epochMs)
    {
        const ServerTime then{std::chrono::milliseconds(epochMs)};
        m_instants.push_back(m_clock.whenItShows(then));
        if (m_clock != ServerClock()) { // a client wrote it, perhaps, by a calendar that is right
            m_instants.push_back(ServerClock().whenItShows(then));
        }
    }

    void addNumber(double number)
    {
        for (const double msPerUnit : {1000.0, 1.0, 0.001}) {
            const double epochMs = number * msPerUnit;
            if (epochMs > static_cast<double>(kServerEpochMs - kYearMs)
                && epochMs < static_cast<double>(kServerEpochMs + kYearMs)) {
                addTime(static_cast<std::int64_t>(epochMs));
            }
        }
    }

    /// The numbers in it, wherever they stand: "1735689600000", "1735689600000:token".
    void addText(std::string_view text)
    {
        constexpr std::string_view kDigits = "0123456789";
        for (auto begin = text.find_first_of(kDigits); begin != std::string_view::npos;) {
            const auto end = std::min(text.find_first_not_of("0123456789.", begin), text.size());
            double number = 0;
            std::from_chars(text.data() + begin, text.data() + end, number);
            addNumber(number);
            begin = text.find_first_of(kDigits, end);
        }
    }

    void operator()(const Bytes& text) { addText(text); }
    void operator()(const sim::HashValue& hash)
    {
        for (const auto& [field, value] : hash.fields) {
            addText(field);
            addText(value);
        }
    }
    void operator()(const sim::ListValue& list) { addTexts(list.items); }
    void operator()(const sim::SetValue& set) { addTexts(set.members); }
    void operator()(const sim::SortedSetValue& set)
    {
        for (const sim::ScoredMember& member : set.members) {
            addNumber(member.score);
            addText(member.member);
        }
    }
    void operator()(const sim::StreamValue& /*stream*/) {} // no lock keeps its holds in one

private:
    void addTexts(const std::vector<Bytes>& texts)
    {
        for (const Bytes& text : texts) {
            addText(text);
        }
    }

    const ServerClock& m_clock;
    std::vector<Instant>& m_instants;
};

} // namespace

void addInstantsIn(const sim::Keyspace& keys, const ServerClock& clock,
                   std::vector<Instant>& instants)
{
    Finder finder(clock, instants);
    for (const sim::Entry& entry : keys.entries()) {
        if (entry.expiresAtMs != sim::Entry::kNever) {
            finder.addTime(entry.expiresAtMs);
        }
        std::visit(finder, entry.value);
    }
}

} // namespace lockscope::world
