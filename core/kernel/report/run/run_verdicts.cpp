#include "core/kernel/report/run/run_verdicts.h"

#include "core/kernel/base/duration_text.h"

#include <algorithm>

namespace lockscope::report {

using protocol::Promise;
using protocol::ProtocolInfo;
using trace::Event;
using trace::EventKind;
using workload::Scenario;
using Status = PromiseVerdict::Status;
using Events = std::span<const Event>;

namespace {

std::string countOf(std::uint64_t count, std::string_view one, std::string_view many)
{
    return std::to_string(count) + ' ' + std::string(count == 1 ? one : many);
}

bool isOverlap(const Event& event)
{
    return event.kind == EventKind::Entered && event.value > 0;
}

std::optional<Duration> timeOfFirstOverlap(Events events)
{
    const auto first = std::ranges::find_if(events, isOverlap);
    return first == events.end() ? std::nullopt : std::optional(first->at - events.front().at);
}

/// Decides one promise after the other from the same run.
class Judge {
public:
    Judge(const FinishedRun& run, const Scenario& scenario, const ProtocolInfo& info)
        : m_run(run),
          m_statistics(run.statistics),
          m_scenario(scenario),
          m_info(info)
    {}

    PromiseVerdict verdictOn(Promise promise) const
    {
        PromiseVerdict verdict;
        verdict.promise = promise;
        verdict.isPromised = m_info.claimsPromise(promise);
        if (m_statistics.acquisitions == 0) {
            return verdict; // no hold was ever granted: nothing was put to the test
        }
        switch (promise) {
        case Promise::MutualExclusion: judgeExclusion(verdict, m_scenario.readShare == 0); break;
        case Promise::ReadWriteExclusion: judgeExclusion(verdict, m_info.hasModes); break;
        case Promise::OwnerOnlyRelease: judgeReleases(verdict); break;
        case Promise::NoStuckLock: judgeRemainingKeys(verdict); break;
        default: break; // needs the schedule, not only what it came to
        }
        return verdict;
    }

private:
    void judgeExclusion(PromiseVerdict& verdict, bool isPutToTheTest) const
    {
        if (!isPutToTheTest) {
            return;
        }
        const std::uint64_t overlaps = m_statistics.overlaps;
        if (overlaps == 0) {
            verdict.status = Status::Held;
            return;
        }
        // A client that enters believes to hold: what the resource sees are beliefs that overlap.
        verdict.status = Status::Broken;
        verdict.kind = "double-belief";
        verdict.at = timeOfFirstOverlap(m_run.events);
        verdict.summary = m_scenario.kind == Scenario::Kind::Draw
                              ? std::to_string(overlaps + 1) + " contenders won, but only one may"
                              : countOf(overlaps, "holder", "holders")
                                    + " entered while another holder was inside";
    }

    void judgeReleases(PromiseVerdict& verdict) const
    {
        const bool isPutToTheTest = m_scenario.permits == 1
                                    && m_scenario.kind != Scenario::Kind::Draw;
        if (!isPutToTheTest) {
            return;
        }
        if (m_statistics.wrongReleases == 0) {
            verdict.status = Status::Held;
            return;
        }
        verdict.status = Status::Broken;
        verdict.kind = "wrong-release";
        verdict.summary = countOf(m_statistics.wrongReleases, "release", "releases")
                          + " removed the lock of the next holder";
    }

    void judgeRemainingKeys(PromiseVerdict& verdict) const
    {
        if (m_scenario.kind == Scenario::Kind::Draw) {
            return; // the winner keeps it on purpose
        }
        const std::vector<Bytes> stuck = stuckKeys(m_run.leftBehind, m_info);
        if (!stuck.empty()) {
            verdict.status = Status::Broken;
            verdict.kind = "permanent-lock";
            verdict.summary = countOf(stuck.size(), "key", "keys")
                              + " without an expiry left behind, first " + escaped(stuck.front())
                              + ": nothing will ever remove " + (stuck.size() == 1 ? "it" : "them");
            return;
        }
        verdict.status = m_statistics.crashes > 0 ? Status::Held : Status::NotApplicable;
    }

