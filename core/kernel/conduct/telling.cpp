#include "core/kernel/conduct/telling.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/joined.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/search/wording.h"
#include "core/kernel/world/world_plan.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockscope::conduct {

using search::StoryLine;
using world::clientName;
using world::ViolationKind;

namespace {

std::string answerTo(Word word, const Answer& answer, const std::string& process)
{
    if (answer.kind == Answer::Kind::Error) {
        return KernelText::tr("%1 answers with %2", process, describe(answer));
    }
    const bool isYes = answer.kind == Answer::Kind::Yes;
    switch (word) {
    case Word::Acquire:
        return isYes ? KernelText::tr("%1 says that it holds the lock", process)
                     : KernelText::tr("%1 says that it did not get the lock", process);
    case Word::Release:
        return isYes ? KernelText::tr("%1 says that it gave the lock back", process)
                     : KernelText::tr("%1 says that it had nothing to give back", process);
    case Word::Extend:
        return isYes ? KernelText::tr("%1 says that it extended the lock", process)
                     : KernelText::tr("%1 says that it could not extend the lock", process);
    default:
        return isYes ? KernelText::tr("%1 says that it still holds the lock", process)
                     : KernelText::tr("%1 says that it does not hold the lock any more", process);
    }
}

std::string callTo(const LogEntry& entry, const std::string& process)
{
    switch (entry.word) {
    case Word::Acquire:
        return entry.isRead ? KernelText::tr("%1 asks for the lock as a reader", process)
                            : KernelText::tr("%1 asks for the lock", process);
    case Word::Release: return KernelText::tr("%1 gives the lock back", process);
    case Word::Extend: return KernelText::tr("%1 extends the lock", process);
    default: return {}; // the answer says it
    }
}

class Teller {
public:
    explicit Teller(const Find& find) : m_find(find) {}

    std::vector<StoryLine> tell()
    {
        for (std::size_t i = 0; i <= m_find.breach.entry && i < m_find.log.entries.size(); ++i) {
            const LogEntry& entry = m_find.log.entries[i];
            if (entry.kind == LogEntry::Kind::Executed) {
                tellExecuted(entry);
            } else {
                tellEntry(entry);
            }
        }
        tellRepetitions();
        return inOrder();
    }

private:
    using Line = std::pair<const LogEntry*, StoryLine>; // with what it tells of

    /// What one process sends to one server again and again, with the same answer.
    struct Poll {
        const LogEntry* first = nullptr;
        std::vector<const LogEntry*> others;
    };

    StoryLine& add(const LogEntry& entry, std::string text)
    {
        StoryLine& line = m_lines.emplace_back(&entry, StoryLine()).second;
        line.at = entry.at;
        line.text = std::move(text);
        return line;
    }

    /// What was kept back, to be told at once, belongs before what others have sent since.
    std::vector<StoryLine> inOrder()
    {
        std::ranges::stable_sort(m_lines, {}, &Line::first);
        std::vector<StoryLine> story;
        for (Line& line : m_lines) {
            story.push_back(std::move(line.second));
        }
        StoryLine& end = story.emplace_back();
        end.at = m_find.breach.violation.at;
        end.text = describe(m_find);
        end.isViolation = true;
        return story;
    }

    void tellEntry(const LogEntry& entry)
    {
        const std::string process = entry.process >= 0 ? clientName(entry.process) : std::string();
        const std::string party = entry.process >= 0 ? nameOf(entry) : std::string();
        switch (entry.kind) {
        case LogEntry::Kind::Called: tell(entry, callTo(entry, party)); return;
        case LogEntry::Kind::Answered:
            tell(entry, answerTo(entry.word, entry.answer, party));
            return;
        case LogEntry::Kind::LossTold:
            tell(entry, KernelText::tr("%1's library reports that the lock is lost", party));
            return;
        case LogEntry::Kind::Interfered: tellDeviation(entry); return;
        case LogEntry::Kind::LetGo: tell(entry, endOf(entry)); return;
        case LogEntry::Kind::Ended:
            if (!m_find.breach.isInherent && !isKilledBy(m_find.deviations, entry.process)) {
                tell(entry, KernelText::tr("%1 has ended", process));
            }
            return;
        case LogEntry::Kind::Said: tellOutput(entry, process); return;
        case LogEntry::Kind::Executed:
        case LogEntry::Kind::Arrived:
        case LogEntry::Kind::Passed: return; // the next line's time says it
        }
    }

    /// No text: nothing to tell.
    void tell(const LogEntry& entry, const std::string& text)
    {
        if (!text.empty()) {
            tellRepetitions();
            add(entry, text);
        }
    }

    std::string nameOf(const LogEntry& entry) const
    {
        return partyName(m_find.workload, m_find.workload.partyOf(entry.process, entry.thread));
    }

