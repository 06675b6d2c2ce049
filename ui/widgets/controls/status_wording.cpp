#include "ui/widgets/controls/status_wording.h"

#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QLocale>
#include <QStringList>

#include <cmath>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

using State = service::LinkStatus::State;
using Live = service::LinkStatus::Live;

constexpr double kLeastPercent = 0.1; // of a core that is worth a figure

QString explained(const store::Problem& problem)
{
    return problem.kind == store::Problem::Kind::None
               ? QString()
               : QString::fromStdString(store::explain(problem));
}

QString waitingText(const service::LinkStatus& link, Instant now)
{
    if (link.nextAttempt == Instant::max()) {
        return UiText::tr("giving up");
    }
    const auto left = std::chrono::ceil<std::chrono::seconds>(link.nextAttempt - now).count();
    if (left <= 0) {
        return UiText::tr("reconnecting now (attempt %1)").arg(link.attempt + 1);
    }
    return UiText::tr("reconnecting in %1 s (attempt %2)").arg(left).arg(link.attempt + 1);
}

/// A stall is soon over or an incident: then it matters how long it has lasted.
QString stalledText(const service::LinkStatus& link, Instant now)
{
    if (link.problem.kind == store::Problem::Kind::Loading) {
        return UiText::tr("loading");
    }
    const QString what = link.problem.kind == store::Problem::Kind::ReplyTimedOut
                             ? UiText::tr("no reply")
                             : UiText::tr("unable to reply");
    const auto since = std::chrono::floor<std::chrono::seconds>(now - link.stalledSince).count();
    return since > 0 ? UiText::tr("%1 for %2 s").arg(what).arg(since) : what;
}

QString pollingText(const service::LinkStatus& link)
{
    if (link.pollInterval <= Duration::zero()) {
        return UiText::tr("polling");
    }
    const double seconds = static_cast<double>(toMs(link.pollInterval)) / 1000;
    return UiText::tr("polling every %1 s").arg(QLocale::c().toString(seconds, 'g', 3));
}

/// Reporting every key would cost a busy server more than a periodic look at their names.
QString scopeText(const service::LinkStatus& link)
{
    return link.isNarrow ? UiText::tr("The server is busy: it reports changes only for names that "
                                      "resemble known locks. Other keys are checked periodically.")
                         : QString();
}

LinkWording onlineWording(const service::LinkStatus& link)
{
    switch (link.live) {
    case Live::Push: return {LinkTone::Good, UiText::tr("live push"), scopeText(link)};
    case Live::KeyspaceEvents: {
        const QString reason = explained(link.problem);
        return {LinkTone::Good, UiText::tr("keyspace events"),
                reason.isEmpty() ? scopeText(link) : reason};
    }
    case Live::Polling: return {LinkTone::Warning, pollingText(link), explained(link.problem)};
    case Live::None: break;
    }
    return {LinkTone::Warning, UiText::tr("connected"), explained(link.problem)};
}

bool isNews(const service::LinkStatus& before, const service::LinkStatus& status)
{
    switch (status.state) {
    case State::Connecting: return false;
    case State::Waiting: return before.state == State::Online || before.problem != status.problem;
    case State::Stalled: return before.state != State::Stalled || before.problem != status.problem;
    case State::Online:
    case State::Closed: break;
    }
    return before.state != status.state || before.live != status.live || before.node != status.node
           || before.isHeldToOwnList != status.isHeldToOwnList;
}

} // namespace

LinkWording linkWording(const service::LinkStatus& link, Instant now)
{
    switch (link.state) {
    case State::Closed: return {LinkTone::Quiet, UiText::tr("not connected"), {}};
    case State::Connecting:
        return {LinkTone::Warning, UiText::tr("connecting…"), explained(link.problem)};
    case State::Waiting: return {LinkTone::Bad, waitingText(link, now), explained(link.problem)};
    case State::Stalled: return {LinkTone::Bad, stalledText(link, now), explained(link.problem)};
    case State::Online: break;
    }
    LinkWording wording = onlineWording(link);
    if (link.isHeldToOwnList) {
        const QString list = UiText::tr("Read-only by Lockscope's own list of commands, because "
                                        "the server may not be asked which commands only read "
                                        "(+command|info).");
        wording.reason = wording.reason.isEmpty() ? list : wording.reason + u' ' + list;
    }
    if (!link.node.empty()) {
        wording.text = UiText::tr("%1 · master %2").arg(wording.text, models::toQString(link.node));
    }
    return wording;
}

std::optional<models::ActivityEntry> linkEntry(const service::LinkStatus& before,
                                               const service::LinkStatus& status, Instant now)
{
    if (!isNews(before, status)) {
        return std::nullopt;
    }
    const LinkWording wording = linkWording(status, now);
    const bool hasFailed = status.state == State::Waiting || status.state == State::Stalled;
    const bool isFailure = hasFailed && !wording.reason.isEmpty();
    models::ActivityEntry entry;
    entry.kind = wording.tone == LinkTone::Bad ? models::ActivityKind::Problem
                                               : models::ActivityKind::Connection;
    entry.text = isFailure ? wording.reason : wording.text;
    if (!isFailure && !wording.reason.isEmpty()) {
        entry.text += u" · " + wording.reason;
    }
    return entry;
}

