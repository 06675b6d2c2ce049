#pragma once

#include "ui/models/locks/activity_model.h"
#include "ui/widgets/shell/watch_state.h"

#include <QString>

#include <optional>

namespace lockscope::widgets {

/// How a link is doing, as the colour of a dot; the words beside it say the same.
enum class LinkTone { Quiet, Good, Warning, Bad };

struct LinkWording {
    LinkTone tone = LinkTone::Quiet;
    QString text;   // "live push", "reconnecting in 3 s (attempt 4)"
    QString reason; // why it is not better, in a sentence; empty when it is as good as can be
};

/// The state of one server's link in words. `now` is the monitor's present.
LinkWording linkWording(const service::LinkStatus& link, Instant now);

/// The state of the watched servers in words: that of the one that needs attention most.
LinkWording linkWording(const WatchState& state, Instant now);

/// The line of the activity log that tells of the change, without time and place; nullopt when the
/// log does not: the attempts to reconnect never end, and are news when the reason is another
/// one.
std::optional<models::ActivityEntry> linkEntry(const service::LinkStatus& before,
                                               const service::LinkStatus& status, Instant now);

/// "scanned all 1,000,412 keys", or, while it is not the whole truth, "partial: 34 % of the
/// keys seen". Locks that were taken since may stand in a server that was empty then.
QString sweepWording(const WatchState::Sweep& sweep, qint64 lockCount = 0);

/// "148 locks · 62 changes/s"
QString lockCountWording(qint64 lockCount, double changesPerSecond);

/// "our cost: 120 commands/s, 60 messages/s, ≈ 0.2 % of a core · slowest call 0.6 ms"
QString costWording(const WatchState::Load& load);
/// What is in it.
QString costExplanation();

/// "10.0.0.5:6379/0", for a set "3 servers: a:6379, b:6379, c:6379".
QString serversWording(const std::vector<store::Endpoint>& endpoints);

} // namespace lockscope::widgets
