#include "ui/models/lab/proof_draft.h"

#include "core/kernel/conduct/telling.h"
#include "core/kernel/exports/proof_run.h"
#include "core/kernel/report/release_call.h"
#include "ui/models/formatting.h"
#include "ui/models/typed_values.h"
#include "ui/models/ui_text.h"

#include <chrono>
#include <variant>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr Duration kLeaseMost = 24h;
constexpr Duration kBudgetLeast = 1s;
constexpr Duration kBudgetMost = 24h;

/// What is wrong with it; empty: it was read.
QString readSpan(const QString& text, Duration least, Duration most, Duration& value)
{
    const Typed<Duration> typed = typedSpan(text, least, most);
    if (const auto* const error = std::get_if<QString>(&typed)) {
        return *error;
    }
    value = std::get<Duration>(typed);
    return {};
}

QString quoted(const QString& text)
{
    return toQString(report::shellQuoted(text.toStdString()));
}

/// A real server has none.
int replicasOf(const ProofDraft& draft)
{
    return draft.usesRealServer ? 0 : draft.replicaCount;
}

/// What differs from what the command does without it.
QString optionsOf(const ProofDraft& draft)
{
    const ProofDraft usual;
    QString options;
    if (draft.lease.trimmed() != usual.lease) {
        options += u" --lease "_s + draft.lease.trimmed();
    }
    if (draft.clock != usual.clock) {
        options += u" --clock "_s + toQString(conduct::idOf(draft.clock));
    }
    if (draft.processCount != usual.processCount) {
        options += u" --processes "_s + QString::number(draft.processCount);
    }
    if (draft.serverCount != usual.serverCount) {
        options += u" --servers "_s + QString::number(draft.serverCount);
    }
    if (replicasOf(draft) != usual.replicaCount) {
        options += u" --replicas "_s + QString::number(draft.replicaCount);
    }
    if (draft.usesRealServer) {
        options += u" --server real"_s;
    }
    return options;
}

QString adapterOf(const ProofDraft& draft)
{
    return u" --adapter "_s + quoted(draft.command.trimmed());
}

QString promisesOf(const ProofDraft& draft)
{
    QString ids;
    for (const protocol::Promise promise : readProofDraft(draft).order.bounds.promises) {
        ids += (ids.isEmpty() ? u""_s : u","_s) + toQString(idOf(promise));
    }
    return u" --promises "_s + ids;
}

/// How far the search came, in a sentence.
QString reachOf(const conduct::Proof& proof)
{
    const QString runs = countText(proof.runCount);
    if (proof.stepsCovered < 1) {
        return UiText::tr("%1 runs were tried, not all that differ in one step.").arg(runs);
    }
    return proof.stepsCovered == 1
               ? UiText::tr("%1 runs were tried, among them all that differ in one step.").arg(runs)
               : UiText::tr("%1 runs were tried, among them all that differ in up to %2 steps.")
                     .arg(runs, countText(proof.stepsCovered));
}

/// What no promise speaks of.
QStringList remarksOn(const conduct::Proof& proof)
{
    QStringList lines;
    for (const conduct::Find& limit : proof.limits) {
        lines += UiText::tr("No mistake of the client, but the limit of every lease without a "
                            "fence: %1")
                     .arg(toQString(describe(limit)));
    }
    for (const conduct::AnsweredError& error : proof.errors) {
        lines += toQString(describe(error));
    }
    if (proof.ownEnd) {
        const QString text = proof.ownEnd->lastWords.empty()
                                 ? UiText::tr("%1. That happened in %2 runs.")
                                 : UiText::tr("%1. That happened in %2 runs. It wrote:");
        lines += text.arg(toQString(describe(*proof.ownEnd)), countText(proof.ownEndCount));
        for (const std::string& words : proof.ownEnd->lastWords) {
            lines += toQString(words);
        }
    }
    return lines;
}

bool wasOnRealServer(const conduct::Find& find, const service::ProofOutcome& outcome)
{
    return !outcome.realServer.empty() && find.realCount > 0;
}

QString threadsNote()
{
    return UiText::tr("The order of threads between two messages is not controlled.");
}

} // namespace

ParsedProof readProofDraft(const ProofDraft& draft)
{
    ParsedProof parsed;
    const QString command = draft.command.trimmed();
    if (command.isEmpty()) {
        parsed.commandError = UiText::tr("Enter the command that starts the adapter.");
    }
    service::ProofOrder& order = parsed.order;
    order.words = {"/bin/sh", "-c", "exec " + command.toStdString()};
    order.clock = draft.clock;
    order.processCount = draft.processCount;
    order.serverCount = draft.serverCount;
    order.replicaCount = replicasOf(draft);
    order.usesRealServer = draft.usesRealServer;
    parsed.leaseError = readSpan(draft.lease, Duration(0), kLeaseMost, order.lease);
    parsed.budgetError = readSpan(draft.budget, kBudgetLeast, kBudgetMost, order.budget);
    order.bounds.faults = conduct::possibleFaults();
    if (draft.asksForHonestLeases) {
        order.bounds.promises.push_back(protocol::Promise::LeaseHonesty);
    }
    return parsed;
}

