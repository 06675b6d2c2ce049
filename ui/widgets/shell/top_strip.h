#pragma once

#include "ui/widgets/controls/status_wording.h"
#include "ui/widgets/controls/strip.h"

class QHBoxLayout;
class QLabel;

namespace lockscope::widgets {

class PageBar;
class ServerBadge;
class StatusDot;

/// The line above the pages: their names, the server, the tools of the page that is shown, and
/// whether what is shown is live.
class TopStrip : public Strip {
    Q_OBJECT
public:
    explicit TopStrip(QWidget* parent = nullptr);

    /// Stands right of what is there, and takes the room that is left if it wants to expand.
    void addTool(QWidget* tool);

    PageBar& pages() { return *m_pages; }
    ServerBadge& badge() { return *m_badge; }

    /// Shows whether what is shown follows the server.
    void showLive(LinkTone tone, bool isOnline, bool isPaused);
    QString liveText() const;

private:
    QWidget* createLiveMark();

    QHBoxLayout* m_layout = nullptr;
    PageBar* m_pages = nullptr;
    ServerBadge* m_badge = nullptr;
    StatusDot* m_dot = nullptr;
    QLabel* m_live = nullptr;
};

} // namespace lockscope::widgets
