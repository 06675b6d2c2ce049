#include "cli/locking_arguments.h"

#include "arguments.h"
#include "base/bytes.h"
#include "base/duration_text.h"
#include "cli/first_mistake.h"
#include "cli/option_values.h"
#include "cli/protocol_choice.h"
#include "protocol/catalogue.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockscope::cli {

using app::ArgumentError;
using app::inQuotes;
using protocol::KeyUse;
using protocol::Mode;
using protocol::ProtocolInfo;
using protocol::Renewal;
using protocol::Retry;
using workload::Distribution;
using workload::Scenario;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view kDefaultProtocol = "set-nx-px-token";
constexpr std::string_view kDefaultForSeveralServers = "redlock";
constexpr Duration kShortest = 1ms; // of leases, pauses between tries and between renewals
constexpr std::uint64_t kClientsMax = 10'000;
constexpr std::uint64_t kPredictedClientsMax = 1'000'000;
constexpr std::uint64_t kKeysMax = 10'000;
constexpr std::uint64_t kThreadsMax = 64;
constexpr std::uint64_t kPrivateServersMax = 16;
constexpr std::uint64_t kDepthMax = 1'000;
constexpr std::uint64_t kTriesMax = 1'000'000;
constexpr int kPrivateMasters = 5; // of a protocol of several masters
constexpr Duration kStandbyWork = 1s;

/// Of a protocol with a renewal, for a lease that may not be its usual one.
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
    renewal.period = std::max(renewal.period, kShortest);
    return renewal;
}

/// Turns the options of one call into values and keeps the first thing that is wrong.
class OptionReader : public FirstMistake {
public:
    explicit OptionReader(const LockingCall& call) : m_call(call), m_words(call.words) {}

    bool has(std::string_view option) const { return m_words.has(option); }

    Duration duration(std::string_view option, Duration fallback, Duration min = Duration(0))
    {
        const Duration value = take(app::durationOption(m_words, option, fallback));
        if (!error() && value < min) {
            fail("--" + std::string(option) + ": " + inQuotes(m_words.value(option).value_or(""))
                 + " is too short; the minimum is " + durationWord(min));
        }
        return value;
    }

    int count(std::string_view option, int fallback, std::uint64_t max, std::uint64_t min = 1)
    {
        return static_cast<int>(take(numberOption(m_words, option,
                                                  static_cast<std::uint64_t>(fallback), min, max)));
    }

    ProtocolPtr protocol(std::string_view fallback)
    {
        return take(chosenProtocol(m_words, fallback));
    }

    /// --renew; `usual` without it.
    Renewal renewal(const ProtocolInfo& info, Renewal usual)
    {
        const std::optional<std::string> text = m_words.value("renew");
        if (!text) {
            return usual;
        }
        if (*text == "off") {
            return {};
        }
        if (!info.canRenew) {
            fail("--renew: " + info.id + " cannot renew a lock");
            return {};
        }
        if (!parseDuration(*text)) {
            fail("--renew: " + inQuotes(*text) + " is neither off nor a duration such as 10s");
            return {};
        }
        Renewal renewal = info.defaults.renewal;
        renewal.period = duration("renew", usual.period, kShortest);
        return renewal;
    }

    /// --retry, --retry-max, --jitter and --tries; `usual` without them.
    Retry retry(Retry usual)
    {
        Retry retry = usual;
        retry.interval = duration("retry", usual.interval, kShortest);
        if (has("retry-max")) {
            retry.intervalMax = duration("retry-max", usual.intervalMax, kShortest);
            const bool grows = retry.intervalMax > retry.interval;
            retry.kind = grows ? Retry::Kind::Exponential : Retry::Kind::Fixed;
            if (retry.intervalMax < retry.interval) {
                fail("--retry-max: " + durationWord(retry.intervalMax)
                     + " is shorter than the first interval, " + durationWord(retry.interval));
            }
        }
        retry.intervalMax = std::max(retry.intervalMax, retry.interval);
        retry.jitter = duration("jitter", usual.jitter);
        if (has("tries")) {
            const auto tries = static_cast<int>(take(numberOption(m_words, "tries", 0, 0,
                                                                  kTriesMax)));
            retry.triesMax = tries > 0 ? std::optional(tries) : std::nullopt;
        }
        return retry;
    }

