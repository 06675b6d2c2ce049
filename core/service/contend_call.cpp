#include "contend_call.h"

#include "base/duration_text.h"
#include "report/wording.h"

#include <array>
#include <cstdio>

namespace lockscope::service {

using workload::Scenario;

namespace {

constexpr int kUsualThreadCount = 2;

std::string shareWord(double share)
{
    std::array<char, 32> word{};
    std::snprintf(word.data(), word.size(), "%g%%", share * 100);
    return word.data();
}

std::string periodWord(Duration period)
{
    return period > Duration(0) ? durationWord(period) : "off";
}

class CommandLine {
public:
    void add(std::string_view option, std::string_view value)
    {
        m_text.append(" --").append(option).append(" ").append(report::shellQuoted(value));
    }
    void add(std::string_view option, std::uint64_t number) { add(option, std::to_string(number)); }
    template<class Value>
    void addUnless(bool isDefault, std::string_view option, const Value& value)
    {
        if (!isDefault) {
            add(option, value);
        }
    }
    const std::string& text() const { return m_text; }

private:
    std::string m_text = "lockscope-cli contend";
};

/// The longest pause as --retry-max takes it: the first one where they are all alike.
Duration longestPause(const protocol::Retry& retry)
{
    return retry.kind == protocol::Retry::Kind::Exponential ? retry.intervalMax : retry.interval;
}

void addRetry(CommandLine& line, const protocol::Retry& retry, const protocol::Retry& usual)
{
    line.addUnless(retry.interval == usual.interval, "retry", durationWord(retry.interval));
    const bool isUsualKind = retry.kind == usual.kind;
    const bool isFixed = retry.kind == protocol::Retry::Kind::Fixed;
    line.addUnless(isUsualKind && (isFixed || retry.intervalMax == usual.intervalMax), "retry-max",
                   durationWord(longestPause(retry)));
    line.addUnless(retry.jitter == usual.jitter, "jitter", durationWord(retry.jitter));
    line.addUnless(retry.triesMax == usual.triesMax, "tries",
                   static_cast<std::uint64_t>(retry.triesMax.value_or(0)));
}

void addFaults(CommandLine& line, const Scenario& scenario)
{
    line.addUnless(scenario.crashProbability == 0, "crash", shareWord(scenario.crashProbability));
    line.addUnless(scenario.pauseProbability == 0, "pause", shareWord(scenario.pauseProbability));
    const bool isPauseUsual = scenario.pauseProbability == 0 || scenario.pauseFor == Duration(0);
    line.addUnless(isPauseUsual, "pause-for", durationWord(scenario.pauseFor));
}

void addScenario(CommandLine& line, const Scenario& scenario, const Scenario& usual)
{
    const auto addNumber = [&line](int value, int usualValue, std::string_view option) {
        line.addUnless(value == usualValue, option, static_cast<std::uint64_t>(value));
    };
    line.addUnless(scenario.kind == usual.kind, "kind", workload::idOf(scenario.kind));
    addNumber(scenario.keyCount, usual.keyCount, "keys");
    line.addUnless(scenario.think == usual.think, "think", workload::toText(scenario.think));
    line.addUnless(scenario.hold == usual.hold, "hold", workload::toText(scenario.hold));
    line.addUnless(scenario.lease == usual.lease, "lease", durationWord(scenario.lease));
    line.addUnless(scenario.waitLimit == usual.waitLimit, "wait", durationWord(scenario.waitLimit));
    addRetry(line, scenario.retry, usual.retry);
    line.addUnless(scenario.renewal.period == usual.renewal.period, "renew",
                   periodWord(scenario.renewal.period));
    line.addUnless(scenario.readShare == usual.readShare, "read-share",
                   shareWord(scenario.readShare));
    addNumber(scenario.reentryDepth, usual.reentryDepth, "depth");
    addNumber(scenario.permits, usual.permits, "permits");
    addFaults(line, scenario);
}

} // namespace

std::string contendCall(const LiveRunOrder& order, std::string_view protocolFile)
{
    const Scenario& scenario = order.scenario;
    const protocol::ProtocolInfo& info = order.protocol->info();
    CommandLine line;
    line.addUnless(protocolFile.empty(), "protocol-file", protocolFile);
    line.add("protocol", info.id);
    line.add("clients", static_cast<std::uint64_t>(scenario.contenderCount));
    line.add("for", durationWord(scenario.duration));
    addScenario(line, scenario, Scenario::withDefaults(info));
    line.addUnless(order.threadCount == kUsualThreadCount, "threads",
                   static_cast<std::uint64_t>(order.threadCount));
    line.add("seed", scenario.seed);
    if (order.servers.empty()) {
        line.add("private", static_cast<std::uint64_t>(order.privateServerCount));
    }
    for (const store::Endpoint& server : order.servers) {
        line.add("url", store::toUrl(server));
    }
    return line.text();
}

} // namespace lockscope::service
