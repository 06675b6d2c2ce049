#include "core/kernel/lint/suspects.h"

#include "core/kernel/lint/literal_keys.h"
#include "core/kernel/lint/script_mistakes.h"
#include "core/kernel/lint/step_trial.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace lockscope::lint {

using protocol::Blank;
using protocol::Meaning;
using protocol::OwnLockPlan;
using protocol::OwnStep;
using protocol::Word;
using Client = StepTrial::Client;

namespace {

/// After so many leases a lock that a dead client held is due, however generous its clock.
constexpr int kPatienceInLeases = 3;
/// Longer than a lease whose milliseconds were taken for seconds.
constexpr int kWrongUnitInLeases = 2000;

/// Collects what is suspicious. Every trial has a server of its own.
class Suspicions {
public:
    Suspicions(const OwnLockPlan& plan, sim::LuaEngine& lua) : m_plan(plan), m_lua(lua) {}

    std::vector<Suspect> all()
    {
        tryToAcquire();
        if (!isAnyNote(Pattern::NeverGranted)) {
            tryBesideAHolder();
        }
        // Other trials end with a client that asks whether the lock is free.
        if (!isAnyNote(Pattern::NeverGranted) && !isAnyNote(Pattern::GrantedWhileHeld)) {
            tryTheLease();
            tryTheOwner();
            tryToRelease();
            tryToReleaseAnothers();
            tryNestedHolds();
            tryToRenew();
        }
        lookAtTheWords();
        return std::move(m_suspects);
    }

private:
    bool isAnyNote(Pattern pattern) const
    {
        return std::ranges::find(m_suspects, pattern, &Suspect::pattern) != m_suspects.end();
    }

    void note(Pattern pattern, const std::string& path, std::string detail = {})
    {
        const bool isKnown = std::ranges::any_of(m_suspects, [&](const Suspect& suspect) {
            return suspect.pattern == pattern && suspect.path == path;
        });
        if (!isKnown) {
            m_suspects.push_back({pattern, path, std::nullopt, std::move(detail)});
        }
    }

    /// Whether it is an answer of which the file says what it means.
    bool isUnderstood(const TrialAnswer& answer, const char* path)
    {
        const std::string of = std::string(path) + (answer.isOfCheck ? "/check" : "");
        if (answer.isError) {
            note(Pattern::ScriptError, of, answer.text);
        } else if (answer.isUnlisted()) {
            note(Pattern::UnlistedAnswer, of, answer.text);
        }
        return answer.meaning.has_value();
    }

    TrialAnswer acquire(StepTrial& trial, Client client)
    {
        TrialAnswer answer = trial.acquire(client);
        isUnderstood(answer, "/acquire");
        return answer;
    }
    TrialAnswer renew(StepTrial& trial, Client client)
    {
        TrialAnswer answer = trial.renew(client);
        isUnderstood(answer, "/renew");
        return answer;
    }
    TrialAnswer release(StepTrial& trial, Client client)
    {
        TrialAnswer answer = trial.release(client);
        isUnderstood(answer, "/release");
        return answer;
    }

    /// Whether another client is granted the lock in this moment.
    bool isFree(StepTrial& trial, Client asking = Client::C)
    {
        return acquire(trial, asking).means(Meaning::Granted);
    }

    StepTrial freshTrial() const { return StepTrial(m_plan, m_lua); }
    StepTrial heldBy(Client client) const
    {
        StepTrial trial = freshTrial();
        trial.acquire(client);
        return trial;
    }

    void tryToAcquire()
    {
        StepTrial trial = freshTrial();
        const TrialAnswer answer = acquire(trial, Client::A);
        if (!answer.means(Meaning::Granted)) {
            note(Pattern::NeverGranted, answer.isOfCheck ? "/acquire/check" : "/acquire",
                 answer.text);
        }
    }

