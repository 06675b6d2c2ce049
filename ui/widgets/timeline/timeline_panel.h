#pragma once

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLineEdit;
class QToolButton;

namespace lockscope::widgets {

class ElidedLabel;
class TimelineView;

/// A timeline with its slim bar: how lanes are grouped and filtered, where it looks, and whether it
/// follows a run that goes on.
class TimelinePanel : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePanel(QWidget* parent = nullptr);

    TimelineView& view() { return *m_view; }

    /// Following makes sense for runs that go on; its button is hidden at first.
    void setLive(bool isLive);
    /// Whether the run can be shown by its steps as well, and how it is shown now. The caller shows
    /// it that way.
    void setAxis(bool hasSteps, bool isInSteps);

Q_SIGNALS:
    /// The user wants to see the run by its steps, or by time.
    void axisChosen(bool isInSteps);

private:
    QHBoxLayout* createBar();
    void createGrouping(QHBoxLayout& bar);
    void createAxis(QHBoxLayout& bar);
    void createFilter(QHBoxLayout& bar);
    void createNavigation(QHBoxLayout& bar);
    QToolButton* addButton(QHBoxLayout& bar, const QString& name, const QString& text,
                           const QString& toolTip);
    void connectParts();
    void showState();

    TimelineView* m_view = nullptr;
    QComboBox* m_grouping = nullptr;
    QComboBox* m_axis = nullptr;
    QLineEdit* m_filter = nullptr;
    QToolButton* m_overlaps = nullptr;
    ElidedLabel* m_hidden = nullptr;
    QToolButton* m_in = nullptr;
    QToolButton* m_out = nullptr;
    QToolButton* m_fit = nullptr;
    QToolButton* m_back = nullptr;
    QToolButton* m_forward = nullptr;
    QToolButton* m_follow = nullptr;
};

} // namespace lockscope::widgets