LinkWording linkWording(const WatchState& state, Instant now)
{
    LinkWording wording = linkWording(state.worstLink(), now);
    if (state.serverCount() > 1) {
        wording.text = UiText::tr("%1 of %2 servers · %3")
                           .arg(state.onlineCount())
                           .arg(state.serverCount())
                           .arg(wording.text);
    }
    return wording;
}

namespace {

QString scannedWording(const WatchState::Sweep& sweep, qint64 lockCount)
{
    const auto counted = [](std::uint64_t count) {
        return models::countText(static_cast<std::int64_t>(count));
    };
    if (sweep.total == 0 && sweep.scanned == 0) {
        return lockCount > 0 ? UiText::tr("scanned while the server was empty")
                             : UiText::tr("scanned: the server was empty");
    }
    if (sweep.total == 0) {
        return UiText::tr("scanned %1 keys").arg(counted(sweep.scanned)); // DBSIZE is not allowed
    }
    if (sweep.scanned < sweep.total) { // keys went meanwhile
        return UiText::tr("scanned %1 of %2").arg(counted(sweep.scanned), counted(sweep.total));
    }
    return sweep.scanned == 1 ? UiText::tr("scanned the only key")
                              : UiText::tr("scanned all %1 keys").arg(counted(sweep.scanned));
}

} // namespace

QString sweepWording(const WatchState::Sweep& sweep, qint64 lockCount)
{
    if (!sweep.isRunning) {
        QString scanned = scannedWording(sweep, lockCount);
        if (sweep.unreadCount == 0) {
            return scanned;
        }
        const auto unread = static_cast<std::int64_t>(sweep.unreadCount);
        return UiText::tr("%1, %2 not read").arg(scanned, models::countText(unread));
    }
    const int percent = static_cast<int>(std::floor(sweep.share() * 100));
    if (sweep.isComplete) {
        return UiText::tr("scanning again: %1 %").arg(percent);
    }
    return UiText::tr("partial: %1 % of the keys scanned").arg(percent);
}

QString lockCountWording(qint64 lockCount, double changesPerSecond)
{
    const QString locks = lockCount == 1 ? UiText::tr("1 lock")
                                         : UiText::tr("%1 locks").arg(models::countText(lockCount));
    return UiText::tr("%1 · %2 changes/s")
        .arg(locks, models::countText(std::llround(changesPerSecond)));
}

namespace {

QString kilobytesText(double bytes)
{
    constexpr double kBytesPerKilobyte = 1000;
    return models::countText(std::llround(bytes / kBytesPerKilobyte));
}

/// What the sweeps of all keys keep to.
QString limitWording(const store::Budget& budget)
{
    QStringList limits;
    if (budget.commandsPerSecond != 0) {
        limits += UiText::tr("%1 commands/s").arg(models::countText(budget.commandsPerSecond));
    }
    if (budget.bytesPerSecond != 0) {
        limits +=
            UiText::tr("%1 kB/s").arg(kilobytesText(static_cast<double>(budget.bytesPerSecond)));
    }
    if (budget.percent != 0) {
        limits +=
            UiText::tr("%1 % of the server's time").arg(QLocale::c().toString(budget.percent));
    }
    return UiText::tr("sweeps limited to %1").arg(limits.join(u", "_s));
}

} // namespace

QString costWording(const WatchState::Load& load)
{
    const double slowestMs = static_cast<double>(load.slowestCall.count()) / 1000;
    const QLocale plain = QLocale::c();
    const double percent = 100 * load.coreShare;
    const QString share = percent < kLeastPercent ? u"< "_s + plain.toString(kLeastPercent, 'f', 1)
                                                  : u"≈ "_s + plain.toString(percent, 'f', 1);
    const QString cost =
        UiText::tr("our cost: %1 commands/s, %2 messages/s, %3 kB/s, %4 % of a core · slowest call "
                   "%5 ms")
            .arg(models::countText(std::llround(load.commandsPerSecond)),
                 models::countText(std::llround(load.messagesPerSecond)),
                 kilobytesText(load.bytesPerSecond), share, plain.toString(slowestMs, 'f', 1));
    return load.budget.isBounded() ? cost + u" · "_s + limitWording(load.budget) : cost;
}

QString costExplanation()
{
    return UiText::tr("Cost of watching for the server: our commands, the changes it reports to "
                      "us, and the comparison of every write with our subscriptions. The share of "
                      "a CPU core is an estimate from what was sent and what the server says each "
                      "command takes. The options max-commands, max-bytes and max-percent in the "
                      "address of a server limit what looking through all keys may cost.");
}

QString serversWording(const std::vector<store::Endpoint>& endpoints)
{
    if (endpoints.size() == 1) {
        return QString::fromStdString(store::serverName(endpoints.front())) + u'/'
               + QString::number(endpoints.front().database);
    }
    QStringList names;
    for (const std::string& name : store::namesBeside(endpoints)) {
        names += QString::fromStdString(name);
    }
    const bool isSet = !endpoints.empty()
                       && endpoints.front().grouping == store::Grouping::RedlockSet;
    if (isSet) {
        return UiText::tr("Redlock set of %1 servers: %2")
            .arg(endpoints.size())
            .arg(models::listed(names));
    }
    return UiText::tr("%1 servers: %2").arg(endpoints.size()).arg(models::listed(names));
}

} // namespace lockscope::widgets
