#include "core/kernel/report/run/counterexample_file.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/protocol/file_section.h"
#include "core/kernel/report/run/world_plan_json.h"

#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace lockscope::report {

using protocol::FileError;
using protocol::FileFault;
using protocol::FileSection;

namespace {

constexpr std::string_view kCounterexampleFormat = "lockscope-counterexample";
constexpr int kExampleVersion = 1; // of this kind of file
constexpr std::size_t kStepsMax = 100'000;
constexpr std::size_t kDigestLength = 16;

std::optional<std::uint64_t> digestIn(std::string_view text)
{
    std::uint64_t digest = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), digest, 16);
    const bool isDigest = text.size() == kDigestLength && error == std::errc()
                          && end == text.data() + text.size();
    return isDigest ? std::optional(digest) : std::nullopt;
}

std::vector<world::Step> readSteps(const FileSection& file)
{
    const std::vector<std::string> texts = file.texts("steps");
    if (texts.empty() || texts.size() > kStepsMax) {
        file.fail("steps", KernelText::tr("From 1 to %1 steps are expected.", kStepsMax));
    }
    std::vector<world::Step> steps;
    for (const std::string& text : texts) {
        const auto step = world::parseStep(text);
        if (!step) {
            throw FileFault{file.pathOf("steps") + '/' + std::to_string(steps.size()),
                            KernelText::tr("Not a step; steps are written \"serve A 0 c\", "
                                           "\"advance\", \"late 0\" or \"pause A 0 c 0\".")};
        }
        steps.push_back(*step);
    }
    return steps;
}

void checkHead(const FileSection& file)
{
    if (file.text("format") != kCounterexampleFormat) {
        file.fail("format", KernelText::tr("Not a counterexample: \"%1\" is expected.",
                                           kCounterexampleFormat));
    }
    if (file.at("version") != kExampleVersion) {
        file.fail("version",
                  KernelText::tr("Only files of version %1 can be read.", kExampleVersion));
    }
}

CounterexampleFile readWhole(const nlohmann::json& root)
{
    const FileSection file(root, "",
                           {"format", "version", "engine", "protocol", "promise", "kind", "summary",
                            "digest", "plan", "steps"});
    checkHead(file);
    CounterexampleFile example;
    file.at("engine");
    example.engineRevision =
        file.number("engine", 1, std::numeric_limits<int>::max()).value_or(kEngineRevision);
    example.protocol = readSavedProtocol(file);
    example.promise = file.promise("promise");
    const auto kind = world::violationKindOf(file.text("kind"));
    if (!kind) {
        file.fail("kind", KernelText::tr("Unknown violation."));
    }
    example.kind = *kind;
    example.summary = file.textOr("summary", {});
    const auto digest = digestIn(file.text("digest"));
    if (!digest) {
        file.fail("digest", KernelText::tr("Sixteen hexadecimal digits are expected."));
    }
    example.digest = *digest;
    example.plan = readWorldPlan(file.at("plan"), file.pathOf("plan"));
    if (auto complaint = complaintAbout(example.plan, example.protocol.info())) {
        file.fail("plan", std::move(*complaint));
    }
    example.steps = readSteps(file);
    return example;
}

} // namespace

std::string digestText(std::uint64_t digest)
{
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text(kDigestLength, '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit, digest >>= 4) {
        *digit = kDigits[digest & 0xF];
    }
    return text;
}

std::string counterexampleText(const CounterexampleFile& example)
{
    Json json{{"format", kCounterexampleFormat},  {"version", kExampleVersion},
              {"engine", example.engineRevision}, {"protocol", savedProtocolJson(example.protocol)},
              {"promise", idOf(example.promise)}, {"kind", idOf(example.kind)}};
    if (!example.summary.empty()) {
        json["summary"] = example.summary;
    }
    json["digest"] = digestText(example.digest);
    json["plan"] = worldPlanJson(example.plan);
    json["steps"] = Json::array();
    for (const world::Step& step : example.steps) {
        json["steps"].push_back(world::toText(step));
    }
    return json.dump(2) + '\n';
}

std::variant<CounterexampleFile, FileError> readCounterexample(std::string_view text)
{
    CounterexampleFile example;
    auto error = protocol::readJsonFile(text, [&example](const nlohmann::json& root) {
        example = readWhole(root);
    });
    if (error) {
        return std::move(*error);
    }
    return example;
}

} // namespace lockscope::report
