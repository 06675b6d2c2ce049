#include "core/kernel/workload/run_parameters.h"

#include "core/kernel/base/duration_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <limits>
#include <system_error>

namespace lockscope::workload {

using protocol::ProtocolInfo;
using protocol::Renewal;
using protocol::Retry;
using namespace std::chrono_literals;

namespace {

using Count = RunParameter::Count;
using Span = RunParameter::Span;
using RetrySpan = RunParameter::RetrySpan;
using Share = RunParameter::Share;
using Spread = RunParameter::Spread;
using Special = RunParameter::Special;

constexpr Duration kSpanMin = 1ms; // of leases, and of pauses between attempts and renewals
constexpr Duration kStandbyWork = 1s;
constexpr std::uint64_t kTriesMax = 1'000'000;

template<class Number>
std::optional<Number> wholeNumber(std::string_view text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                    : std::nullopt;
}

std::string readShare(std::string_view text, double& value)
{
    const bool isPercentage = text.ends_with('%');
    text.remove_suffix(isPercentage ? 1 : 0);
    const double share = wholeNumber<double>(text).value_or(-1) / (isPercentage ? 100.0 : 1.0);
    if (!(share >= 0.0 && share <= 1.0)) { // no NaN either
        return "is not a share; write 5% or 0.05, from 0% to 100%";
    }
    value = share;
    return {};
}

std::string shareText(double share)
{
    std::array<char, 32> word{};
    std::snprintf(word.data(), word.size(), "%g%%", share * 100);
    return word.data();
}

std::string readSpread(std::string_view text, Distribution& value)
{
    const std::optional<Distribution> distribution = parseDistribution(text);
    value = distribution.value_or(value);
    return distribution
               ? std::string()
               : "is not a time; write 10ms, 5ms..20ms (evenly between) or ~20ms (exponential)";
}

std::string readKind(Scenario& scenario, std::string_view text, const ProtocolInfo&)
{
    const std::optional<Scenario::Kind> kind = scenarioKindOf(text);
    if (!kind) {
        return "is none of contention, hot-standby, draw";
    }
    scenario.kind = *kind;
    if (*kind == Scenario::Kind::HotStandby) {
        scenario.hold = Distribution::constant(kStandbyWork);
    }
    return {};
}

/// The longest pause: the first one where they are all alike.
std::string retryMaxText(const Scenario& scenario)
{
    const Retry& retry = scenario.retry;
    return durationWord(retry.kind == Retry::Kind::Exponential ? retry.intervalMax
                                                               : retry.interval);
}

std::string readRetryMax(Scenario& scenario, std::string_view text, const ProtocolInfo&)
{
    Retry& retry = scenario.retry;
    std::string complaint = readSpan(text, kSpanMin, retry.intervalMax);
    if (complaint.empty() && retry.intervalMax < retry.interval) {
        complaint = "is shorter than the first interval, " + durationWord(retry.interval);
    }
    retry.kind = retry.intervalMax > retry.interval ? Retry::Kind::Exponential : Retry::Kind::Fixed;
    return complaint;
}

std::string readTries(Scenario& scenario, std::string_view text, const ProtocolInfo&)
{
    std::uint64_t tries = 0;
    std::string complaint = readCount(text, 0, kTriesMax, tries);
    scenario.retry.triesMax = tries > 0 ? std::optional(static_cast<int>(tries)) : std::nullopt;
    return complaint;
}

std::string readRenewal(Scenario& scenario, std::string_view text, const ProtocolInfo& info)
{
    scenario.renewal = {};
    if (text == "off") {
        return {};
    }
    if (!info.canRenew) {
        return "is not possible: " + info.id + " cannot renew a lock";
    }
    if (!parseDuration(text)) {
        return "is neither off nor a duration such as 10s";
    }
    scenario.renewal = info.defaults.renewal;
    return readSpan(text, kSpanMin, scenario.renewal.period);
}

std::string readSeed(Scenario& scenario, std::string_view text, const ProtocolInfo&)
{
    return readCount(text, 0, std::numeric_limits<std::uint64_t>::max(), scenario.seed);
}

void adjustRenewal(Scenario& scenario, const ProtocolInfo& info)
{
    if (scenario.renewal.isOn()) {
        scenario.renewal = renewalFor(info, scenario.lease);
    }
}

constexpr std::array kParameters{
    RunParameter{"clients", "N", "Number of contenders", ", each with its own connections (10).",
                 Count{&Scenario::contenderCount, 1, 10'000, 1'000'000}},
    RunParameter{"for", "DURATION", "Duration of the run", " (10s).",
                 Span{&Scenario::duration, kSpanMin}},
    RunParameter{"kind", "NAME", "contention: think, acquire, hold, release, repeat",
                 " (default);\nhot-standby: one works and dies, the others retry to take over;\n"
                 "draw: one attempt each at the same time, exactly one may win.",
                 Special{[](const Scenario& s) { return std::string(idOf(s.kind)); }, readKind}},
    RunParameter{"keys", "N", "Number of locks", " (1).", Count{&Scenario::keyCount, 1, 10'000}},
    RunParameter{"think", "TIME", "Time between two acquisitions",
                 " (~20ms): 10ms constant, 5ms..20ms\nuniform, ~20ms exponential with that mean.",
                 Spread{&Scenario::think}},
    RunParameter{"hold", "TIME", "How long a lock is held",
                 " (5ms; hot-standby: 1s), in the same form.", Spread{&Scenario::hold}},
    RunParameter{"lease", "DURATION", "Lease of a grant", " (default of the protocol).",
                 Span{&Scenario::lease, kSpanMin},
                 [](const ProtocolInfo& info) { return info.hasExpiry; }, adjustRenewal},
    RunParameter{"wait", "DURATION", "Maximum wait for the lock", " (30s).",
                 Span{&Scenario::waitLimit, 0s}},
    RunParameter{"retry", "DURATION", "Interval between two attempts",
                 " (default of the protocol).", RetrySpan{&Retry::interval, kSpanMin}, nullptr,
                 [](Scenario& s, const ProtocolInfo&) {
                     s.retry.intervalMax = std::max(s.retry.intervalMax, s.retry.interval);
                 }},
    RunParameter{"retry-max", "DURATION", "Double every interval up to this one",
                 "; equal to --retry:\nconstant intervals (default of the protocol).",
                 Special{retryMaxText, readRetryMax}, nullptr, nullptr,
                 [](const Scenario& s, const Scenario& usual) {
                     return s.retry.kind == usual.retry.kind
                            && (s.retry.kind == Retry::Kind::Fixed
                                || s.retry.intervalMax == usual.retry.intervalMax);
                 }},
    RunParameter{"jitter", "DURATION", "Maximum random time added to each interval",
                 " (default of the\nprotocol).", RetrySpan{&Retry::jitter, 0s}},
    RunParameter{"tries", "N", "Maximum number of attempts",
                 "; 0: until the wait is over (default of the\nprotocol).",
                 Special{[](const Scenario& s) {
                             return std::to_string(s.retry.triesMax.value_or(0));
                         },
                         readTries}},
    RunParameter{"renew", "DURATION|off", "Interval between renewals",
                 " (default of the protocol).",
                 Special{[](const Scenario& s) {
                             return s.renewal.isOn() ? durationWord(s.renewal.period)
                                                     : std::string("off");
                         },
                         readRenewal},
                 [](const ProtocolInfo& info) { return info.canRenew; }},
    RunParameter{"read-share", "SHARE", "Share of requests that only read", " (0%).",
                 Share{&Scenario::readShare},
                 [](const ProtocolInfo& info) { return info.hasModes; }},
    RunParameter{"depth", "N", "Number of nested acquisitions by a holder", " (1).",
                 Count{&Scenario::reentryDepth, 1, 1'000},
                 [](const ProtocolInfo& info) { return info.isReentrant; }},
    RunParameter{"permits", "N", "For a semaphore: maximum number of holders", " (1).",
                 Count{&Scenario::permits, 1, 10'000},
                 [](const ProtocolInfo& info) { return info.hasPermits; }},
    RunParameter{"crash", "SHARE", "Share of holders that crash without releasing", " (0%).",
                 Share{&Scenario::crashProbability}},
    RunParameter{"pause", "SHARE", "Share of holders that pause, including their renewals",
                 " (0%).", Share{&Scenario::pauseProbability}},
    RunParameter{"pause-for", "DURATION", "Duration of a pause", " (1.5 times the lease).",
                 Span{&Scenario::pauseFor, 0s}, nullptr, nullptr,
                 [](const Scenario& s, const Scenario&) {
                     return s.pauseProbability == 0 || s.pauseFor == Duration(0);
                 }},
    RunParameter{"seed", "N", "Seed of the random numbers", " (1).",
                 Special{[](const Scenario& s) { return std::to_string(s.seed); }, readSeed}},
};

} // namespace

std::string readCount(std::string_view text, std::uint64_t min, std::uint64_t max,
                      std::uint64_t& value)
{
    const auto number = wholeNumber<std::uint64_t>(text);
    if (!number || *number < min || *number > max) {
        return "is not a number between " + std::to_string(min) + " and " + std::to_string(max);
    }
    value = *number;
    return {};
}

std::string readSpan(std::string_view text, Duration min, Duration& value)
{
    const std::optional<Duration> span = parseDuration(text);
    if (!span) {
        return "is not a duration; write 250ms, 10s, 5m, 2h or 1d";
    }
    if (*span < min) {
        return "is too short; the minimum is " + durationWord(min);
    }
    value = *span;
    return {};
}

Renewal renewalFor(const ProtocolInfo& info, Duration lease)
{
    Renewal renewal = info.defaults.renewal;
    if (!info.canRenew) {
        return {};
    }
    if (!renewal.isOn()) {
        renewal.period = lease / 3; // two may fail before the lease is over
    } else if (lease != info.defaults.lease) {
        const double share = static_cast<double>(renewal.period.count())
                             / static_cast<double>(info.defaults.lease.count());
        renewal.period = Duration(static_cast<Duration::rep>(share
                                                             * static_cast<double>(lease.count())));
    }
    renewal.period = std::max(renewal.period, kSpanMin);
    return renewal;
}

std::string RunParameter::text(const Scenario& scenario) const
{
    struct {
        const Scenario& s;
        std::string operator()(const Count& count) { return std::to_string(s.*count.of); }
        std::string operator()(const Span& span) { return durationWord(s.*span.of); }
        std::string operator()(const RetrySpan& span) { return durationWord(s.retry.*span.of); }
        std::string operator()(const Share& share) { return shareText(s.*share.of); }
        std::string operator()(const Spread& spread) { return toText(s.*spread.of); }
        std::string operator()(const Special& special) { return special.text(s); }
    } visitor{scenario};
    return std::visit(visitor, value);
}

std::string RunParameter::read(Scenario& scenario, std::string_view text, const ProtocolInfo& info,
                               RunPurpose purpose) const
{
    struct {
        Scenario& s;
        std::string_view text;
        const ProtocolInfo& info;
        bool isPrediction;
        std::string operator()(const Count& count)
        {
            auto number = std::uint64_t(s.*count.of);
            const int max = isPrediction ? count.predictedMax : count.max;
            std::string complaint = readCount(text, std::uint64_t(count.min), std::uint64_t(max),
                                              number);
            s.*count.of = static_cast<int>(number);
            return complaint;
        }
        std::string operator()(const Span& span) { return readSpan(text, span.min, s.*span.of); }
        std::string operator()(const RetrySpan& span)
        {
            return readSpan(text, span.min, s.retry.*span.of);
        }
        std::string operator()(const Share& share) { return readShare(text, s.*share.of); }
        std::string operator()(const Spread& spread) { return readSpread(text, s.*spread.of); }
        std::string operator()(const Special& special) { return special.read(s, text, info); }
    } visitor{scenario, text, info, purpose == RunPurpose::Prediction};
    std::string complaint = std::visit(visitor, value);
    if (complaint.empty() && adjust != nullptr) {
        adjust(scenario, info);
    }
    return complaint;
}

std::span<const RunParameter> runParameters()
{
    return kParameters;
}

} // namespace lockscope::workload
