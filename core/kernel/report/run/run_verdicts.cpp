#include "core/kernel/report/run/run_verdicts.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/base/listed.h"
#include "core/kernel/search/promise_terms.h"
#include "core/kernel/world/fault_info.h"
#include "core/kernel/world/world_plan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace lockscope::report {

using protocol::Promise;
using protocol::ProtocolInfo;
using trace::Event;
using trace::EventKind;
using workload::Scenario;
using Status = PromiseVerdict::Status;
using Events = std::span<const Event>;

namespace {

constexpr std::array<std::string_view, 4> kStatusIds{"held", "broken", "not-exercised",
                                                     "not-applicable"};

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
        verdict.isPromised = search::isPromised(promise, m_info,
                                                search::conditionsBrokenBy(m_scenario));
        switch (promise) {
        case Promise::MutualExclusion: judgeExclusion(verdict, m_scenario.readShare == 0); break;
        case Promise::ReadWriteExclusion: judgeExclusion(verdict, m_info.hasModes); break;
        case Promise::OwnerOnlyRelease: judgeReleases(verdict); break;
        case Promise::NoStuckLock: judgeRemainingKeys(verdict); break;
        case Promise::Fairness: judgeTurns(verdict); break;
        default: break; // needs the schedule, not only what it came to
        }
        return verdict;
    }

private:
    /// By so many chances to break it, none of which did.
    static void hold(PromiseVerdict& verdict, std::uint64_t chances)
    {
        verdict.chances = chances;
        verdict.status = chances > 0 ? Status::Held : Status::NotExercised;
    }
    static void breakBy(PromiseVerdict& verdict, std::string_view kind, std::uint64_t count)
    {
        verdict.status = Status::Broken;
        verdict.kind = kind;
        verdict.chances = std::max(verdict.chances, count);
    }
    bool isNothingGranted() const { return m_statistics.acquisitions == 0; }
    /// Tries that were refused, because somebody held the lock.
    std::uint64_t refusals() const
    {
        const trace::RunStatistics& s = m_statistics;
        return isNothingGranted() ? 0 : s.tries - std::min(s.tries, s.acquisitions);
    }

    void judgeExclusion(PromiseVerdict& verdict, bool isPutToTheTest) const
    {
        if (!isPutToTheTest) {
            return;
        }
        hold(verdict, refusals());
        if (m_statistics.overlaps == 0) {
            return;
        }
        // A client that enters believes to hold: what the resource sees are beliefs that overlap.
        breakBy(verdict, "double-belief", m_statistics.overlaps);
        verdict.at = timeOfFirstOverlap(m_run.events);
        verdict.summary = overlapSummary();
    }

    std::string overlapSummary() const
    {
        const std::uint64_t overlaps = m_statistics.overlaps;
        if (m_scenario.kind == Scenario::Kind::Draw) {
            return KernelText::tr("%1 contenders won, but only one may", overlaps + 1);
        }
        return overlaps == 1
                   ? KernelText::tr("1 holder entered while another holder was inside")
                   : KernelText::tr("%1 holders entered while another holder was inside", overlaps);
    }

    void judgeReleases(PromiseVerdict& verdict) const
    {
        const bool isPutToTheTest = m_scenario.permits == 1
                                    && m_scenario.kind != Scenario::Kind::Draw;
        if (!isPutToTheTest) {
            return;
        }
        const std::uint64_t wrong = m_statistics.wrongReleases;
        hold(verdict, m_statistics.releasesBehindGrants);
        if (wrong == 0) {
            return;
        }
        breakBy(verdict, "wrong-release", wrong);
        verdict.summary = wrong == 1
                              ? KernelText::tr("1 release removed the lock of the next holder")
                              : KernelText::tr("%1 releases removed the lock of the next holder",
                                               wrong);
    }

    void judgeRemainingKeys(PromiseVerdict& verdict) const
    {
        if (m_scenario.kind == Scenario::Kind::Draw) {
            return; // the winner keeps it on purpose
        }
        const std::vector<Bytes> stuck = stuckKeys(m_run.leftBehind, m_info);
        hold(verdict, isNothingGranted() ? 0 : m_statistics.crashes);
        if (!stuck.empty()) {
            breakBy(verdict, "permanent-lock", stuck.size());
            verdict.summary = remainingKeysText(stuck);
        }
    }

    /// The bound is that of simulated runs, so that one word has one meaning. A request that still
    /// waits at the end counts with those that have passed it.
    void judgeTurns(PromiseVerdict& verdict) const
    {
        if (m_scenario.kind != Scenario::Kind::Contention) {
            return;
        }
        hold(verdict, m_scenario.contenderCount > 1 ? refusals() : 0);
        const std::uint32_t bypass = m_statistics.longestBypass;
        if (bypass <= static_cast<std::uint32_t>(world::WorldPlan().bypassMax)) {
            return;
        }
        breakBy(verdict, "starvation", 1);
        verdict.summary = KernelText::tr("a contender was passed over %1 times while it waited",
                                         bypass);
        if (const std::uint64_t starved = m_statistics.neverGranted; starved > 0) {
            verdict.summary += ", ";
            verdict.summary += KernelText::tr("and %1 of %2 never acquired the lock", starved,
                                              m_scenario.contenderCount);
        }
    }

    static std::string remainingKeysText(const std::vector<Bytes>& stuck)
    {
        const std::string first = escaped(stuck.front());
        return stuck.size() == 1
                   ? KernelText::tr("1 key without an expiry left behind, first %1: nothing will "
                                    "ever remove it",
                                    first)
                   : KernelText::tr("%1 keys without an expiry left behind, first %2: nothing will "
                                    "ever remove them",
                                    stuck.size(), first);
    }

    const FinishedRun& m_run;
    const trace::RunStatistics& m_statistics;
    const Scenario& m_scenario;
    const ProtocolInfo& m_info;
};