    const FinishedRun& m_run;
    const trace::RunStatistics& m_statistics;
    const Scenario& m_scenario;
    const ProtocolInfo& m_info;
};

/// What is worth a line in a story; empty for what is not.
std::string actionTextOf(const Event& event)
{
    const std::string as = event.isRead ? " as a reader" : "";
    switch (event.kind) {
    case EventKind::Granted: return "is granted the lock" + as;
    case EventKind::Lost:
        return "learns that its lock is lost ("
               + std::string(idOf(static_cast<trace::LossReason>(event.value))) + ')';
    case EventKind::Releasing: return "sends its release";
    case EventKind::Released: return "is told that the release succeeded";
    case EventKind::ReleaseRefused:
        return event.value == 0 ? "finds no lock to release"
                                : "finds another owner's lock and leaves it";
    case EventKind::ReleaseUncertain: return "does not know whether the release succeeded";
    case EventKind::Crashed: return "crashes without releasing";
    case EventKind::Paused: return "pauses for " + durationText(Duration(event.value));
    case EventKind::Resumed: return "resumes";
    case EventKind::Entered:
        return isOverlap(event)
                   ? "enters although "
                         + countOf(static_cast<std::uint64_t>(event.value), "other", "others")
                         + (event.value == 1 ? " is" : " are") + " inside"
                   : "enters";
    case EventKind::Left: return "leaves";
    default: return {};
    }
}

} // namespace

std::string_view idOf(Status status)
{
    switch (status) {
    case Status::Held: return "held";
    case Status::Broken: return "broken";
    case Status::NotApplicable: break;
    }
    return "not-applicable";
}

std::vector<Bytes> stuckKeys(std::span<const workload::Leftover> leftBehind,
                             const ProtocolInfo& info)
{
    std::vector<Bytes> stuck;
    for (const workload::Leftover& leftover : leftBehind) {
        if (!leftover.hasExpiry && !info.endsByValue) {
            stuck.push_back(leftover.key);
        }
    }
    return stuck;
}

std::vector<PromiseVerdict> verdictsOf(const FinishedRun& run, const Scenario& scenario,
                                       const ProtocolInfo& info)
{
    const Judge judge(run, scenario, info);
    std::vector<PromiseVerdict> verdicts;
    verdicts.reserve(static_cast<std::size_t>(Promise::PromiseCount));
    for (int i = 0; i < static_cast<int>(Promise::PromiseCount); ++i) {
        verdicts.push_back(judge.verdictOn(static_cast<Promise>(i)));
    }
    return verdicts;
}

bool isAnyBroken(std::span<const PromiseVerdict> verdicts)
{
    return std::ranges::any_of(verdicts, [](const PromiseVerdict& verdict) {
        return verdict.status == Status::Broken;
    });
}

std::vector<search::StoryLine> storyOfFirstOverlap(Events events, std::size_t lineMax)
{
    const auto end = std::ranges::find_if(events, isOverlap);
    std::vector<search::StoryLine> lines;
    if (end == events.end()) {
        return lines;
    }
    for (auto event = end + 1; event != events.begin() && lines.size() < lineMax;) {
        --event;
        const std::string action = event->lock == end->lock ? actionTextOf(*event) : std::string();
        if (!action.empty()) {
            search::StoryLine line;
            line.at = Instant(event->at - events.front().at);
            line.text = "contender " + std::to_string(event->contender) + ' ' + action;
            line.isViolation = event == end;
            lines.push_back(std::move(line));
        }
    }
    std::ranges::reverse(lines);
    return lines;
}

std::vector<std::string> timedTexts(const std::vector<search::StoryLine>& story)
{
    std::vector<std::string> texts;
    texts.reserve(story.size());
    for (const search::StoryLine& line : story) {
        texts.push_back(durationText(line.at - Instant()) + ": " + line.text);
    }
    return texts;
}

} // namespace lockscope::report
