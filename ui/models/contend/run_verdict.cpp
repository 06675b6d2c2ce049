#include "ui/models/contend/run_verdict.h"

#include "core/kernel/protocol/error_reply.h"
#include "core/kernel/report/run/run_verdicts.h"
#include "ui/models/contend/latency_text.h"
#include "ui/models/contend/run_tiles.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QStringList>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using search::Harm;
using trace::RunStatistics;
using workload::LiveRunProgress;
using workload::Scenario;
using RunKind = Scenario::Kind;
using Phase = LiveRunProgress::Phase;

namespace {

constexpr qsizetype kKeysNamed = 3;

QString counted(std::uint64_t count, const QString& one, const QString& several)
{
    return count == 1 ? one : several.arg(countText(count));
}

/// A run, and the sentences about it.
class Judge {
public:
    Judge(const LiveRunProgress& progress, const Scenario& scenario,
          const protocol::ProtocolInfo& info)
        : m_progress(progress),
          m_statistics(progress.statistics),
          m_scenario(scenario),
          m_info(info)
    {}

    report::Verdict verdict() const
    {
        if (m_progress.phase == Phase::Failed) {
            return {2,
                    UiText::tr("The run was aborted").toStdString(),
                    store::explain(m_progress.problem),
                    {}};
        }
        report::Verdict verdict = hasBrokenPromise() ? ofBreak() : ofOrder();
        if (!verdict.headline.empty() && isOver()) {
            addLeftovers(verdict);
        }
        return verdict;
    }

    std::vector<Harm> harms() const
    {
        std::vector<Harm> harms;
        const auto note = [&harms](bool hasHappened, Harm harm) {
            if (hasHappened) {
                harms.push_back(harm);
            }
        };
        note(m_statistics.overlaps > 0 || hasTooManyWinners(), Harm::TwoHolders);
        note(isOver() && m_scenario.kind != RunKind::Draw
                 && !report::stuckKeys(m_progress.leftBehind, m_info).empty(),
             Harm::Stuck);
        note(m_statistics.wrongReleases > 0, Harm::WrongRelease);
        note(isOver() && m_scenario.kind == RunKind::Contention && m_statistics.acquisitions > 0
                 && isAnyStarved(m_statistics, m_scenario.contenderCount),
             Harm::Unfair);
        return harms;
    }

private:
    bool isOver() const { return m_progress.phase == Phase::Finished; }
    std::uint64_t allowedWinners() const
    {
        return static_cast<std::uint64_t>(m_scenario.keyCount)
               * static_cast<std::uint64_t>(m_scenario.permits);
    }
    bool hasTooManyWinners() const
    {
        return m_scenario.kind == RunKind::Draw && m_statistics.acquisitions > allowedWinners();
    }
    bool hasBrokenPromise() const
    {
        return m_statistics.overlaps > 0 || m_statistics.wrongReleases > 0 || hasTooManyWinners();
    }

    report::Verdict ofBreak() const
    {
        QStringList counts;
        QStringList reasons;
        if (hasTooManyWinners()) {
            counts += UiText::tr("%1 winners instead of %2")
                          .arg(countText(m_statistics.acquisitions), countText(allowedWinners()));
            reasons += UiText::tr("Several instances believe they won.");
        }
        if (m_statistics.overlaps > 0) {
            counts += counted(m_statistics.overlaps, UiText::tr("1 overlap"),
                              UiText::tr("%1 overlaps"));
            reasons += UiText::tr("Two holders were inside at the same time: each could overwrite "
                                  "the work of the other.");
        }
        if (m_statistics.wrongReleases > 0) {
            counts += counted(m_statistics.wrongReleases, UiText::tr("1 wrong release"),
                              UiText::tr("%1 wrong releases"));
            reasons += UiText::tr("A late holder removed the lock of the next holder.");
        }
        if (!m_info.flaw.empty()) {
            reasons += UiText::tr("Known flaw: %1").arg(toQString(m_info.flaw));
        }
        return {2, listed(counts).toStdString(), reasons.join(u' ').toStdString(),
                doubt().toStdString()};
    }

    /// How the finding could be read wrongly.
    QString doubt() const
    {
        if (!promisesExclusion(m_info)) {
            return UiText::tr("This protocol does not promise mutual exclusion.");
        }
        if (m_scenario.pauseProbability > 0) {
            return UiText::tr(
                "Holders were paused beyond their lease. A lock that expires cannot guarantee "
                "exclusion in this case; only fencing at the resource can.");
        }
        return {};
    }

    report::Verdict ofOrder() const
    {
        if (!isOver()) {
            return {};
        }
        switch (m_scenario.kind) {
        case RunKind::Contention: return ofContention();
        case RunKind::HotStandby: return ofHotStandby();
        case RunKind::Draw: return ofDraw();
        }
        return {};
    }

    report::Verdict ofContention() const
    {
        if (m_statistics.acquisitions == 0) {
            return nobody();
        }
        QString headline = UiText::tr("%1 acquisitions in %2, no overlap")
                               .arg(countText(m_statistics.acquisitions),
                                    latencyText(m_progress.elapsed));
        if (m_statistics.neverGranted > 0) {
            headline += UiText::tr("; %1 of %2 contenders never acquired the lock")
                            .arg(countText(m_statistics.neverGranted),
                                 countText(m_scenario.contenderCount));
        }
        return {isAnyStarved(m_statistics, m_scenario.contenderCount) ? 1 : 0,
                headline.toStdString(),
                remarks().join(u' ').toStdString(),
                {}};
    }

