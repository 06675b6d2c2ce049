#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/output/kept_lock_wording.h"
#include "app/cli/process/signal_relay.h"
#include "app/cli/session/server_link.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/report/lock_json.h"
#include "core/wire/watch/redis_lock_keeper.h"

#include <csignal>
#include <string_view>
#include <utility>

namespace lockscope::cli {

using report::Json;
using service::KeptLock;
using State = KeptLock::State;

namespace {

/// One run of `acquire`.
class Taking final : public QObject {
public:
    Taking(const Context& context, const AcquireArguments& arguments)
        : m_context(context),
          m_arguments(arguments),
          m_relay({SIGINT, SIGTERM, SIGHUP, SIGQUIT}, context.output),
          m_askedAt(context.clock.now())
    {
        connect(&m_relay, &SignalRelay::received, this, &Taking::interrupt);
        connect(&m_keeper, &service::LockKeeper::changed, this, &Taking::takeLock);
        const protocol::ProtocolInfo& info = arguments.lock.protocol->info();
        const std::string warning = warningAbout(info);
        if (!warning.empty()) {
            context.output.complain(warning);
        }
        const Duration lease = arguments.lock.request.lease;
        if (info.hasExpiry && arguments.hold >= lease && !arguments.lock.renewal.isOn()) {
            context.output.complain("the lock will be lost after its lease of "
                                    + durationText(lease) + ": it is not renewed");
        }
        m_id = m_keeper.acquire(orderFor(arguments.lock, context.endpoints));
    }

    async::Pending<int> ended() const { return m_end.pending(); }

private:
    void takeLock(const KeptLock& lock)
    {
        m_lock = lock;
        switch (lock.state) {
        case State::Connecting:
        case State::Releasing: return;
        case State::Waiting:
            say("requesting " + escaped(lock.key) + " on " + lock.server + " (" + lock.protocolId
                + ')');
            return;
        case State::Held: takeHold(); return;
        case State::Lost:
            m_lostAt = lock.since;
            say("lost: " + lossText(*lock.loss));
            release();
            return;
        case State::Refused:
        case State::Failed:
        case State::Uncertain:
        case State::Released: break;
        }
        if (lock.isOver()) {
            finish();
        } else {
            m_wasUncertain = true;
            m_context.output.complain(refusalSentence(lock, m_arguments.lock.request.waitLimit));
            release(); // perhaps ours: not left behind
        }
    }

    void takeHold()
    {
        const std::string trust = m_lock.trustedUntil
                                      ? ", valid until " + timeOf(*m_lock.trustedUntil)
                                      : std::string(", without expiry");
        if (m_heldSince) {
            say("renewed (" + std::to_string(m_lock.renewalCount) + ')' + trust);
            return;
        }
        m_heldSince = m_lock.since;
        const std::string fence = m_lock.fence ? ", fence " + std::to_string(*m_lock.fence)
                                               : std::string();
        say("held after " + durationText(m_lock.since - m_askedAt) + ", token "
            + escaped(m_lock.token) + fence + trust);
        m_alarm = async::BackgroundTask(m_context.executor, releaseLater());
    }

    async::Task<void> releaseLater()
    {
        co_await m_context.clock.wakeAt(m_context.clock.now() + m_arguments.hold);
        release();
    }

    void interrupt()
    {
        m_isInterrupted = true;
        release();
    }

    void release() { m_keeper.release(m_id); }

    /// The news with their time: for people where the results go, otherwise beside them.
    void say(const std::string& sentence)
    {
        const std::string line = timeOf(m_context.clock.now()) + "  " + sentence;
        if (m_arguments.format == Format::Json) {
            m_context.output.note(line);
        } else {
            m_context.output.print(line + '\n');
        }
    }

    std::string timeOf(Instant instant) const { return report::isoTime(wallTimeOf(instant)); }

    WallTime wallTimeOf(Instant instant) const
    {
        const auto ahead =
            std::chrono::duration_cast<std::chrono::milliseconds>(instant - m_context.clock.now());
        return m_context.clock.wallNow() + ahead;
    }

    void finish()
    {
        const std::string sentence = endSentence();
        const bool isSaidAlready = m_wasUncertain;
        if (isReleased()) {
            say(sentence);
        } else if (!isSaidAlready) {
            m_context.output.complain(sentence);
        }
        if (m_arguments.format == Format::Json) {
            m_context.output.print(json(sentence).dump() + '\n');
        }
        m_end.complete(exitCode());
    }

    bool isReleased() const
    {
        return m_lock.state == State::Released && !m_lock.loss && m_heldSince.has_value();
    }

    std::string endSentence() const
    {
        if (!m_heldSince && m_isInterrupted) {
            return "interrupted before " + escaped(m_lock.key) + " was acquired";
        }
        if (!m_heldSince) {
            return refusalSentence(m_lock, m_arguments.lock.request.waitLimit);
        }
        const std::string held = " after " + durationText(heldFor());
        switch (m_lock.state) {
        case State::Released:
            return m_lock.loss ? "the lock no longer existed when it was to be released" + held
                                     + ": " + lossText(*m_lock.loss)
                               : "released" + held;
        case State::Failed: return "not released" + held + ": " + store::explain(m_lock.problem);
        default:
            return "unknown whether the lock was released" + held + ": "
                   + store::explain(m_lock.problem);
        }
    }

