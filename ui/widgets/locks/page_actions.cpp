#include "ui/widgets/locks/page_actions.h"

#include "ui/widgets/shell/actions.h"

namespace lockscope::widgets {

PageActions::PageActions(QObject* parent) : QObject(parent)
{
    const auto add = [this](const char16_t* name, const QString& text,
                            const QList<QKeySequence>& keys = {}, QStringView icon = {}) {
        return createAction(this, QString::fromUtf16(name), text, keys, icon);
    };
    connectServer = add(u"actionConnect", tr("&Connect…"), {QKeySequence::New}, u"connect");
    disconnectServer = add(u"actionDisconnect", tr("&Disconnect"), {}, u"disconnect");
    sweep = add(u"actionSweep", tr("&Sweep again"), {Qt::Key_F5}, u"sweep");
    deepSweep = add(u"actionDeepSweep", tr("Dee&p sweep"), {Qt::SHIFT | Qt::Key_F5}, u"deep-sweep");
    closeTab = add(u"actionCloseTab", tr("C&lose the tab"), {Qt::CTRL | Qt::Key_W});
    nextTab = add(u"actionNextTab", tr("&Next tab"),
                  {QKeySequence(Qt::CTRL | Qt::Key_Tab),
                   QKeySequence(Qt::CTRL | Qt::Key_PageDown)});
    previousTab = add(u"actionPreviousTab", tr("Pre&vious tab"),
                      {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Tab),
                       QKeySequence(Qt::CTRL | Qt::Key_PageUp)});

    acquire = add(u"actionAcquire", tr("&Acquire a lock…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_A},
                  u"key");

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
