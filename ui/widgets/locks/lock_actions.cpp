#include "ui/widgets/locks/lock_actions.h"

#include "ui/widgets/shell/actions.h"

namespace lockscope::widgets {

LockActions::LockActions(QObject* parent) : QObject(parent)
{
    const auto add = [this](const char16_t* name, const QString& text,
                            const QList<QKeySequence>& keys = {}, QStringView icon = {}) {
        return createAction(this, QString::fromUtf16(name), text, keys, icon);
    };
    connectServer = add(u"actionConnect", tr("&Connect…"), {QKeySequence::New}, u"connect");
    disconnectServer = add(u"actionDisconnect", tr("&Disconnect"), {}, u"disconnect");
    allowWrites = add(u"actionAllowWrites", tr("Allow &writes"), {Qt::CTRL | Qt::SHIFT | Qt::Key_W},
                      u"key");
    sweep = add(u"actionSweep", tr("&Sweep again"), {Qt::Key_F5}, u"sweep");
    deepSweep = add(u"actionDeepSweep", tr("Dee&p sweep"), {Qt::SHIFT | Qt::Key_F5}, u"deep-sweep");

    acquire = add(u"actionAcquire", tr("&Acquire a lock…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_A},
                  u"key");
    copyReleaseCommand = add(u"actionCopyReleaseCommand", tr("Copy release co&mmand"));
    filterByFormat = add(u"actionFilterByFormat", tr("Filter by this &format"), {}, u"filter");
    filterByOwner = add(u"actionFilterByOwner", tr("Filter by this o&wner"));
    filterByPrefix = add(u"actionFilterByPrefix", tr("Filter by this &prefix"));
    treatAs = add(u"actionTreatAs", tr("&Treat as…"));
    notALock = add(u"actionNotALock", tr("&Not a lock…"));
    treatments = add(u"actionTreatments", tr("Treated na&mes…"));
    capTtl = add(u"actionCapTtl", tr("Cap the &TTL…"), {}, u"timer");
    // The key opens the dialog, which asks; no key releases.
    release = add(u"actionRelease", tr("&Release…"), {QKeySequence::Delete}, u"release");
    release->setShortcutContext(Qt::WidgetShortcut);
    exportCsv = add(u"actionExportCsv", tr("E&xport the table as CSV…"));
    exportJson = add(u"actionExportJson", tr("Export the table as &JSON…"));

    focusFilter = add(u"actionFocusFilter", tr("&Filter"),
                      {QKeySequence(Qt::CTRL | Qt::Key_F), QKeySequence(Qt::CTRL | Qt::Key_L)},
                      u"filter");
    focusTable = add(u"actionFocusTable", tr("&Lock table"), {Qt::CTRL | Qt::Key_T});
    pause = add(u"actionPause", tr("&Pause"), {Qt::Key_Space}, u"pause");
    pause->setCheckable(true);
    // Space also types and presses buttons: it pauses only where it means nothing else.
    pause->setShortcutContext(Qt::WidgetShortcut);
}

} // namespace lockscope::widgets
