#pragma once

#include "shell/status_wording.h"

#include <QWidget>

class QAction;
class QLabel;
class QPushButton;

namespace lockscope::widgets {

class PageBar;
class ServerBadge;
class StatusDot;

/// The line above the table: the pages, the server, the filter, pause, and whether what is shown is
/// live.
class TopStrip : public QWidget {
    Q_OBJECT
public:
    /// `filter` becomes a child. `pause` is the action behind the button.
    TopStrip(QWidget* filter, QAction* pause, QWidget* parent = nullptr);

    PageBar& pages() { return *m_pages; }
    ServerBadge& badge() { return *m_badge; }

    /// Shows whether the table follows the server; `waitingChanges` arrived since it was paused.
    void showLive(LinkTone tone, bool isOnline, bool isPaused, qint64 waitingChanges);

    QString liveText() const;

    /// The filter and the pause are about the lock table; other pages do without them.
    void showTableTools(bool areShown);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPushButton* createPauseButton(QAction* pause);
    QWidget* createLiveMark();

    QWidget* m_filter = nullptr;
    PageBar* m_pages = nullptr;
    ServerBadge* m_badge = nullptr;
    QPushButton* m_pause = nullptr;
    StatusDot* m_dot = nullptr;
    QLabel* m_live = nullptr;
};

} // namespace lockscope::widgets