    /// Who polls may send the same a thousand times: the first of them is told, and their number.
    void tellExecuted(const LogEntry& entry)
    {
        Poll& poll = m_polls[{entry.process, entry.server}];
        if (poll.first != nullptr && isAlike(*poll.first, entry)) {
            poll.others.push_back(&entry);
            return;
        }
        tellRepetitionsOf(poll);
        poll.first = &entry;
        add(entry, requestText(entry));
    }

    /// Where its arguments differ, they count up, or tell the time.
    static bool isAlike(const LogEntry& a, const LogEntry& b)
    {
        return a.message.kind == b.message.kind && a.lock == b.lock && a.reply == b.reply
               && a.command.words.size() == b.command.words.size();
    }

    std::string requestText(const LogEntry& entry) const
    {
        const std::string process = clientName(entry.process);
        const std::string command = search::commandText(entry.command);
        const std::string answer = search::answerText(entry.reply);
        return m_find.workload.serverCount == 1
                   ? KernelText::tr("%1 sends %2: %3", process, command, answer)
                   : KernelText::tr("%1 sends %2 to server %3: %4", process, command,
                                    entry.server + 1, answer);
    }

    void tellRepetitionsOf(Poll& poll)
    {
        constexpr std::size_t kToldOneByOne = 3;
        if (poll.others.size() <= kToldOneByOne) {
            for (const LogEntry* const one : poll.others) {
                add(*one, requestText(*one));
            }
        } else {
            add(*poll.others.back(), repetitionText(*poll.first, poll.others.size()));
        }
        poll = {};
    }

    std::string repetitionText(const LogEntry& entry, std::size_t times) const
    {
        const std::string process = clientName(entry.process);
        const std::string command = search::commandText(entry.command);
        const std::string answer = search::answerText(entry.reply);
        return m_find.workload.serverCount == 1
                   ? KernelText::tr("%1 repeats that %2 times and always gets %3: %4", process,
                                    times, answer, command)
                   : KernelText::tr("%1 repeats that to server %2, %3 times, and always gets %4: "
                                    "%5",
                                    process, entry.server + 1, times, answer, command);
    }

    void tellRepetitions()
    {
        for (auto& [of, poll] : m_polls) {
            tellRepetitionsOf(poll);
        }
    }

    void tellDeviation(const LogEntry& entry)
    {
        const auto index = static_cast<std::size_t>(entry.deviation);
        tellRepetitions();
        StoryLine& line = add(entry, describe(m_find.deviations[index]));
        line.number = ++m_number;
        line.step = entry.deviation;
    }

    std::string endOf(const LogEntry& entry) const
    {
        const Deviation& deviation = m_find.deviations[static_cast<std::size_t>(entry.deviation)];
        const std::string process = clientName(entry.process);
        switch (deviation.kind) {
        case Interference::DelayRequest:
            return KernelText::tr("%1 arrives", describe(deviation.message));
        case Interference::DelayReply:
            return KernelText::tr("the answer to %1 arrives", describe(deviation.message));
        case Interference::Pause: return KernelText::tr("%1 goes on", process);
        case Interference::ServerDown:
            return KernelText::tr("server %1 is up again, with its data", deviation.message.server);
        case Interference::FailOver:
            return KernelText::tr("a replica takes over that has what was written before %1",
                                  describe(deviation.message));
        case Interference::LagReplicas: return KernelText::tr("the replicas catch up");
        default: return KernelText::tr("%1 may connect again", process);
        }
    }

    /// A library that retries may write a page of the same.
    void tellOutput(const LogEntry& entry, const std::string& process)
    {
        constexpr int kLinesMax = 10;
        if (++m_outputLines <= kLinesMax && !entry.text.empty()) {
            tell(entry, KernelText::tr("%1 writes: %2", process, entry.text));
        }
    }

    const Find& m_find;
    std::vector<Line> m_lines;
    std::map<std::pair<int, int>, Poll> m_polls; // by process, then server
    int m_number = 0;
    int m_outputLines = 0;
};

} // namespace

