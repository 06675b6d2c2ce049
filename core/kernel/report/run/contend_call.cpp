#include "core/kernel/report/run/contend_call.h"

#include "core/kernel/report/wording.h"
#include "core/kernel/workload/run_parameters.h"

#include <algorithm>
#include <array>

namespace lockscope::report {

using workload::RunParameter;
using workload::Scenario;

namespace {

constexpr int kUsualThreadCount = 2;
/// Said even where they are as usual: they are what a run is about.
constexpr std::array<std::string_view, 3> kAlwaysSaid{"clients", "for", "seed"};

class CommandLine {
public:
    void add(std::string_view option, std::string_view value)
    {
        m_text.append(" --").append(option).append(" ").append(shellQuoted(value));
    }
    void add(std::string_view option, int number) { add(option, std::to_string(number)); }

    void addUnlessUsual(const RunParameter& parameter, const Scenario& scenario,
                        const Scenario& usual)
    {
        const bool isImplied = parameter.isImplied != nullptr
                                   ? parameter.isImplied(scenario, usual)
                                   : parameter.text(scenario) == parameter.text(usual);
        if (!isImplied || std::ranges::find(kAlwaysSaid, parameter.id) != kAlwaysSaid.end()) {
            add(parameter.id, parameter.text(scenario));
        }
    }

    const std::string& text() const { return m_text; }

private:
    std::string m_text = "lockscope-cli contend";
};

} // namespace

std::string contendCall(const workload::LiveRunOrder& order, std::string_view protocolFile)
{
    const protocol::ProtocolInfo& info = order.protocol->info();
    CommandLine line;
    if (!protocolFile.empty()) {
        line.add("protocol-file", protocolFile);
    }
    line.add("protocol", info.id);
    const Scenario usual = Scenario::withDefaults(info);
    for (const RunParameter& parameter : workload::runParameters()) {
        if (parameter.appliesTo == nullptr || parameter.appliesTo(info)) {
            line.addUnlessUsual(parameter, order.scenario, usual);
        }
    }
    if (order.threadCount != kUsualThreadCount) {
        line.add("threads", order.threadCount);
    }
    if (order.servers.empty()) {
        line.add("private", order.privateServerCount);
    }
    for (const store::Endpoint& server : order.servers) {
        line.add("url", store::toUrl(server));
    }
    return line.text();
}

} // namespace lockscope::report
