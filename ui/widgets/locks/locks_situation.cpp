#include "ui/widgets/locks/locks_situation.h"

#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"
#include "ui/widgets/controls/status_wording.h"

#include <algorithm>
#include <cmath>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

using Problem = store::Problem;
using State = service::LinkStatus::State;

bool isDenial(const Problem& problem)
{
    return problem.kind == Problem::Kind::NoPermission
           || problem.kind == Problem::Kind::PasswordNeeded
           || problem.kind == Problem::Kind::PasswordWrong;
}

QString asSentence(QString words)
{
    if (!words.isEmpty()) {
        words[0] = words[0].toUpper();
    }
    return words.endsWith(u'…') ? words : words + u'.';
}

EmptyText notConnectedText()
{
    EmptyText text;
    text.headline = UiText::tr("Not connected");
    text.text = UiText::tr("Connect to a Redis server to see its locks, their owners, and which of "
                           "them are stuck. The demo starts a private server with locks of every "
                           "kind.");
    text.step = EmptyText::Step::Connect;
    text.stepLabel = UiText::tr("Connect…");
    text.otherStep = EmptyText::Step::StartDemo;
    text.otherStepLabel = UiText::tr("Start the demo");
    return text;
}

EmptyText unreachableText(const WatchState& state, Instant now)
{
    EmptyText text;
    text.headline = UiText::tr("Cannot reach %1").arg(serversWording(state.endpoints()));
    const LinkWording wording = linkWording(state, now);
    text.text = wording.reason + u"\n\n"_s + asSentence(wording.text);
    text.step = EmptyText::Step::Connect;
    text.stepLabel = UiText::tr("Change the connection…");
    return text;
}

EmptyText notAllowedText(const WatchState& state)
{
    const Problem& problem = state.worstLink().problem;
    EmptyText text;
    text.text = QString::fromStdString(store::explain(problem));
    text.step = EmptyText::Step::Connect;
    text.stepLabel = UiText::tr("Change the connection…");
    if (problem.kind != Problem::Kind::NoPermission) {
        text.headline = UiText::tr("The server requires different credentials");
        return text;
    }
    text.headline = UiText::tr("No permission to scan");
    if (!problem.rule.empty()) {
        const std::string& user = state.endpoints()[state.worstLink().server].user;
        text.command = u"ACL SETUSER %1 %2"_s.arg(QString::fromStdString(user.empty() ? "default"
                                                                                      : user),
                                                  QString::fromStdString(problem.rule));
    }
    return text;
}

EmptyText stalledText(const WatchState& state, Instant now)
{
    EmptyText text = unreachableText(state, now);
    text.headline = UiText::tr("%1 does not answer").arg(serversWording(state.endpoints()));
    return text;
}

EmptyText nothingToShowText(const WatchState& state)
{
    EmptyText text;
    text.headline = UiText::tr("This server cannot contain locks");
    text.text = remarkText(state);
    text.step = EmptyText::Step::Connect;
    text.stepLabel = UiText::tr("Change the connection…");
    return text;
}

EmptyText sweepingText(const WatchState::Sweep& sweep)
{
    EmptyText text;
    text.progress = sweep.share();
    text.headline = UiText::tr("Scanning the keys: %1 %")
                        .arg(static_cast<int>(std::floor(sweep.share() * 100)));
    text.text =
        UiText::tr("No locks so far. The result is complete when all keys have been scanned.");
    return text;
}

EmptyText noLocksText(const WatchState::Sweep& sweep)
{
    EmptyText text;
    if (sweep.unreadCount > 0) {
        text.headline = UiText::tr("No locks among the readable keys");
        text.text =
            UiText::tr("Some keys could not be read and may be locks. The reason is shown above.");
        return text;
    }
    text.headline = UiText::tr("No locks found");
    if (sweep.isDeep) {
        text.text = UiText::tr(
            "All keys were read, and none is a lock. New locks appear here automatically.");
        return text;
    }
    text.text = UiText::tr("All keys were scanned, and none looks like a lock by name and value. A "
                           "deep sweep reads every key that could be a lock by type and size, "
                           "whatever its name. New locks appear here automatically.");
    text.step = EmptyText::Step::DeepSweep;
    text.stepLabel = UiText::tr("Deep sweep");
    return text;
}

EmptyText allHiddenText(const LockCounts& counts)
{
    EmptyText text;
    text.headline =
        counts.known == 1
            ? UiText::tr("1 lock hidden by the filter")
            : UiText::tr("%1 locks hidden by the filter").arg(models::countText(counts.known));
    text.text = UiText::tr("No lock matches. Press Escape in the filter box to clear it.");
    text.step = EmptyText::Step::ClearFilter;
    text.stepLabel = UiText::tr("Clear the filter");
    return text;
}

} // namespace