    LockWish lockWish(bool isRenewedByDefault)
    {
        LockWish wish;
        wish.protocol = protocol(m_words.values("url").size() > 1 ? kDefaultForSeveralServers
                                                                  : kDefaultProtocol);
        if (!wish.protocol) {
            return wish;
        }
        const ProtocolInfo& info = wish.protocol->info();
        wish.request = protocol::LockRequest::withDefaults(info, key());
        wish.request.lease = duration("lease", info.defaults.lease, kShortest);
        wish.request.waitLimit = duration("wait", Duration(0));
        wish.request.retry = retry(wish.request.retry);
        wish.request.mode = mode(info);
        wish.request.permits = permits(info);
        const Renewal usual = isRenewedByDefault ? renewalFor(info, wish.request.lease) : Renewal();
        wish.renewal = renewal(info, usual);
        if (info.hasExpiry && wish.renewal.isOn() && wish.renewal.period >= wish.request.lease
            && has("renew")) {
            fail("--renew: a renewal every " + durationWord(wish.renewal.period)
                 + " comes too late for a lease of " + durationWord(wish.request.lease));
        }
        return wish;
    }

    int permits(const ProtocolInfo& info)
    {
        const int permits = count("permits", 1, kClientsMax);
        if (permits > 1 && !info.hasPermits) {
            fail("--permits: " + info.id + " has one holder at a time; semaphore has several");
        }
        return permits;
    }

private:
    /// --key KEY, or the operand where there is one.
    Bytes key()
    {
        const std::optional<std::string> option = m_words.value("key");
        if (option && !m_call.operands.empty()) {
            fail("the key is specified twice, with --key and without");
        }
        if (!option && m_call.operands.empty()) {
            fail("--key KEY is missing: the lock to acquire");
        }
        const std::string text = option ? *option
                                        : (m_call.operands.empty() ? std::string()
                                                                   : m_call.operands.front());
        const std::optional<Bytes> bytes = unescaped(text);
        if (!bytes) {
            fail("--key: \\x must be followed by two hexadecimal digits; write a backslash before "
                 "an x as \\x5c");
        } else if (bytes->empty()) {
            fail("--key: the name of the key is empty");
        }
        return bytes.value_or(Bytes());
    }

    Mode mode(const ProtocolInfo& info)
    {
        const std::optional<std::string> name = m_words.value("mode");
        if (name && *name != "read" && *name != "write") {
            fail("--mode: " + inQuotes(*name) + " is neither read nor write");
        } else if (name && !info.hasModes) {
            fail("--mode: " + info.id + " has no readers, only exclusive holders");
        }
        if (!info.hasModes) {
            return Mode::Exclusive;
        }
        return name == "read" ? Mode::Read : Mode::Write;
    }

    const LockingCall& m_call;
    const app::Words& m_words;
};

Scenario scenarioOf(OptionReader& reader, const app::Words& words, const ProtocolInfo& info)
{
    Scenario scenario = Scenario::withDefaults(info);
    const std::string kind = words.value("kind").value_or("contention");
    if (!workload::scenarioKindOf(kind)) {
        reader.fail("--kind: " + inQuotes(kind) + " is none of contention, hot-standby, draw");
    }
    scenario.kind = workload::scenarioKindOf(kind).value_or(Scenario::Kind::Contention);
    if (scenario.kind == Scenario::Kind::HotStandby) {
        scenario.hold = Distribution::constant(kStandbyWork);
    }
    scenario.contenderCount = reader.count("clients", scenario.contenderCount,
                                           reader.has("predict") ? kPredictedClientsMax
                                                                 : kClientsMax);
    scenario.keyCount = reader.count("keys", scenario.keyCount, kKeysMax);
    scenario.duration = reader.duration("for", scenario.duration, kShortest);
    scenario.think = reader.take(distributionOption(words, "think", scenario.think));
    scenario.hold = reader.take(distributionOption(words, "hold", scenario.hold));
    scenario.lease = reader.duration("lease", scenario.lease, kShortest);
    scenario.waitLimit = reader.duration("wait", scenario.waitLimit);
    scenario.retry = reader.retry(scenario.retry);
    const Renewal usual = scenario.renewal.isOn() ? renewalFor(info, scenario.lease) : Renewal();
    scenario.renewal = reader.renewal(info, usual);
    scenario.readShare = reader.take(shareOption(words, "read-share", 0));
    scenario.reentryDepth = reader.count("depth", 1, kDepthMax);
    scenario.permits = reader.permits(info);
    scenario.crashProbability = reader.take(shareOption(words, "crash", 0));
    scenario.pauseProbability = reader.take(shareOption(words, "pause", 0));
    scenario.pauseFor = reader.duration("pause-for", Duration(0));
    scenario.seed = reader.take(numberOption(words, "seed", scenario.seed, 0,
                                             std::numeric_limits<std::uint64_t>::max()));
    return scenario;
}