    report::Verdict ofHotStandby() const
    {
        const trace::Histogram& takeover = m_statistics.takeover;
        if (m_statistics.acquisitions == 0) {
            return nobody();
        }
        if (takeover.count() == 0) {
            return {1,
                    UiText::tr("No takeover occurred").toStdString(),
                    UiText::tr("The first holder worked until the end of the run. Run longer, or "
                               "reduce its work.")
                        .toStdString(),
                    {}};
        }
        const QString headline = UiText::tr("%1 takeovers in at most %2, no overlap")
                                     .arg(countText(takeover.count()), latencyText(takeover.max()));
        const QString reason = UiText::tr("The median takeover took %1. It depends on the lease "
                                          "(%2) and on how often the others retry (every %3).")
                                   .arg(latencyText(takeover.quantile(0.5)),
                                        latencyText(m_scenario.lease),
                                        latencyText(m_scenario.retry.interval));
        return {0, headline.toStdString(), reason.toStdString(), {}};
    }

    report::Verdict ofDraw() const
    {
        if (m_statistics.acquisitions == 0) {
            return nobody();
        }
        const QString headline = UiText::tr("%1 of %2 won, as expected")
                                     .arg(countText(m_statistics.acquisitions),
                                          countText(m_scenario.contenderCount));
        return {0, headline.toStdString(), {}, {}};
    }

    report::Verdict nobody() const
    {
        const std::string untested = report::untestedText(m_statistics, m_progress.refusal);
        const std::string nothing = report::nothingTestedText();
        if (m_progress.refusal && untested.size() > nothing.size()) {
            return {
                2, nothing.substr(0, nothing.size() - 1), untested.substr(nothing.size() + 1), {}};
        }
        const bool isServerSilent = m_statistics.unavailable + m_statistics.uncertain > 0;
        const QString reason = isServerSilent
                                   ? UiText::tr("%1 requests did not reach the server.")
                                         .arg(countText(m_statistics.unavailable
                                                        + m_statistics.uncertain))
                                   : UiText::tr("Every attempt was refused: another owner holds "
                                                "the lock, or it was left behind.");
        return {1,
                nothing.substr(0, nothing.size() - 1), // headlines have no stop
                reason.toStdString(),
                {}};
    }

    QStringList remarks() const
    {
        QStringList remarks;
        if (m_progress.elapsed < m_scenario.duration * 99 / 100) {
            remarks += UiText::tr("Stopped early.");
        }
        if (isAnyStarved(m_statistics, m_scenario.contenderCount)) {
            remarks += UiText::tr("Contenders that wait are passed over again and again.");
        }
        if (m_statistics.errors > 0) {
            remarks += errorsText();
        }
        if (m_statistics.losses > 0) {
            remarks += counted(m_statistics.losses,
                               UiText::tr("One holder learned that its lock was lost."),
                               UiText::tr("%1 holders learned that their lock was lost."));
        }
        if (m_statistics.rejectedEffects > 0) {
            remarks += UiText::tr("Fencing rejected %1 late effects.")
                           .arg(countText(m_statistics.rejectedEffects));
        }
        return remarks;
    }

    QString errorsText() const
    {
        const QString text = counted(m_statistics.errors,
                                     UiText::tr("The server answered one request with an error."),
                                     UiText::tr("The server answered %1 requests with an error."));
        const bool isKnown = m_progress.refusal && protocol::isErrorReply(*m_progress.refusal);
        return isKnown
                   ? text + u' '
                         + UiText::tr("The first: %1").arg(bytesText(m_progress.refusal->detail))
                   : text;
    }

    void addLeftovers(report::Verdict& verdict) const
    {
        const auto& left = m_progress.leftBehind;
        if (left.empty() || m_scenario.kind == RunKind::Draw) {
            return; // of a draw, what was won is never given back
        }
        QStringList names;
        for (const auto& [key, hasExpiry] : left) {
            if (names.size() == kKeysNamed) {
                names += u"…"_s;
                break;
            }
            names += bytesText(key);
        }
        const bool isAskedFor = m_statistics.crashes > 0;
        const QString sentence =
            isAskedFor
                ? UiText::tr("Left behind by crashed holders: %1.").arg(listed(names))
                : UiText::tr("Left behind although no holder crashed: %1.").arg(listed(names));
        verdict.severity = std::max(verdict.severity, 1);
        if (!verdict.reason.empty()) {
            verdict.reason += ' ';
        }
        verdict.reason += sentence.toStdString();
        if (!report::stuckKeys(left, m_info).empty()) {
            verdict.reason += ' ';
            verdict.reason += UiText::tr("They have no expiry and block forever.").toStdString();
        }
    }

    const LiveRunProgress& m_progress;
    const RunStatistics& m_statistics;
    const Scenario& m_scenario;
    const protocol::ProtocolInfo& m_info;
};

} // namespace

bool promisesExclusion(const protocol::ProtocolInfo& info)
{
    return info.claimsPromise(protocol::Promise::MutualExclusion)
           || info.claimsPromise(protocol::Promise::ReadWriteExclusion);
}

std::vector<Harm> harmsIn(const LiveRunProgress& progress, const Scenario& scenario,
                          const protocol::ProtocolInfo& info)
{
    return Judge(progress, scenario, info).harms();
}

report::Verdict runVerdict(const LiveRunProgress& progress, const Scenario& scenario,
                           const protocol::ProtocolInfo& info)
{
    return Judge(progress, scenario, info).verdict();
}

QString verdictWords(const LiveRunProgress& progress, const Scenario& scenario,
                     const protocol::ProtocolInfo& info)
{
    QStringList words;
    for (const Harm harm : harmsIn(progress, scenario, info)) {
        words += toQString(search::nameOf(harm));
    }
    if (!words.isEmpty()) {
        return listed(words);
    }
    return progress.statistics.acquisitions > 0 ? UiText::tr("nothing broke")
                                                : UiText::tr("no acquisition");
}

} // namespace lockscope::models
