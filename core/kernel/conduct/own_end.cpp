#include "core/kernel/conduct/own_end.h"

#include <algorithm>

namespace lockscope::conduct {

namespace {

/// Node and Python name the error behind, or amid, the places where it went through.
constexpr std::size_t kWordsMax = 12;

std::vector<std::string> lastWordsOf(const RunLog& log, int process)
{
    std::vector<std::string> words;
    for (const LogEntry& entry : log.entries) {
        if (entry.kind == LogEntry::Kind::Said && entry.process == process && !entry.text.empty()) {
            words.push_back(entry.text);
        }
    }
    const std::size_t surplus = words.size() - std::min(words.size(), kWordsMax);
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(surplus));
    return words;
}

} // namespace

std::optional<OwnEnd> ownEndIn(const RunLog& log, const Workload& workload,
                               std::span<const Deviation> deviations)
{
    const auto end = std::ranges::find_if(log.entries, [&](const LogEntry& entry) {
        return entry.kind == LogEntry::Kind::Ended && !isKilledBy(deviations, entry.process);
    });
    if (workload.isOfPrograms() || end == log.entries.end()) {
        return std::nullopt;
    }
    return OwnEnd{end->process,
                  {deviations.begin(), deviations.end()},
                  lastWordsOf(log, end->process)};
}

} // namespace lockscope::conduct