/// --save-run, and what the file needs to say of a protocol that the program does not know.
void readRecord(OptionReader& reader, const app::Words& words, ContendArguments& arguments)
{
    arguments.runFile = reader.take(fileOption(words, "save-run"));
    const std::optional<std::string> file = ownFileOf(words);
    if (file && protocol::findProtocol(arguments.protocol->info().id) == nullptr) {
        arguments.protocolFile = *file;
        arguments.ownText = reader.take(contentOf(*file, "the protocol"));
    }
}

} // namespace

std::variant<ProtocolsArguments, ArgumentError> readProtocols(const LockingCall& call)
{
    OptionReader reader(call);
    ProtocolsArguments arguments;
    arguments.format = call.format;
    arguments.protocols = reader.take(knownProtocols(call.words));
    if (!call.operands.empty() && !reader.error()) {
        arguments.chosen = reader.take(protocolOf(call.operands.front(), arguments.protocols));
    }
    return reader.orResult(std::move(arguments));
}

std::variant<RunArguments, ArgumentError> readRun(const LockingCall& call)
{
    OptionReader reader(call);
    RunArguments arguments;
    if (!call.operands.empty()) {
        reader.fail("write the command after \"--\": run --key KEY -- "
                    + escaped(call.operands.front()));
    } else if (call.command.empty()) {
        reader.fail("run needs a command after \"--\": run --key KEY -- COMMAND");
    } else if (call.command.front().empty()) {
        reader.fail("the name of the command is empty");
    }
    arguments.command = call.command;
    arguments.killAfter = reader.duration("kill-after", arguments.killAfter);
    arguments.lock = reader.lockWish(true);
    if (arguments.lock.protocol) {
        const ProtocolInfo& info = arguments.lock.protocol->info();
        if (info.hasExpiry && !info.canRenew && !reader.has("renew")) {
            reader.fail(info.id
                        + " cannot renew its lock: the command would be terminated at the end of "
                          "the lease. To accept this, use --renew off");
        }
    }
    return reader.orResult(std::move(arguments));
}

std::variant<AcquireArguments, ArgumentError> readAcquire(const LockingCall& call)
{
    OptionReader reader(call);
    AcquireArguments arguments;
    arguments.format = call.format;
    if (!reader.has("hold")) {
        reader.fail("acquire needs --hold DURATION: how long to keep the lock");
    }
    arguments.hold = reader.duration("hold", Duration(0));
    arguments.lock = reader.lockWish(true);
    if (arguments.hold < arguments.lock.request.lease && !reader.has("renew")) {
        arguments.lock.renewal = {}; // the first lease is long enough
    }
    return reader.orResult(std::move(arguments));
}

std::variant<ContendArguments, ArgumentError> readContend(const LockingCall& call)
{
    OptionReader reader(call);
    ContendArguments arguments;
    arguments.format = call.format;
    arguments.protocol = reader.protocol({});
    if (!arguments.protocol) {
        return *reader.error();
    }
    const ProtocolInfo& info = arguments.protocol->info();
    arguments.scenario = scenarioOf(reader, call.words, info);
    arguments.threadCount = reader.count("threads", arguments.threadCount, kThreadsMax);
    const int usual = info.keys == KeyUse::OnePerServer ? kPrivateMasters : 1;
    arguments.privateServerCount = reader.has("url")
                                       ? 0
                                       : reader.count("private", usual, kPrivateServersMax);
    arguments.isPrediction = reader.has("predict");
    if (arguments.isPrediction && (reader.has("url") || reader.has("save-run"))) {
        reader.fail("--predict runs nothing; omit --url and --save-run");
    } else if (reader.has("url") && reader.has("private")) {
        reader.fail("--private starts its own servers; omit --url");
    } else if (arguments.privateServerCount > 1 && info.keys != KeyUse::OnePerServer) {
        reader.fail("--private: " + info.id + " uses a single server");
    }
    for (const std::string& complaint : complaintsAbout(arguments.scenario, info)) {
        reader.fail(complaint.substr(0, complaint.size() - 1));
    }
    readRecord(reader, call.words, arguments);
    return reader.orResult(std::move(arguments));
}

} // namespace lockscope::cli
