#pragma once

#include "core/kernel/store/endpoint.h"

#include <QWidget>

#include <vector>

namespace lockscope::widgets {

/// Which server this window is about, where the eye already is: environment, address, read-only. A
/// click or Space asks for the connection dialog.
class ServerBadge : public QWidget {
    Q_OBJECT
public:
    explicit ServerBadge(QWidget* parent = nullptr);

    void showServers(const std::vector<store::Endpoint>& endpoints);

    QString environment() const { return m_environment; }
    QString serverText() const { return m_server; }
    bool isReadOnly() const { return m_isReadOnly; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void clicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QFont badgeFont() const;
    int badgeWidth(const QString& text) const;

    QString m_environment;
    QString m_server;
    bool m_isReadOnly = false;
};

} // namespace lockscope::widgets
