#pragma once

#include <QString>

#include <memory>

class QSystemTrayIcon;

namespace lockscope::widgets {

/// Calls for attention when nobody looks at the window. Tests have one that writes down what it is
/// told.
class Notifier {
public:
    Notifier() = default;
    Notifier(const Notifier&) = delete;
    Notifier& operator=(const Notifier&) = delete;
    virtual ~Notifier() = default;

    /// Why notifications cannot be shown, as a sentence; empty: they can.
    virtual QString obstacle() const = 0;
    /// Does nothing where there is an obstacle.
    virtual void notify(const QString& title, const QString& text) = 0;
    virtual void beep() = 0;
};

/// By an icon in the tray of the desktop, which appears with the first notification.
class TrayNotifier final : public Notifier {
public:
    TrayNotifier();
    ~TrayNotifier() override;

    QString obstacle() const override;
    void notify(const QString& title, const QString& text) override;
    void beep() override;

private:
    std::unique_ptr<QSystemTrayIcon> m_icon;
};

} // namespace lockscope::widgets
