#pragma once

#include "app/cli/process/signal_relay.h"
#include "core/kernel/async/pending.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/report/run/counterexample_file.h"
#include "core/wire/run/redis_mirror.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>

namespace lockscope::cli {

/// Repeats a counterexample on real servers, which it starts and stops, and can be interrupted.
class LiveReplay final : public QObject {
public:
    LiveReplay(const report::CounterexampleFile& example, Output& output);

    /// When it is over; nothing when it was interrupted.
    async::Pending<std::optional<wire::MirrorResult>> ended() const { return m_end.pending(); }

    /// The exit code of one that was interrupted.
    int interruptCode() const;

private:
    SignalRelay m_relay;
    int m_signal = 0;
    async::Completer<std::optional<wire::MirrorResult>> m_end;
    std::unique_ptr<wire::RedisMirror> m_mirror; // last: it tells this
};

/// For people: whether real servers gave the same answers, and where they did not.
std::string liveReplayText(const wire::MirrorResult& result);

/// The same for scripts; see docs/json/run.schema.json.
report::Json liveReplayJson(const wire::MirrorResult& result);

/// `reproduced`: the violation showed in the simulated run.
int exitCodeOf(const wire::MirrorResult& result, bool reproduced);

} // namespace lockscope::cli
