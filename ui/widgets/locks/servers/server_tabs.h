#pragma once

#include "ui/widgets/controls/status_wording.h"

#include <QString>
#include <QTabBar>
#include <QWidget>

#include <vector>

class QStackedWidget;

namespace lockscope::widgets {

/// What a tab shows of its server.
struct ServerTabLook {
    QString name;
    QString note;        // how it is doing, in a word; empty: as it should
    QString environment; // a colour, where it has one
    LinkTone tone = LinkTone::Quiet;
    QString toolTip;

    friend bool operator==(const ServerTabLook&, const ServerTabLook&) = default;
};

ServerTabLook tabLookOf(const QString& name, const WatchState& state, bool isPaused, Instant now);

/// The tabs themselves: a middle click closes one, and so does its menu.
class ServerTabBar : public QTabBar {
    Q_OBJECT
public:
    explicit ServerTabBar(QWidget* parent = nullptr);

Q_SIGNALS:
    void othersClosed(int index); // all but this one

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
};

/// The pages of the watched servers, one of them shown, with a tab for each as soon as there are
/// several.
class ServerTabs : public QWidget {
    Q_OBJECT
public:
    explicit ServerTabs(QWidget* parent = nullptr);

    /// Becomes the last one.
    void addPage(QWidget* page);
    /// The page is not deleted. If it is the current one, another is to be made current before.
    void removePage(int index);
    /// Says nothing of it.
    void setCurrent(int index);
    void setLook(int index, const ServerTabLook& look);

Q_SIGNALS:
    /// The user turns to another tab, which is not current yet.
    void chosen(int index);
    void closeRequested(int index);
    void othersClosed(int index);
    /// This page of the window is shown now, or is not.
    void shownChanged(bool isShown);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showLook(int index);
    void showBar();

    ServerTabBar* m_bar = nullptr;
    QWidget* m_line = nullptr;
    QStackedWidget* m_pages = nullptr;
    std::vector<ServerTabLook> m_looks;
};

} // namespace lockscope::widgets
