#include "app/cli/options/lock_acquisition.h"

#include "core/kernel/base/duration_text.h"

namespace lockscope::cli {

using app::ArgumentError;
using protocol::Mode;
using protocol::ProtocolInfo;
using workload::Scenario;

namespace {

constexpr std::string_view kUsualProtocol = "set-nx-px-token";
constexpr std::string_view kUsualForSeveralServers = "redlock";

/// --key KEY, or the operand where there is one.
Bytes keyOf(const std::optional<std::string>& option, const Operands& operands)
{
    if (option && !operands.words.empty()) {
        throw ArgumentError{"the key is specified twice, with --key and without"};
    }
    if (!option && operands.words.empty()) {
        throw ArgumentError{"--key KEY is missing: the lock to acquire"};
    }
    Bytes key = cli::keyOf(option ? *option : operands.first(), "--key");
    if (key.empty()) {
        throw ArgumentError{"--key: the name of the key is empty"};
    }
    return key;
}

Mode modeOf(std::optional<Mode> typed, const ProtocolInfo& info)
{
    if (typed && !info.hasModes) {
        throw ArgumentError{"--mode: " + info.id + " has no readers, only exclusive holders"};
    }
    return info.hasModes ? typed.value_or(Mode::Write) : Mode::Exclusive;
}

} // namespace

void LockAcquisitionOptions::declare(app::OptionSet& options)
{
    options.addText("key", "KEY", m_key, "Key of the lock. May contain bytes as \\xNN.");
    options.addText("protocol", "ID", m_choice.id,
                    "Protocol (set-nx-px-token; with several --url: redlock), listed by\n"
                    "\"lockscope-cli protocols\", or the file of a custom one.");
    options.addText("protocol-file", "FILE", m_choice.file, kProtocolFileHelp);
    m_options.declare(options, {"lease", "wait", "retry", "retry-max", "jitter", "tries", "renew",
                                "permits"});
    options.addChoice<std::optional<Mode>, Mode>("mode", m_mode,
                                                 {{"read", Mode::Read}, {"write", Mode::Write}},
                                                 "For protocols with readers and writers (write).");
}

LockAcquisition LockAcquisitionOptions::acquisition(const Operands& operands) const
{
    LockAcquisition acquisition;
    acquisition.protocol = chosenProtocol(m_choice,
                                          operands.serverCount > 1 ? kUsualForSeveralServers
                                                                   : kUsualProtocol,
                                          operands.serverCount);
    const ProtocolInfo& info = acquisition.protocol->info();
    Scenario scenario = Scenario::withDefaults(info);
    scenario.waitLimit = Duration(0);
    scenario.renewal = workload::renewalFor(info, scenario.lease);
    acquisition.request = protocol::LockRequest::withDefaults(info, keyOf(m_key, operands));
    m_options.applyTo(scenario, info);
    acquisition.request.lease = scenario.lease;
    acquisition.request.waitLimit = scenario.waitLimit;
    acquisition.request.retry = scenario.retry;
    acquisition.request.permits = scenario.permits;
    acquisition.request.mode = modeOf(m_mode, info);
    acquisition.renewal = scenario.renewal;
    const Duration period = acquisition.renewal.period;
    if (info.hasExpiry && acquisition.renewal.isOn() && period >= scenario.lease
        && isRenewalTyped()) {
        throw ArgumentError{"--renew: a renewal every " + durationWord(period)
                            + " comes too late for a lease of " + durationWord(scenario.lease)};
    }
    if (scenario.permits > 1 && !info.hasPermits) {
        throw ArgumentError{"--permits: " + info.id
                            + " has one holder at a time; semaphore has several"};
    }
    return acquisition;
}

} // namespace lockscope::cli