    void tryBesideAHolder()
    {
        StepTrial trial = heldBy(Client::A);
        const std::uint64_t before = holdHash(trial);
        const TrialAnswer answer = acquire(trial, Client::B);
        if (answer.means(Meaning::Granted)) {
            note(Pattern::GrantedWhileHeld, "/acquire", answer.text);
        } else if (answer.means(Meaning::Refused) && holdHash(trial) != before) {
            note(Pattern::RefusalChangesLock, answer.isOfCheck ? "/acquire/check" : "/acquire");
        }
        if (m_plan.acquireCheck) {
            StepTrial late = heldBy(Client::A);
            if (late.runAlone(m_plan.acquire, Client::B).means(Meaning::Granted)
                && !isTakenByCheck()) {
                note(Pattern::AcquireInTwoCommands, "/acquire/check");
            }
        }
    }

    /// The check of the acquisition takes the lock already, so its script only completes that.
    bool isTakenByCheck() const
    {
        StepTrial trial = freshTrial();
        trial.runAlone(*m_plan.acquireCheck, Client::A);
        return !trial.acquire(Client::B).means(Meaning::Granted);
    }

    /// Of the lock itself, with its expiry.
    static std::uint64_t holdHash(StepTrial& trial)
    {
        for (const sim::Entry& entry : trial.keys().entries()) {
            if (entry.key == trial.lockKey()) {
                return entry.contentHash();
            }
        }
        return 0;
    }

    /// A client that dies leaves its lock to its lease.
    void tryTheLease()
    {
        if (!m_plan.info.hasExpiry) {
            note(Pattern::NoExpiry, "/expires");
            return;
        }
        judgeLease("/acquire", [this] { return heldBy(Client::A); });
        if (m_plan.acquireCheck && isTakenByCheck()) {
            StepTrial trial = freshTrial();
            trial.runAlone(*m_plan.acquireCheck, Client::A);
            trial.wait(kPatienceInLeases * trial.lease());
            if (!isFree(trial)) {
                note(Pattern::LateExpiry, "/acquire/check");
            }
        }
    }

    /// `begin` gives a server on which a lease has just begun.
    void judgeLease(const char* path, const std::function<StepTrial()>& begin)
    {
        StepTrial early = begin();
        early.wait(early.lease() / 2);
        StepTrial due = begin();
        due.wait(kPatienceInLeases * due.lease());
        StepTrial late = begin();
        late.wait(kWrongUnitInLeases * late.lease());
        if (isFree(early)) {
            note(Pattern::WrongLease, path);
        } else if (!isFree(due)) {
            note(isFree(late) ? Pattern::WrongLease : Pattern::NoExpiry, path);
        }
    }

    /// Two clients leave the same behind.
    void tryTheOwner()
    {
        StepTrial a = heldBy(Client::A);
        StepTrial b = heldBy(Client::B);
        if (!a.keys().entries().empty() && a.keys() == b.keys()) {
            note(Pattern::NoOwner, "/acquire");
        }
    }

    void tryToRelease()
    {
        StepTrial trial = heldBy(Client::A);
        const TrialAnswer answer = release(trial, Client::A);
        const int wakeUps = trial.wakeUpCount();
        if (!isFree(trial)) {
            note(Pattern::ReleaseLeavesLock, "/release", answer.text);
        } else if (m_plan.wakeUpChannel && wakeUps == 0) {
            note(Pattern::NoWakeUp, "/release");
        }
        StepTrial empty = freshTrial();
        release(empty, Client::A);
    }

    void tryToReleaseAnothers()
    {
        StepTrial trial = heldBy(Client::B);
        release(trial, Client::A);
        if (isFree(trial)) {
            note(Pattern::UncomparedRelease, "/release");
        } else if (m_plan.releaseCheck) {
            StepTrial late = heldBy(Client::B);
            late.runAlone(m_plan.release, Client::A);
            if (isFree(late)) {
                note(Pattern::ReleaseInTwoCommands, "/release/check");
            }
        }
    }

