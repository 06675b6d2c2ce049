#include "core/kernel/report/run/proof_file.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/protocol/file_section.h"
#include "core/kernel/report/json_text.h"

#include <tuple>
#include <utility>

namespace lockscope::report {

using protocol::FileError;
using protocol::FileFault;
using protocol::FileSection;

namespace {

constexpr std::string_view kProofFormat = "lockscope-proof";
constexpr int kProofVersion = 1;          // of this kind of file
constexpr int kCountMax = 9;              // of processes, servers and replicas
constexpr std::size_t kProofHead = 1'000; // the format is named within so many bytes

std::vector<conduct::Deviation> scheduleIn(const FileSection& file)
{
    std::vector<conduct::Deviation> schedule;
    for (const std::string& text : file.texts("schedule")) {
        const auto step = conduct::parseDeviation(text);
        if (!step) {
            throw FileFault{file.pathOf("schedule") + '/' + std::to_string(schedule.size()),
                            KernelText::tr("Not a step of a schedule; steps are written "
                                           "\"kill-after A 0 0 in-time 1 SETNX\".")};
        }
        schedule.push_back(*step);
    }
    return schedule;
}

ProofFile readWholeProof(const nlohmann::json& root)
{
    const FileSection file(root, "",
                           {"format", "version", "adapter", "lease", "clock", "workload",
                            "processes", "servers", "replicas", "promise", "kind", "summary",
                            "schedule"});
    if (file.text("format") != kProofFormat) {
        file.fail("format",
                  KernelText::tr("Not a find of prove: \"%1\" is expected.", kProofFormat));
    }
    if (file.at("version") != kProofVersion) {
        file.fail("version",
                  KernelText::tr("Only files of version %1 can be read.", kProofVersion));
    }
    ProofFile proof;
    proof.adapter = file.texts("adapter");
    proof.lease = file.durationOr("lease", Duration(0));
    const auto clock = conduct::clientClockOf(file.text("clock"));
    if (!clock) {
        file.fail("clock", KernelText::tr("The clock is virtual, flowing or real."));
    }
    proof.clock = *clock;
    proof.workload = file.text("workload");
    proof.processCount = file.number("processes", 2, kCountMax).value_or(proof.processCount);
    proof.serverCount = file.number("servers", 1, kCountMax).value_or(proof.serverCount);
    proof.replicaCount = file.number("replicas", 0, kCountMax).value_or(proof.replicaCount);
    proof.promise = file.promise("promise");
    const auto kind = world::violationKindOf(file.text("kind"));
    if (!kind) {
        file.fail("kind", KernelText::tr("Unknown violation."));
    }
    proof.kind = *kind;
    proof.summary = file.textOr("summary", {});
    proof.schedule = scheduleIn(file);
    return proof;
}

} // namespace

std::string proofFileText(const ProofFile& proof)
{
    Json schedule = Json::array();
    for (const conduct::Deviation& step : proof.schedule) {
        schedule.push_back(toText(step));
    }
    Json json{{"format", kProofFormat},         {"version", kProofVersion},
              {"adapter", proof.adapter},       {"lease", durationWord(proof.lease)},
              {"clock", idOf(proof.clock)},     {"workload", proof.workload},
              {"promise", idOf(proof.promise)}, {"kind", idOf(proof.kind)},
              {"schedule", std::move(schedule)}};
    const ProofFile usual;
    for (const auto& [name, own, other] :
         {std::tuple("processes", proof.processCount, usual.processCount),
          std::tuple("servers", proof.serverCount, usual.serverCount),
          std::tuple("replicas", proof.replicaCount, usual.replicaCount)}) {
        if (own != other) {
            json[name] = own;
        }
    }
    if (!proof.summary.empty()) {
        json["summary"] = proof.summary;
    }
    return json.dump(2) + '\n';
}

std::variant<ProofFile, FileError> readProofFile(std::string_view text)
{
    ProofFile proof;
    auto error = protocol::readJsonFile(text, [&proof](const nlohmann::json& root) {
        proof = readWholeProof(root);
    });
    if (error) {
        return std::move(*error);
    }
    return proof;
}

bool isProofFile(std::string_view text)
{
    return text.substr(0, kProofHead).find('"' + std::string(kProofFormat) + '"')
           != std::string_view::npos;
}

} // namespace lockscope::report
