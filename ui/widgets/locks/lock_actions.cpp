#include "ui/widgets/locks/lock_actions.h"

#include "ui/widgets/shell/actions.h"

namespace lockscope::widgets {

LockActions::LockActions(QObject* parent) : QObject(parent)
{
    const auto add = [this](const char16_t* name, const QString& text,
                            const QList<QKeySequence>& keys = {}, QStringView icon = {}) {
        return createAction(this, QString::fromUtf16(name), text, keys, icon);
    };
    allowWrites = add(u"actionAllowWrites", tr("Allow &writes"), {Qt::CTRL | Qt::SHIFT | Qt::Key_W},
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
    disconnect = add(u"actionDisconnectHolder", tr("&Disconnect the holder…"));
    exportCsv = add(u"actionExportCsv", tr("E&xport the table as CSV…"));
    exportJson = add(u"actionExportJson", tr("Export the table as &JSON…"));
}

} // namespace lockscope::widgets