QString proveCommand(const ProofDraft& draft)
{
    QString command = u"lockscope-cli prove"_s + optionsOf(draft);
    if (draft.budget.trimmed() != ProofDraft().budget) {
        command += u" --budget "_s + draft.budget.trimmed();
    }
    return command + (draft.asksForHonestLeases ? promisesOf(draft) : QString()) + adapterOf(draft);
}

QString replayCommand(const ProofDraft& draft, const conduct::Find& find)
{
    QString command = u"lockscope-cli prove"_s + optionsOf(draft) + u" --workload "_s
                      + toQString(find.workload.id) + u" --promises "_s
                      + toQString(idOf(find.breach.violation.promise));
    for (const conduct::Deviation& step : find.deviations) {
        command += u" --replay "_s + quoted(toQString(toText(step)));
    }
    return command + (find.deviations.empty() ? u" --deviations 0"_s : QString())
           + adapterOf(draft);
}

report::RunFile runOf(const ProofDraft& draft, const conduct::Find& find)
{
    report::RunFile run = exports::runFileOf(find, {draft.command.trimmed().toStdString()});
    run.command = replayCommand(draft, find).toStdString();
    return run;
}

std::vector<std::string> assumptionsOf(const conduct::Find& find,
                                       const service::ProofOutcome* outcome)
{
    QStringList lines{UiText::tr("Replayed %1 times; it showed %2 times.")
                          .arg(countText(find.replayCount), countText(find.replayHits))};
    if (outcome == nullptr) {
        lines += UiText::tr("The search was still going on: there may be a shorter way.");
    } else {
        if (wasOnRealServer(find, *outcome)) {
            lines += UiText::tr("On %1 it showed %2 of %3 times.")
                         .arg(toQString(outcome->realServer), countText(find.realHits),
                              countText(find.realCount));
        }
        lines += UiText::tr("The adapter knows %1.").arg(toQString(describe(outcome->traits)));
        lines += reachOf(outcome->proof);
        lines += remarksOn(outcome->proof);
    }
    lines += threadsNote();
    std::vector<std::string> assumptions;
    for (const QString& line : std::as_const(lines)) {
        assumptions.push_back(line.toStdString());
    }
    return assumptions;
}

QString proofStoryTitle(const conduct::Find& find, const service::ProofOutcome* outcome)
{
    QStringList parts{outcome == nullptr ? UiText::tr("Shortest so far") : UiText::tr("Story"),
                      UiText::tr("%1 of %2 replays")
                          .arg(countText(find.replayHits), countText(find.replayCount))};
    if (outcome != nullptr && wasOnRealServer(find, *outcome)) {
        parts += UiText::tr("%1 of %2 on %3")
                     .arg(countText(find.realHits), countText(find.realCount),
                          toQString(outcome->realServer));
    }
    return parts.join(u" · "_s);
}

QString proofTitle(const ProofDraft& draft, const conduct::Find& find)
{
    return UiText::tr("%1: %2").arg(draft.command.trimmed(),
                                    toQString(idOf(find.breach.violation.kind)));
}

ProofNotice noticeOf(const service::ProofOutcome& outcome, const service::ProofOrder& order)
{
    if (!outcome.mistake.empty()) {
        return {UiText::tr("The adapter does not work."), toQString(outcome.mistake)};
    }
    const conduct::Proof& proof = outcome.proof;
    QStringList lines{reachOf(proof)};
    if (proof.singles.planned > 0) {
        lines += toQString(proof.isTooLittle() ? shortfallOf(proof) : describe(proof.singles));
    }
    if (proof.troubleCount > 0) {
        lines += UiText::tr("%1 runs could not be carried out, the latest because %2.")
                     .arg(countText(proof.troubleCount), toQString(proof.latestTrouble));
    }
    lines += remarksOn(proof);
    lines += threadsNote();
    if (order.clock == conduct::ClientClock::Real) {
        lines += UiText::tr("The client had its own clock: leases took as long as they last.");
    }
    const QString text = proof.hasSeenNothing() ? UiText::tr("No run came to what it was to do.")
                         : proof.isTooLittle()
                             ? UiText::tr("No promise was broken, but too little was tried to say "
                                          "anything.")
                             : UiText::tr("No promise was broken within these runs. That does not "
                                          "mean that none can be.");
    return {text, lines.join(u'\n')};
}

QString dialogueExample(const ProofDraft& draft)
{
    Duration lease{0};
    readSpan(draft.lease, Duration(0), kLeaseMost, lease);
    return u"$ LOCKSCOPE_URL=redis://127.0.0.1:PORT/0 LOCKSCOPE_LEASE_MS=%1 %2\n"
           "< ready acquire release extend held reset\n"
           "> acquire t0 lock:1a\n"
           "< t0 yes\n"
           "> release t0 lock:1a\n"
           "< t0 yes"_s.arg(QString::number(toMs(lease)), draft.command.trimmed().isEmpty()
                                                              ? u"python3 adapter.py"_s
                                                              : draft.command.trimmed());
}

} // namespace lockscope::models
