#include "core/kernel/base/kernel_text.h"
#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/file_section.h"
#include "protocol_descriptions.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace lockscope::protocol::builtin {

namespace {

using nlohmann::json;

constexpr std::pair<std::string_view, Condition> kConditions[] = {
    {"holder-in-time", Condition::HolderInTime},
    {"durable-writes", Condition::DurableWrites},
    {"equal-clock-rates", Condition::EqualClockRates},
    {"synchronised-clocks", Condition::SynchronisedClocks},
    {"steady-server-clock", Condition::SteadyServerClock},
    {"nobody-dies", Condition::NobodyDies},
    {"nobody-hangs", Condition::NobodyHangs},
    {"nothing-lost", Condition::NothingLost},
    {"own-identity", Condition::OwnIdentity},
    {"equal-leases", Condition::EqualLeases},
    {"readers-pause", Condition::ReadersPause},
    {"majority-reachable", Condition::MajorityReachable},
    {"own-release", Condition::OwnRelease},
};

Condition conditionNamed(const std::string& id)
{
    const auto* const found = std::ranges::find(kConditions, id,
                                                &std::pair<std::string_view, Condition>::first);
    if (found == std::end(kConditions)) {
        throw std::invalid_argument("unknown condition " + id);
    }
    return found->second;
}

Claim readClaim(const json& entry)
{
    Claim claim{promiseNamed(entry.at("promise").get<std::string>()).value(), {}};
    if (entry.contains("asLongAs")) { // looked up where it is shown
        claim.assuming = entry.at("asLongAs").get_ref<const std::string&>();
    }
    for (const json& id : entry.value("assumes", json::array())) {
        claim.conditions |= conditionNamed(id.get<std::string>());
    }
    return claim;
}

/// By id. They are part of the program, so whatever is wrong with one may throw.
std::map<std::string, json> readTexts()
{
    std::map<std::string, json> files;
    for (const std::string_view text : descriptions::kAll) {
        json file = json::parse(text);
        files.emplace(file.at("id").get<std::string>(), std::move(file));
    }
    return files;
}

} // namespace

ProtocolInfo descriptionOf(const std::string& id)
{
    static const std::map<std::string, json> kFiles = readTexts(); // claims refer to its texts
    const json& file = kFiles.at(id);
    ProtocolInfo info;
    info.id = id;
    const auto textOf = [&file](const char* member) {
        return KernelText::lookUp(file.value(member, std::string()));
    };
    info.title = textOf("title");
    info.summary = textOf("summary");
    info.flaw = textOf("flaw");
    for (const json& claim : file.at("promises")) {
        info.claims.push_back(readClaim(claim));
    }
    return info;
}

} // namespace lockscope::protocol::builtin