LocksSituation situationOf(const WatchState& state, const LockCounts& counts)
{
    if (!state.isOpen()) {
        return LocksSituation::NotConnected;
    }
    if (counts.known > 0) {
        return counts.shown > 0 ? LocksSituation::Table : LocksSituation::AllHidden;
    }
    const service::LinkStatus& link = state.worstLink();
    const bool isDone = state.sweep().isComplete;
    if (isDenial(link.problem) && (link.state != State::Online || !isDone)) {
        return LocksSituation::NotAllowed;
    }
    if (link.state == State::Stalled) {
        return LocksSituation::Stalled;
    }
    // A further attempt is no other situation: the page is not to flicker with each of them.
    const bool isRetry = link.state == State::Connecting
                         && link.problem.kind != Problem::Kind::None;
    if (link.state == State::Waiting || isRetry) {
        return LocksSituation::Unreachable;
    }
    const auto& links = state.links();
    if (std::ranges::all_of(links, [](const auto& l) { return store::hasNothingToShow(l.info); })) {
        return LocksSituation::NothingToShow;
    }
    if (!state.wasOnline()) {
        return LocksSituation::Connecting;
    }
    return isDone ? LocksSituation::NoLocks : LocksSituation::Sweeping;
}

EmptyText emptyText(LocksSituation situation, const WatchState& state, const LockCounts& counts,
                    Instant now)
{
    EmptyText connecting;
    switch (situation) {
    case LocksSituation::NotConnected: return notConnectedText();
    case LocksSituation::Connecting:
        connecting.headline =
            UiText::tr("Connecting to %1…").arg(serversWording(state.endpoints()));
        return connecting;
    case LocksSituation::Unreachable: return unreachableText(state, now);
    case LocksSituation::NotAllowed: return notAllowedText(state);
    case LocksSituation::Stalled: return stalledText(state, now);
    case LocksSituation::NothingToShow: return nothingToShowText(state);
    case LocksSituation::Sweeping: return sweepingText(state.sweep());
    case LocksSituation::NoLocks: return noLocksText(state.sweep());
    case LocksSituation::AllHidden: return allHiddenText(counts);
    case LocksSituation::Table: break;
    }
    return {};
}

QString gapText(const WatchState& state)
{
    QStringList lines;
    const std::vector<WatchState::Findings> findings = state.findings();
    const std::vector<std::string> names = state.serverNames();
    for (std::size_t server = 0; server < findings.size(); ++server) {
        if (!findings[server]) {
            continue;
        }
        for (const std::string& sentence : inspect::unreadSentences(*findings[server])) {
            const QString place = findings.size() > 1 ? models::toQString(names[server]) + u": "_s
                                                      : QString();
            lines += place + UiText::tr("Incomplete: %1").arg(models::toQString(sentence));
        }
    }
    return lines.join(u'\n');
}

QString staleText(const WatchState& state, Instant now)
{
    if (!state.wasOnline() || state.worstLink().state == State::Online) {
        return {};
    }
    const LinkWording wording = linkWording(state, now);
    if (state.worstLink().state == State::Stalled) {
        return UiText::tr("All rows are out of date (shown in grey) · %1 · %2")
            .arg(wording.text, wording.reason);
    }
    return UiText::tr("Rows not confirmed since the connection was lost are grey · %1 · %2")
        .arg(wording.text, wording.reason.isEmpty() ? UiText::tr("reading again") : wording.reason);
}

QString remarkText(const WatchState& state)
{
    QStringList remarks;
    std::vector<store::ServerInfo> infos;
    const std::vector<std::string> names = state.serverNames();
    for (const service::LinkStatus& link : state.links()) {
        const store::Endpoint& endpoint = state.endpoints()[infos.size()];
        infos.push_back(link.info);
        const QString remark = QString::fromStdString(store::explain(link.info, endpoint));
        if (!remark.isEmpty()) {
            remarks += names.size() > 1
                           ? QString::fromStdString(names[infos.size() - 1]) + u": "_s + remark
                           : remark;
        }
    }
    const QString doubt = QString::fromStdString(store::explainSet(infos, state.endpoints()));
    if (!doubt.isEmpty()) {
        remarks = {doubt}; // it says more than the remarks on each of them
    }
    return remarks.join(u' ');
}

QString barText(LocksSituation situation, const WatchState& state, Instant now)
{
    const bool isTable = situation == LocksSituation::Table;
    QStringList lines{isTable ? staleText(state, now) : QString()};
    if (lines.front().isEmpty() && situation != LocksSituation::NothingToShow) {
        lines += remarkText(state);
    }
    if (situation != LocksSituation::NotAllowed) {
        lines += gapText(state);
    }
    lines.removeAll(QString());
    return lines.join(u'\n');
}

} // namespace lockscope::widgets