std::string entryText(const std::string& name, const Event& event)
{
    if (!isOverlap(event)) {
        return KernelText::tr("%1 enters", name);
    }
    return event.value == 1
               ? KernelText::tr("%1 enters although 1 other is inside", name)
               : KernelText::tr("%1 enters although %2 others are inside", name, event.value);
}

/// What is worth a line in a story; empty for what is not.
std::string actionTextOf(const Event& event)
{
    const std::string name = KernelText::tr("contender %1", event.contender);
    switch (event.kind) {
    case EventKind::Granted:
        return event.isRead ? KernelText::tr("%1 is granted the lock as a reader", name)
                            : KernelText::tr("%1 is granted the lock", name);
    case EventKind::Lost:
        return KernelText::tr("%1 learns that its lock is lost (%2)", name,
                              idOf(static_cast<trace::LossReason>(event.value)));
    case EventKind::Releasing: return KernelText::tr("%1 sends its release", name);
    case EventKind::Released: return KernelText::tr("%1 is told that the release succeeded", name);
    case EventKind::ReleaseRefused:
        return event.value == 0
                   ? KernelText::tr("%1 finds no lock to release", name)
                   : KernelText::tr("%1 finds another owner's lock and leaves it", name);
    case EventKind::ReleaseUncertain:
        return event.value == 1
                   ? KernelText::tr("%1's release is answered with an error", name)
                   : KernelText::tr("%1 does not know whether the release succeeded", name);
    case EventKind::Crashed: return KernelText::tr("%1 crashes without releasing", name);
    case EventKind::Paused:
        return KernelText::tr("%1 pauses for %2", name, durationText(Duration(event.value)));
    case EventKind::Resumed: return KernelText::tr("%1 resumes", name);
    case EventKind::Entered: return entryText(name, event);
    case EventKind::Left: return KernelText::tr("%1 leaves", name);
    default: return {};
    }
}

} // namespace