    void tryNestedHolds()
    {
        if (!m_plan.info.isReentrant) {
            return;
        }
        StepTrial trial = heldBy(Client::A);
        if (!acquire(trial, Client::A).means(Meaning::Granted)) {
            note(Pattern::NeverGranted, "/acquire");
            return;
        }
        release(trial, Client::A);
        if (isFree(trial)) {
            note(Pattern::ForgetsCount, "/release");
            return;
        }
        const TrialAnswer last = release(trial, Client::A);
        if (!isFree(trial)) {
            note(Pattern::ReleaseLeavesLock, "/release", last.text);
        }
    }

    void tryToRenew()
    {
        if (!m_plan.renew) {
            return;
        }
        if (m_plan.info.hasExpiry) {
            tryTheRenewedLease();
            tryToRenewAnothers();
        }
        tryToRenewNothing();
        const protocol::Renewal& renewal = m_plan.info.defaults.renewal;
        if (m_plan.info.hasExpiry && renewal.isOn() && !renewal.isFirstAtOnce
            && renewal.period >= m_plan.info.defaults.lease) {
            note(Pattern::LateRenewal, "/renewal/period");
        }
    }

    void tryTheRenewedLease()
    {
        StepTrial trial = renewedAfterHalf(Client::A);
        trial.wait(trial.lease() * 3 / 4);
        if (isFree(trial)) {
            note(Pattern::UselessRenewal, "/renew");
        } else if (!isAnyNote(Pattern::NoExpiry) && !isAnyNote(Pattern::WrongLease)) {
            judgeLease("/renew", [this] { return renewedAfterHalf(Client::A); });
        }
    }

    /// A holds the lock, and half a lease later this client renews.
    StepTrial renewedAfterHalf(Client client)
    {
        StepTrial trial = heldBy(Client::A);
        trial.wait(trial.lease() / 2);
        renew(trial, client);
        return trial;
    }

    void tryToRenewAnothers()
    {
        StepTrial trial = renewedAfterHalf(Client::B);
        trial.wait(trial.lease() * 3 / 4);
        if (!isFree(trial)) {
            note(Pattern::RenewsAnybody, "/renew");
            return;
        }
        if (m_plan.renewCheck) {
            StepTrial late = heldBy(Client::A);
            late.wait(late.lease() / 2);
            late.runAlone(*m_plan.renew, Client::B);
            late.wait(late.lease() * 3 / 4);
            if (!isFree(late)) {
                note(Pattern::RenewalInTwoCommands, "/renew/check");
            }
        }
        StepTrial other = heldBy(Client::A);
        if (renew(other, Client::B).means(Meaning::Renewed)) {
            note(Pattern::UntruthfulRenewal, "/renew");
        }
    }

    void tryToRenewNothing()
    {
        StepTrial trial = freshTrial();
        const TrialAnswer answer = renew(trial, Client::A);
        if (!isFree(trial)) {
            note(Pattern::RevivesLock, "/renew");
        } else if (answer.means(Meaning::Renewed)) {
            note(Pattern::UntruthfulRenewal, "/renew");
        }
    }

    void lookAtTheWords()
    {
        for (const NamedStep& named : stepsOf(m_plan)) {
            if (sendsClientTime(*named.step)) {
                note(Pattern::ClientClock, named.path + "/args");
            }
            if (const auto line = lineOfUndeclaredKey(named.step->script)) {
                note(Pattern::UndeclaredKey, named.path);
                m_suspects.back().scriptLine = line;
            }
        }
    }

    static bool sendsClientTime(const OwnStep& step)
    {
        return std::ranges::any_of(step.arguments, [](const Word& word) {
            return std::ranges::find(word, protocol::BlankOrText(Blank::NowMs)) != word.end();
        });
    }

    const OwnLockPlan& m_plan;
    sim::LuaEngine& m_lua;
    std::vector<Suspect> m_suspects;
};

} // namespace

std::vector<Suspect> suspectsIn(const OwnLockPlan& plan, sim::LuaEngine& lua)
{
    return Suspicions(plan, lua).all();
}

} // namespace lockscope::lint
