#include "ui/widgets/timeline/timeline_panel.h"

#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/timeline/timeline_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::Grouping;

namespace {

constexpr int kFilterCharacters = 22;
constexpr int kFilterMargins = 20;

} // namespace

TimelinePanel::TimelinePanel(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"timelinePanel"_s);
    m_view = new TimelineView(this);
    createColumn(this, {}, 0, {createBar(), createHairline(Qt::Horizontal, this), growing(m_view)});
    connectParts();
    setLive(false);
    showState();
}

QHBoxLayout* TimelinePanel::createBar()
{
    auto* bar = createRow(nullptr, {8, 6, 8, 6}, 3, {});
    createGrouping(*bar);
    createAxis(*bar);
    createFilter(*bar);
    bar->addStretch(1);
    createNavigation(*bar);
    return bar;
}

void TimelinePanel::createGrouping(QHBoxLayout& bar)
{
    m_grouping = new QComboBox(this);
    m_grouping->setObjectName(u"timelineGrouping"_s);
    m_grouping->setAccessibleName(tr("Lanes"));
    m_grouping->setToolTip(tr("One lane per contender, or one lane per lock"));
    m_grouping->addItem(tr("By contender"), int(Grouping::ByContender));
    m_grouping->addItem(tr("By lock"), int(Grouping::ByLock));
    bar.addWidget(m_grouping);
}

void TimelinePanel::createAxis(QHBoxLayout& bar)
{
    m_axis = new QComboBox(this);
    m_axis->setObjectName(u"timelineAxis"_s);
    m_axis->setAccessibleName(tr("Axis"));
    m_axis->setToolTip(
        tr("Time to scale, or every step of the story equally wide: for what happens "
           "within a millisecond"));
    m_axis->addItem(tr("By time"), false);
    m_axis->addItem(tr("By step"), true);
    m_axis->hide();
    bar.addWidget(m_axis);
}

void TimelinePanel::setAxis(bool hasSteps, bool isInSteps)
{
    const QSignalBlocker blocker(m_axis);
    m_axis->setVisible(hasSteps);
    m_axis->setCurrentIndex(isInSteps ? 1 : 0);
}

void TimelinePanel::createFilter(QHBoxLayout& bar)
{
    m_filter = new QLineEdit(this);
    m_filter->setObjectName(u"timelineFilter"_s);
    m_filter->setAccessibleName(tr("Filter of lanes"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setMinimumWidth(fontMetrics().horizontalAdvance(m_filter->placeholderText())
                              + kFilterMargins); // or else it is cut
    m_filter->setToolTip(
        tr("Show only lanes whose names contain this text, and the server's lanes"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(fontMetrics().averageCharWidth() * kFilterCharacters);
    m_hidden = new ElidedLabel(Qt::ElideRight, this);
    m_hidden->setObjectName(u"timelineHidden"_s);
    m_hidden->setForegroundRole(QPalette::PlaceholderText);
    bar.addWidget(m_filter);
    m_overlaps = addButton(bar, u"timelineOverlaps"_s, tr("Overlaps"),
                           tr("Show only lanes of contenders that held a lock at the same time"));
    m_overlaps->setCheckable(true);
    bar.addWidget(m_hidden);
}

QToolButton* TimelinePanel::addButton(QHBoxLayout& bar, const QString& name, const QString& text,
                                      const QString& toolTip)
{
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setText(text);
    button->setAccessibleName(toolTip);
    button->setToolTip(toolTip);
    button->setFocusPolicy(Qt::TabFocus);
    bar.addWidget(button);
    return button;
}

void TimelinePanel::createNavigation(QHBoxLayout& bar)
{
    m_back = addButton(bar, u"timelineBack"_s, {}, tr("Back to the previous range (Alt+Left)"));
    m_back->setArrowType(Qt::LeftArrow);
    m_forward = addButton(bar, u"timelineForward"_s, {},
                          tr("Forward to the next range (Alt+Right)"));
    m_forward->setArrowType(Qt::RightArrow);
    m_out = addButton(bar, u"timelineZoomOut"_s, tr("−"), tr("Zoom out (S)"));
    m_in = addButton(bar, u"timelineZoomIn"_s, tr("+"), tr("Zoom in (W)"));
    m_fit = addButton(bar, u"timelineFit"_s, tr("Fit"), tr("Show the whole run (F)"));
    m_follow = addButton(bar, u"timelineFollow"_s, tr("Follow"),
                         tr("Stay at the end of the run. Moving the timeline turns this off"));
    m_follow->setCheckable(true);
}

void TimelinePanel::setLive(bool isLive)
{
    m_follow->setVisible(isLive);
    m_view->setFollowing(isLive);
}

void TimelinePanel::connectParts()
{
    models::ZoomState& zoom = m_view->zoom();
    connect(m_grouping, &QComboBox::currentIndexChanged, this, [this] {
        m_view->setGrouping(static_cast<Grouping>(m_grouping->currentData().toInt()));
    });
    connect(m_axis, &QComboBox::currentIndexChanged, this,
            [this] { Q_EMIT axisChosen(m_axis->currentData().toBool()); });
    connect(m_filter, &QLineEdit::textChanged, m_view, &TimelineView::setFilter);
    connect(m_overlaps, &QToolButton::toggled, m_view, &TimelineView::setOverlapsOnly);
    connect(m_back, &QToolButton::clicked, &zoom, &models::ZoomState::back);
    connect(m_forward, &QToolButton::clicked, &zoom, &models::ZoomState::forward);
    connect(m_fit, &QToolButton::clicked, &zoom, &models::ZoomState::fit);
    const auto zoomBy = [&zoom](double factor) {
        const models::VisibleRange shown = zoom.visible();
        zoom.zoomAround(shown.from + shown.length() / 2, factor);
    };
    connect(m_in, &QToolButton::clicked, &zoom, [zoomBy] { zoomBy(models::ZoomState::kStep); });
    connect(m_out, &QToolButton::clicked, &zoom,
            [zoomBy] { zoomBy(1 / models::ZoomState::kStep); });
    connect(m_follow, &QToolButton::toggled, m_view, &TimelineView::setFollowing);
    connect(m_view, &TimelineView::followingChanged, m_follow, &QToolButton::setChecked);
    connect(&zoom, &models::ZoomState::rangeChanged, this, &TimelinePanel::showState);
    connect(m_view, &TimelineView::lanesChanged, this, &TimelinePanel::showState);
}

/// Buttons that would do nothing are greyed out, and what the filter hides is counted.
void TimelinePanel::showState()
{
    const models::ZoomState& zoom = m_view->zoom();
    const bool isAll = zoom.visible() == zoom.full();
    m_back->setEnabled(zoom.canGoBack());
    m_forward->setEnabled(zoom.canGoForward());
    m_out->setEnabled(!isAll);
    m_fit->setEnabled(!isAll);
    m_overlaps->setEnabled(m_view->hasOverlaps());
    m_overlaps->setChecked(m_view->isOverlapsOnly());
    const int hidden = m_view->hiddenLaneCount();
    m_hidden->setVisible(hidden > 0);
    m_hidden->setFullText(
        tr("%1 hidden").arg(models::countedText(hidden, tr("lane"), tr("lanes"))));
}

} // namespace lockscope::widgets