std::string_view idOf(Status status)
{
    return kStatusIds.at(static_cast<std::size_t>(status));
}

std::optional<Status> statusOf(std::string_view id)
{
    const auto* const found = std::ranges::find(kStatusIds, id);
    return found == kStatusIds.end()
               ? std::nullopt
               : std::optional(static_cast<Status>(found - kStatusIds.begin()));
}

std::string circumstancesOf(const PromiseVerdict& verdict)
{
    if (verdict.status != Status::Broken || !verdict.faults) {
        return {};
    }
    std::vector<std::string> names;
    for (const world::FaultKind fault : *verdict.faults) {
        std::string name = infoOf(fault).name();
        std::ranges::transform(name, name.begin(), [](unsigned char letter) {
            return static_cast<char>(std::tolower(letter));
        });
        names.push_back(std::move(name));
    }
    return names.empty() ? KernelText::tr("without any fault")
                         : KernelText::tr("after: %1", listed(names));
}

std::string nothingTestedText()
{
    return KernelText::tr("No acquisition was ever granted: nothing was tested.");
}

std::string scriptStoppedText()
{
    return KernelText::tr("A script takes more steps or memory than the simulation allows: nothing "
                          "was tested.");
}

std::string untestedText(const trace::RunStatistics& statistics,
                         const std::optional<store::Problem>& refusal)
{
    if (statistics.acquisitions > 0 || statistics.requests == 0) {
        return {};
    }
    const std::string text = nothingTestedText();
    if (!refusal) {
        return statistics.tries > 0 ? text + ' ' + KernelText::tr("Every try was refused.") : text;
    }
    return text + ' '
           + (refusal->kind == store::Problem::Kind::ProtocolBroken
                  ? KernelText::tr("The protocol does not know what the server answers.")
                  : KernelText::tr("The server answers with an error: %1", refusal->detail));
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

bool isPromiseBroken(std::span<const PromiseVerdict> verdicts)
{
    return std::ranges::any_of(verdicts, [](const PromiseVerdict& verdict) {
        return verdict.status == Status::Broken && verdict.isPromised;
    });
}

std::vector<PromiseVerdict> inReadingOrder(std::vector<PromiseVerdict> verdicts)
{
    std::ranges::stable_sort(verdicts, {}, [](const PromiseVerdict& verdict) {
        const bool isBroken = verdict.status == Status::Broken;
        return isBroken && verdict.isPromised ? 0 : isBroken ? 1 : 2;
    });
    return verdicts;
}

std::string headlineOf(std::span<const PromiseVerdict> verdicts)
{
    std::vector<std::string_view> broken;
    std::vector<std::string_view> brokenBesides;
    bool isAnyHeld = false;
    for (const PromiseVerdict& verdict : verdicts) {
        if (verdict.status == Status::Broken) {
            (verdict.isPromised ? broken : brokenBesides).push_back(idOf(verdict.promise));
        }
        isAnyHeld = isAnyHeld || (verdict.isPromised && verdict.status == Status::Held);
    }
    std::string text;
    if (!broken.empty()) {
        text = KernelText::tr("Broken, although promised: %1.", listed(broken));
    } else if (isAnyHeld) {
        text = KernelText::tr("Everything promised held, as far as it was put to the test.");
    } else {
        text = KernelText::tr("Nothing that is promised was put to the test.");
    }
    if (!brokenBesides.empty()) {
        text += ' ';
        text += KernelText::tr("Broken, but not promised: %1.", listed(brokenBesides));
    }
    return text;
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
        std::string action = event->lock == end->lock ? actionTextOf(*event) : std::string();
        if (!action.empty()) {
            search::StoryLine line;
            line.at = Instant(event->at - events.front().at);
            line.text = std::move(action);
            line.isViolation = event == end;
            lines.push_back(std::move(line));
        }
    }
    std::ranges::reverse(lines);
    search::numberWhereMissing(lines);
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