std::string describe(const Breach& breach, const Workload& workload)
{
    const std::string self = partyName(workload, breach.violation.client);
    const std::string other = partyName(workload, std::max(breach.violation.other, 0));
    if (breach.isByFailOver) {
        return KernelText::tr("%1 still works although a failover lost its lock, and %2 holds it",
                              self, other);
    }
    switch (breach.violation.kind) {
    case ViolationKind::DoubleGrant:
        return breach.wasHindered
                   ? KernelText::tr("%1 got the lock while %2 held it", self, other)
                   : KernelText::tr("%1 got the lock while %2 held it, and nothing had hindered %2",
                                    self, other);
    case ViolationKind::DishonestLease:
        return KernelText::tr("%1 is told that it holds the lock, but its lease is over and %2 has "
                              "it",
                              self, other);
    case ViolationKind::DoubleBelief:
        return breach.isInherent
                   ? KernelText::tr(
                       "%1 still works although its lease is over, and %2 holds the lock", self,
                       other)
                   : KernelText::tr("%1 goes on to believe that it holds the lock, which %2 got "
                                    "meanwhile",
                                    self, other);
    case ViolationKind::WrongExtension:
        return KernelText::tr("%1 renewed a lock that it had lost, and does not know that %2 got "
                              "it meanwhile",
                              self, other);
    case ViolationKind::PermanentLock:
        return KernelText::tr(
            "nobody holds the lock any more, but %1 cannot have it, and what is left of it "
            "never expires",
            self);
    case ViolationKind::ZombieRenewal:
        return KernelText::tr(
            "nobody holds the lock any more, but it is kept alive: %1 cannot have "
            "it",
            self);
    case ViolationKind::Orphan:
        return KernelText::tr("nobody holds the lock any more, but %1 cannot have it", self);
    case ViolationKind::LostWakeup: return KernelText::tr("%1 waits for a lock that is free", self);
    case ViolationKind::ReentryImbalance:
        return breach.violation.other >= 0
                   ? KernelText::tr("%1 gets the lock, which %2 took twice and gave back once",
                                    self, other)
                   : KernelText::tr("the lock was given back as often as it was taken, but %1 "
                                    "cannot have it",
                                    self);
    case ViolationKind::Starvation:
        return KernelText::tr("%1 gets the lock although %2 has waited for it longer", other, self);
    case ViolationKind::FenceDisorder:
        return KernelText::tr("the number of %1's grant is not greater than that of the one before",
                              self);
    case ViolationKind::FalseLoss:
        return KernelText::tr("%1 is told that its lock is lost, and it is not", self);
    default: return world::describe(breach.violation, "the lock");
    }
}

std::string describe(const OwnEnd& end)
{
    const std::string process = clientName(end.process);
    if (end.deviations.empty()) {
        return KernelText::tr("%1 ended by itself although nothing was done to it", process);
    }
    std::vector<std::string> steps;
    for (const Deviation& deviation : end.deviations) {
        steps.push_back(describe(deviation));
    }
    return KernelText::tr("%1 ended by itself (%2)", process, joined(steps, "; "));
}

std::string describe(const SingleRuns& singles)
{
    std::string text = KernelText::tr("%1 of %2 runs with a single deviation were played.",
                                      singles.played, singles.planned);
    if (singles.diverged > 0) {
        text += ' ' + KernelText::tr("%1 of them did not meet their message.", singles.diverged);
    }
    if (singles.failed > 0) {
        text += ' '
                + KernelText::tr("%1 of them could not be carried out to their end.",
                                 singles.failed);
    }
    return text;
}

std::string shortfallOf(const Proof& proof)
{
    if (!proof.isTooLittle()) {
        return {};
    }
    const SingleRuns& singles = proof.singles;
    std::string text = describe(singles);
    if (singles.unplannedWorkloads > 0) {
        text += ' '
                + KernelText::tr("The undisturbed run of %1 workloads failed, so that no deviation "
                                 "could be planned for them.",
                                 singles.unplannedWorkloads);
    }
    return singles.played < singles.planned
               ? text + ' ' + KernelText::tr("Give the search more time.")
               : text;
}

std::string describe(const AnsweredError& error)
{
    return KernelText::tr("%1 answered %2 %3 times with an error although nothing was done to it: "
                          "%4",
                          clientName(error.process), idOf(error.word), error.count, error.text);
}

std::vector<StoryLine> tellFind(const Find& find)
{
    return Teller(find).tell();
}

std::string describe(const AdapterTraits& traits)
{
    std::vector<std::string_view> words;
    for (int i = 0; i < static_cast<int>(Word::WordCount); ++i) {
        if (traits.vocabulary.has(static_cast<Word>(i))) {
            words.push_back(idOf(static_cast<Word>(i)));
        }
    }
    for (const auto& [isKnown, word] : {std::pair(traits.vocabulary.knowsReaders, "read"),
                                        std::pair(traits.vocabulary.knowsThreads, "threads"),
                                        std::pair(traits.vocabulary.isReentrant, "reentrant"),
                                        std::pair(traits.vocabulary.isFair, "fair"),
                                        std::pair(traits.vocabulary.hasNoLease, "no-lease")}) {
        if (isKnown) {
            words.emplace_back(word);
        }
    }
    const std::string known = joined(words, ", ");
    if (traits.vocabulary.hasNoLease) {
        return KernelText::tr("%1; its lock has no lease", known);
    }
    return traits.isRenewed ? KernelText::tr("%1; it renews its lock by itself", known)
                            : KernelText::tr("%1; its lock lasts as long as the lease", known);
}

} // namespace lockscope::conduct
