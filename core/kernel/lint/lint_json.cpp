#include "core/kernel/lint/lint_json.h"

namespace lockscope::lint {

using report::CellReport;
using report::Json;

namespace {

Json proofJson(const Proof& proof)
{
    const search::PromiseResult& result = proof.verdict->result;
    return Json{{"promise", protocol::idOf(result.promise)},
                {"promised", result.isPromised},
                {"kind", world::idOf(result.finding->violation.kind)},
                {"fault", proof.cell->faultName()},
                {"length", proof.length()},
                {"plan", proof.verdict->plan.name},
                {"summary", proofText(proof)},
                {"story", report::textsOf(proof.verdict->story)}};
}

Json findingJson(const LintFinding& finding)
{
    const Suspect& suspect = finding.suspect;
    return Json{{"pattern", idOf(suspect.pattern)},
                {"line", finding.place.line},
                {"column", finding.place.column},
                {"member", suspect.path},
                {"answer", suspect.detail.empty() ? Json(nullptr) : Json(suspect.detail)},
                {"text", sentenceFor(suspect.pattern)},
                {"remedy", remedyFor(suspect.pattern)},
                {"proof", finding.proof ? proofJson(*finding.proof) : Json(nullptr)}};
}

} // namespace

Json lintJson(const protocol::ProtocolInfo& info, const Lint& lint,
              std::span<const CellReport> cells)
{
    const search::Coverage coverage = report::coverageOf(cells);
    Json json{{"protocol", info.id},
              {"schedules", coverage.schedules},
              {"states", coverage.states},
              {"complete", coverage.isComplete}};
    json["faults"] = Json::array();
    for (const CellReport& cell : cells) {
        if (cell.isApplicable) {
            json["faults"].push_back(cell.faultName());
        }
    }
    json["patterns"] = Json::array();
    for (const LintFinding& finding : lint.findings) {
        json["patterns"].push_back(findingJson(finding));
    }
    json["otherBreaks"] = Json::array();
    for (const Proof& proof : lint.otherBreaks) {
        json["otherBreaks"].push_back(proofJson(proof));
    }
    return json;
}

} // namespace lockscope::lint
