#include "app/cli/session/proof_run.h"

#include "app/cli/exit_code.h"
#include "app/cli/output/prove_text.h"
#include "app/cli/output/run_outputs.h"
#include "app/cli/session/prove_session.h"
#include "core/kernel/conduct/telling.h"
#include "core/kernel/exports/proof_run.h"
#include "core/kernel/report/proof_json.h"
#include "core/kernel/report/release_call.h"

#include <algorithm>
#include <utility>

namespace lockscope::cli {

namespace {

std::string shown(const ProveOrder& order, const service::ProofOutcome& outcome, Format format,
                  Duration elapsed)
{
    switch (format) {
    case Format::Json:
        return report::proofJson(outcome.proof, outcome.traits, outcome.realServer).dump(2) + '\n';
    case Format::Junit: return report::proofJunit(outcome.proof, order.proof.words);
    default: return proveText(order.proof, outcome, elapsed);
    }
}

report::ProofFile fileOf(const ProveOrder& order, const conduct::Find& find)
{
    report::ProofFile file;
    file.adapter = order.proof.words;
    file.lease = order.proof.lease;
    file.clock = order.proof.clock;
    file.workload = find.workload.id;
    file.processCount = order.proof.processCount;
    file.serverCount = order.proof.serverCount;
    file.replicaCount = order.proof.replicaCount;
    file.schedule = find.deviations;
    file.promise = find.breach.violation.promise;
    file.kind = find.breach.violation.kind;
    file.summary = describe(find);
    return file;
}

/// The shortest find, in the files that are asked for. What went wrong in one sentence; empty:
/// nothing.
std::string keepFind(const ProveOrder& order, const conduct::Proof& proof)
{
    if (proof.bugs.empty()) {
        return {};
    }
    const conduct::Find& find = *std::ranges::min_element(proof.bugs, {},
                                                          &conduct::Find::stepCount);
    std::string complaint;
    if (!order.saveFile.empty()) {
        complaint = written(order.saveFile, report::proofFileText(fileOf(order, find)), "the find");
    }
    if (!complaint.empty() || order.outputs.isEmpty()) {
        return complaint;
    }
    report::RunFile run = exports::runFileOf(find, order.proof.words);
    if (!order.saveFile.empty()) {
        run.command = "lockscope-cli replay " + report::shellQuoted(order.saveFile) + " -- "
                      + report::shellQuoted(order.proof.words);
    }
    return writeOutputs(order.outputs, run);
}

int exitCodeOf(const conduct::Proof& proof)
{
    return proof.hasSeenNothing() ? ExitUnknown
           : !proof.bugs.empty()  ? ExitPromiseBroken
           : proof.isTooLittle()  ? ExitNotEnough
                                  : ExitDone;
}

} // namespace

async::Task<int> runProof(Context context, ProveOrder order, Format format)
{
    const Instant begin = context.clock.now();
    ProveSession session(context, order.proof);
    co_await session.ended();
    const service::ProofOutcome& outcome = session.outcome();
    if (!outcome.mistake.empty()) {
        context.output.complain((order.proof.isProgram ? "the program does not work: "
                                                       : "the adapter does not work: ")
                                + outcome.mistake);
        co_return ExitBadArguments;
    }
    if (session.signalNumber() != 0) {
        context.output.complain("interrupted: the results so far follow");
    }
    context.output.print(shown(order, outcome, format, context.clock.now() - begin));
    const std::string complaint = keepFind(order, outcome.proof);
    if (!complaint.empty()) {
        context.output.complain(complaint);
        co_return ExitBadArguments;
    }
    co_return session.signalNumber() != 0 ? ExitBySignal + session.signalNumber()
                                          : exitCodeOf(outcome.proof);
}

ProveOrder orderOf(const report::ProofFile& proof, std::vector<std::string> words)
{
    ProveOrder order;
    order.proof.words = std::move(words);
    order.proof.lease = proof.lease;
    order.proof.clock = proof.clock;
    order.proof.isProgram = proof.workload == conduct::kProgramsId;
    order.proof.workload = order.proof.isProgram ? std::string() : proof.workload;
    order.proof.processCount = proof.processCount;
    order.proof.serverCount = proof.serverCount;
    order.proof.replicaCount = proof.replicaCount;
    order.proof.bounds.schedule = proof.schedule;
    order.proof.bounds.promises = {proof.promise};
    return order;
}

} // namespace lockscope::cli
