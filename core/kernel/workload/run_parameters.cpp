#include "core/kernel/workload/run_parameters.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"

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
        return KernelText::tr("is not a share; write 5% or 0.05, from 0% to 100%");
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
               : KernelText::tr(
                   "is not a time; write 10ms, 5ms..20ms (evenly between) or ~20ms (exponential)");
}

std::string readKind(Scenario& scenario, std::string_view text, const ProtocolInfo&)
{
    const std::optional<Scenario::Kind> kind = scenarioKindOf(text);
    if (!kind) {
        return KernelText::tr("is none of %1", "contention, hot-standby, draw");
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
        complaint = KernelText::tr("is shorter than the first interval, %1",
                                   durationWord(retry.interval));
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
        return KernelText::tr("is not possible: %1 cannot renew a lock", info.id);
    }
    if (!parseDuration(text)) {
        return KernelText::tr("is neither off nor a duration such as 10s");
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

bool isContention(const Scenario& scenario)
{
    return scenario.kind == Scenario::Kind::Contention;
}

/// A draw has one attempt each, at the same time, and nothing afterwards.
bool isNoDraw(const Scenario& scenario)
{
    return scenario.kind != Scenario::Kind::Draw;
}

bool hasPauses(const Scenario& scenario)
{
    return isNoDraw(scenario) && scenario.pauseProbability > 0;
}

std::string triesText(const Scenario& scenario)
{
    return std::to_string(scenario.retry.triesMax.value_or(0));
}

using Form = RunParameter::Form;
using enum RunParameter::Form::Group;

constexpr std::array kParameters{
    RunParameter{.id = "clients",
                 .operand = "N",
                 .label = "Number of contenders",
                 .note = " (10).",
                 .value = Count{&Scenario::contenderCount, 1, 10'000, 1'000'000},
                 .form = {Load, [] { return KernelText::tr("Contenders"); },
                          [] { return KernelText::tr("Number of clients that want the locks."); }}},
    RunParameter{
        .id = "connections",
        .operand = "N",
        .label = "Number of connections to each server that the contenders share",
        .note = ";\n0: one for each contender (0).",
        .value = Count{&Scenario::connectionCount, 0, 10'000, 0},
        .form = {Advanced, [] { return KernelText::tr("Connections"); },
                 [] {
                     return KernelText::tr("How many connections to a server all contenders share. "
                                           "They send their commands without waiting for each "
                                           "other's replies. Empty: one for each contender.");
                 },
                 [](const Scenario&) { return std::string("0"); },
                 [] { return KernelText::tr("one each"); }}},
    RunParameter{.id = "for",
                 .operand = "DURATION",
                 .label = "Duration of the run",
                 .note = " (10s).",
                 .value = Span{&Scenario::duration, kSpanMin},
                 .mattersIn = isNoDraw,
                 .form = {Load, [] { return KernelText::tr("Duration"); },
                          [] {
                              return KernelText::tr(
                                  "Does not include the time for which the run is paused.");
                          }}},
    RunParameter{.id = "kind",
                 .operand = "NAME",
                 .label = "contention: think, acquire, hold, release, repeat",
                 .note = " (default);\nhot-standby: one works and dies, the others retry to take "
                         "over;\ndraw: one attempt each at the same time, exactly one may win.",
                 .value = Special{[](const Scenario& s) { return std::string(idOf(s.kind)); },
                                  readKind}},
    RunParameter{
        .id = "keys",
        .operand = "N",
        .label = "Number of locks",
        .note = " (1).",
        .value = Count{&Scenario::keyCount, 1, 10'000},
        .form = {Load, [] { return KernelText::tr("Keys"); },
                 [] {
                     return KernelText::tr("Number of locks. Each request picks one at random.");
                 }}},
    RunParameter{.id = "think",
                 .operand = "TIME",
                 .label = "Time between two acquisitions",
                 .note = " (~20ms): 10ms constant, 5ms..20ms\nuniform, ~20ms exponential with that "
                         "mean.",
                 .value = Spread{&Scenario::think},
                 .mattersIn = isContention,
                 .form = {Load, [] { return KernelText::tr("Think time"); },
                          [] {
                              return KernelText::tr("Time between two requests: 10ms, 5ms..20ms, "
                                                    "or ~20ms for a mean.");
                          }}},
    RunParameter{.id = "hold",
                 .operand = "TIME",
                 .label = "How long a lock is held",
                 .note = " (5ms; hot-standby: 1s), in the same form.",
                 .value = Spread{&Scenario::hold},
                 .mattersIn = isNoDraw,
                 .form = {Load, [] { return KernelText::tr("Hold time"); },
                          [] {
                              return KernelText::tr("How long a lock is held: 10ms, 5ms..20ms, or "
                                                    "~20ms for a mean.");
                          }}},
    RunParameter{.id = "lease",
                 .operand = "DURATION",
                 .label = "Lease of a grant",
                 .note = " (default of the protocol).",
                 .value = Span{&Scenario::lease, kSpanMin},
                 .appliesTo = [](const ProtocolInfo& info) { return info.hasExpiry; },
                 .adjust = adjustRenewal,
                 .form = {Lock, [] { return KernelText::tr("Lease"); },
                          [] {
                              return KernelText::tr("How long a grant lasts unless it is renewed.");
                          }}},
    RunParameter{
        .id = "wait",
        .operand = "DURATION",
        .label = "Maximum wait for the lock",
        .note = " (30s).",
        .value = Span{&Scenario::waitLimit, 0s},
        .mattersIn = isContention,
        .form = {Lock, [] { return KernelText::tr("Maximum wait"); },
                 [] {
                     return KernelText::tr(
                         "How long a request waits before it gives up. 0s: a single attempt.");
                 }}},
    RunParameter{.id = "retry",
                 .operand = "DURATION",
                 .label = "Interval between two attempts",
                 .note = " (default of the protocol).",
                 .value = RetrySpan{&Retry::interval, kSpanMin},
                 .adjust =
                     [](Scenario& s, const ProtocolInfo&) {
                         s.retry.intervalMax = std::max(s.retry.intervalMax, s.retry.interval);
                     },
                 .mattersIn = isNoDraw,
                 .form = {Advanced, [] { return KernelText::tr("Retry interval"); },
                          [] {
                              return KernelText::tr("Protocols with wake-ups use it only when they "
                                                    "cannot wait for one.");
                          }}},
    RunParameter{.id = "retry-max",
                 .operand = "DURATION",
                 .label = "Double every interval up to this one",
                 .note = "; equal to --retry:\nconstant intervals (default of the protocol).",
                 .value = Special{retryMaxText, readRetryMax},
                 .isImplied =
                     [](const Scenario& s, const Scenario& usual) {
                         return s.retry.kind == usual.retry.kind
                                && (s.retry.kind == Retry::Kind::Fixed
                                    || s.retry.intervalMax == usual.retry.intervalMax);
                     },
                 .mattersIn = isContention,
                 .form = {Advanced, [] { return KernelText::tr("Maximum interval"); },
                          [] {
                              return KernelText::tr("Every interval is twice the one before, up to "
                                                    "this one. Empty: constant intervals.");
                          },
                          [](const Scenario& s) { return durationWord(s.retry.interval); },
                          [] { return KernelText::tr("constant"); }}},
    RunParameter{.id = "jitter",
                 .operand = "DURATION",
                 .label = "Maximum random time added to each interval",
                 .note = " (default of the\nprotocol).",
                 .value = RetrySpan{&Retry::jitter, 0s},
                 .mattersIn = isNoDraw,
                 .form = {Advanced, [] { return KernelText::tr("Jitter"); },
                          [] {
                              return KernelText::tr(
                                  "Random time, up to this value, added to each interval.");
                          }}},
    RunParameter{.id = "tries",
                 .operand = "N",
                 .label = "Maximum number of attempts",
                 .note = "; 0: until the wait is over (default of the\nprotocol).",
                 .value = Special{triesText, readTries},
                 .mattersIn = isContention,
                 .form = {Advanced, [] { return KernelText::tr("Maximum attempts"); },
                          [] { return KernelText::tr("Empty: limited by the maximum wait only."); },
                          [](const Scenario&) { return std::string("0"); },
                          [] { return KernelText::tr("no limit"); }}},
    RunParameter{.id = "renew",
                 .operand = "DURATION|off",
                 .label = "Interval between renewals",
                 .note = " (default of the protocol).",
                 .value = Special{[](const Scenario& s) {
                                      return s.renewal.isOn() ? durationWord(s.renewal.period)
                                                              : std::string("off");
                                  },
                                  readRenewal},
                 .appliesTo = [](const ProtocolInfo& info) { return info.canRenew; },
                 .mattersIn = isNoDraw,
                 .form = {Lock, [] { return KernelText::tr("Renew every"); },
                          [] { return KernelText::tr("A duration such as 10s, or off."); }}},
    RunParameter{.id = "read-share",
                 .operand = "SHARE",
                 .label = "Share of requests that only read",
                 .note = " (0%).",
                 .value = Share{&Scenario::readShare},
                 .appliesTo = [](const ProtocolInfo& info) { return info.hasModes; },
                 .mattersIn = isContention,
                 .form = {Load, [] { return KernelText::tr("Read share"); },
                          [] { return KernelText::tr("Share of requests that only read."); }}},
    RunParameter{.id = "depth",
                 .operand = "N",
                 .label = "Number of nested acquisitions by a holder",
                 .note = " (1).",
                 .value = Count{&Scenario::reentryDepth, 1, 1'000},
                 .appliesTo = [](const ProtocolInfo& info) { return info.isReentrant; },
                 .mattersIn = isContention,
                 .form = {Load, [] { return KernelText::tr("Reentry depth"); },
                          [] {
                              return KernelText::tr(
                                  "How many times a holder acquires the lock in nested calls.");
                          }}},
    RunParameter{.id = "permits",
                 .operand = "N",
                 .label = "For a semaphore: maximum number of holders",
                 .note = " (1).",
                 .value = Count{&Scenario::permits, 1, 10'000},
                 .appliesTo = [](const ProtocolInfo& info) { return info.hasPermits; },
                 .form = {Load, [] { return KernelText::tr("Permits"); },
                          [] { return KernelText::tr("Maximum number of concurrent holders."); }}},
    RunParameter{.id = "crash",
                 .operand = "SHARE",
                 .label = "Share of holders that crash without releasing",
                 .note = " (0%).",
                 .value = Share{&Scenario::crashProbability},
                 .mattersIn = isContention, // of a hot standby, every holder crashes
                 .form = {Faults, [] { return KernelText::tr("Crashes"); },
                          [] {
                              return KernelText::tr("Share of holds that crash: the connection "
                                                    "drops and nothing is released.");
                          }}},
    RunParameter{.id = "pause",
                 .operand = "SHARE",
                 .label = "Share of holders that pause, including their renewals",
                 .note = " (0%).",
                 .value = Share{&Scenario::pauseProbability},
                 .mattersIn = isNoDraw,
                 .form = {Faults, [] { return KernelText::tr("Pauses"); },
                          [] {
                              return KernelText::tr("Share of holds in which the holder pauses, "
                                                    "including its renewals.");
                          }}},
    RunParameter{
        .id = "pause-for",
        .operand = "DURATION",
        .label = "Duration of a pause",
        .note = " (1.5 times the lease).",
        .value = Span{&Scenario::pauseFor, 0s},
        .isImplied =
            [](const Scenario& s, const Scenario&) {
                return s.pauseProbability == 0 || s.pauseFor == Duration(0);
            },
        .mattersIn = hasPauses,
        .form = {Faults, [] { return KernelText::tr("Pause length"); },
                 [] {
                     return KernelText::tr("Duration of each pause. Empty: 1.5 times the lease.");
                 },
                 [](const Scenario&) { return durationWord(Duration(0)); },
                 [] { return KernelText::tr("1.5 leases"); }}},
    RunParameter{.id = "seed",
                 .operand = "N",
                 .label = "Seed of the random numbers",
                 .note = " (1).",
                 .value = Special{[](const Scenario& s) { return std::to_string(s.seed); },
                                  readSeed},
                 .form = {Advanced, [] { return KernelText::tr("Seed"); },
                          [] {
                              return KernelText::tr(
                                  "Seed of the contenders' random numbers. Timing of the server "
                                  "and the network is not reproducible.");
                          }}},
};

} // namespace

std::string readCount(std::string_view text, std::uint64_t min, std::uint64_t max,
                      std::uint64_t& value)
{
    const auto number = wholeNumber<std::uint64_t>(text);
    if (!number || *number < min || *number > max) {
        return KernelText::tr("is not a number between %1 and %2", min, max);
    }
    value = *number;
    return {};
}

std::string readSpan(std::string_view text, Duration min, Duration& value)
{
    const std::optional<Duration> span = parseDuration(text);
    if (!span) {
        return KernelText::tr("is not a duration; write 250ms, 10s, 5m, 2h or 1d");
    }
    if (*span < min) {
        return KernelText::tr("is too short; the minimum is %1", durationWord(min));
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
            if (!complaint.empty() && max == 0) {
                complaint = KernelText::tr("cannot be predicted");
            }
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
