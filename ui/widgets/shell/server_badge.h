#pragma once

#include "core/kernel/store/endpoint.h"

#include <QWidget>

#include <vector>

namespace lockscope::widgets {

/// Which server this window is about, where the eye already is: environment, address, and whether
/// it may be written to. A click or Space asks for the connection dialog.
class ServerBadge : public QWidget {
    Q_OBJECT
public:
    explicit ServerBadge(QWidget* parent = nullptr);

    void showServers(const std::vector<store::Endpoint>& endpoints);
    /// How long the servers may be written to yet; empty: there is no limit.
    void showWriteLimit(const QString& text);

    QString environment() const { return m_environment; }
    QString serverText() const { return m_server; }
    bool isReadOnly() const { return m_isReadOnly; }
    QString writeLimit() const { return m_writeLimit; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void clicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showName();
    QString accessText() const;
    QFont badgeFont() const;
    int badgeWidth(const QString& text) const;

    QString m_environment;
    QString m_server;
    QString m_writeLimit;
    bool m_isOpen = false;
    bool m_isReadOnly = false;
};

} // namespace lockscope::widgets