    Duration heldFor() const
    {
        return m_lostAt.value_or(m_lock.since) - m_heldSince.value_or(m_lock.since);
    }

    int exitCode() const
    {
        if (!m_heldSince) {
            return m_wasUncertain ? int(ExitUnknown) : exitCodeOfRefusal(m_lock);
        }
        if (m_lock.wasOtherOwner) {
            return ExitChangedHands;
        }
        if (m_lock.loss) {
            return exitCodeOfLoss(*m_lock.loss);
        }
        return m_lock.state == State::Released ? int(ExitDone) : exitCodeOfRefusal(m_lock);
    }

    std::string_view outcomeId() const
    {
        switch (exitCode()) {
        case ExitDone: return "released";
        case ExitChangedHands: return "changed-hands";
        case ExitAlreadyGone: return "already-gone";
        case ExitNotAcquired: return "not-acquired";
        case ExitRefused: return "refused";
        case ExitUnknown: return "unknown";
        default: return "unreachable";
        }
    }

    Json json(const std::string& sentence) const
    {
        const bool wasHeld = m_heldSince.has_value();
        const auto ifHeld = [wasHeld](Json value) { return wasHeld ? std::move(value) : Json(); };
        Json json{{"outcome", outcomeId()}, {"key", escaped(m_lock.key)}};
        json["protocol"] = m_lock.protocolId;
        json["server"] = m_lock.server;
        json["token"] = ifHeld(escaped(m_lock.token));
        json["fence"] = m_lock.fence ? Json(*m_lock.fence) : Json();
        json["askedAt"] = timeOf(m_askedAt);
        json["heldAt"] = ifHeld(timeOf(m_heldSince.value_or(m_askedAt)));
        json["endedAt"] = timeOf(m_lock.since);
        json["waitMs"] = ifHeld(toMs(m_heldSince.value_or(m_askedAt) - m_askedAt));
        json["heldMs"] = ifHeld(toMs(heldFor()));
        json["renewals"] = m_lock.renewalCount;
        json["lost"] = m_lock.loss ? Json(trace::idOf(*m_lock.loss)) : Json();
        json["sentence"] = sentence;
        return json;
    }

    const Context& m_context;
    const AcquireArguments& m_arguments;
    SignalRelay m_relay;
    Instant m_askedAt;
    KeptLock m_lock; // its last known state
    quint64 m_id = 0;
    std::optional<Instant> m_heldSince;
    std::optional<Instant> m_lostAt;
    bool m_isInterrupted = false;
    bool m_wasUncertain = false; // while acquiring
    async::BackgroundTask m_alarm;
    async::Completer<int> m_end;
    wire::RedisLockKeeper m_keeper; // last: it tells this
};

constexpr CommandText kAcquireText{
    .name = "acquire",
    .operand = "[KEY]",
    .usage = "--key KEY --hold DURATION [options]",
    .summary = "acquire a lock, keep it for a while, release it",
    .details = R"(
Acquires a lock, keeps it for a while and releases it, or releases it on SIGINT, SIGTERM,
SIGHUP or SIGQUIT: for tests, and to block other clients during maintenance. A lock that is
held for longer than its lease is renewed if the protocol supports it. Events are printed with
times; with --format json to standard error, and one object to standard output at the end.
The exit code is 0 released, 7 not acquired, 3 another owner held it at the end, 4 it was gone.
)",
    .examples = R"(
  lockscope-cli acquire --key job:sync --hold 30m --wait 5m
  lockscope-cli acquire --key report --protocol rw-hash-owners --mode read --hold 10s
  lockscope-cli acquire --key stuck --protocol setnx-no-expiry --hold 1h
)",
    .servers = ServerUse::NamedOrLocal,
};

class AcquireCommand final : public CommandWith<AcquireArguments> {
public:
    AcquireCommand() : CommandWith(kAcquireText) {}

    void declare(app::OptionSet& options) override
    {
        m_acquisition.declare(options);
        const auto readHold = [this](const std::string& text) {
            m_isHoldTyped = true;
            return app::readDuration(text, m_arguments.hold);
        };
        options.add("hold", "DURATION", readHold,
                    "How long to keep the lock. 0s: release it at once.");
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
    }

    void complete(const Operands& operands) override
    {
        if (!m_isHoldTyped) {
            throw app::ArgumentError{"acquire needs --hold DURATION: how long to keep the lock"};
        }
        m_arguments.lock = m_acquisition.acquisition(operands);
        if (m_arguments.hold < m_arguments.lock.request.lease && !m_acquisition.isRenewalTyped()) {
            m_arguments.lock.renewal = {}; // the first lease is long enough
        }
    }

    async::Task<int> run(Context context) override
    {
        Taking one(context, m_arguments);
        const int code = co_await one.ended();
        co_return code;
    }

private:
    LockAcquisitionOptions m_acquisition;
    bool m_isHoldTyped = false;
};

} // namespace

std::unique_ptr<Command> acquireCommand()
{
    return std::make_unique<AcquireCommand>();
}

} // namespace lockscope::cli
