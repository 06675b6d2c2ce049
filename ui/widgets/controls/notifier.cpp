#include "ui/widgets/controls/notifier.h"

#include "ui/models/ui_text.h"

#include <QApplication>
#include <QSystemTrayIcon>

namespace lockscope::widgets {

TrayNotifier::TrayNotifier() = default;
TrayNotifier::~TrayNotifier() = default;

QString TrayNotifier::obstacle() const
{
    if (!QSystemTrayIcon::isSystemTrayAvailable()) {
        return UiText::tr("This desktop has no tray: notifications cannot be shown.");
    }
    return QSystemTrayIcon::supportsMessages()
               ? QString()
               : UiText::tr("The tray of this desktop shows no notifications.");
}

void TrayNotifier::notify(const QString& title, const QString& text)
{
    if (!obstacle().isEmpty()) {
        return;
    }
    if (m_icon == nullptr) {
        m_icon = std::make_unique<QSystemTrayIcon>(QApplication::windowIcon());
        m_icon->setToolTip(QApplication::applicationDisplayName());
        m_icon->show();
    }
    m_icon->showMessage(title, text, QSystemTrayIcon::Warning);
}

void TrayNotifier::beep()
{
    QApplication::beep();
}

} // namespace lockscope::widgets
