#include "lab/lab_bar.h"

#include "formatting.h"
#include "latency_text.h"
#include "shell/flat_style.h"
#include "shell/labels.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using service::SearchProgress;
using Phase = SearchProgress::Phase;

LabBar::LabBar(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"labBar"_s);
    m_find = new QPushButton(tr("&Find a way to break it"), this);
    m_find->setObjectName(u"findButton"_s);
    m_find->setToolTip(tr("Search simulated worlds for the shortest story in which it breaks"));
    setEmphasis(m_find, Emphasis::Primary);
    m_cancel = new QPushButton(tr("St&op"), this);
    m_cancel->setObjectName(u"cancelSearchButton"_s);
    m_progress = new QProgressBar(this);
    m_progress->setObjectName(u"searchProgress"_s);
    m_progress->setAccessibleName(tr("Progress of the search"));
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(4);
    m_numbers = createQuietLabel({}, this);
    m_numbers->setObjectName(u"searchNumbers"_s);
    m_copy = new QPushButton(tr("Copy as &command"), this);
    m_copy->setObjectName(u"copySearchCommandButton"_s);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 16, 9);
    layout->setSpacing(8);
    layout->addWidget(m_find);
    layout->addWidget(m_cancel);
    layout->addSpacing(8);
    layout->addWidget(m_progress, 1);
    layout->addWidget(m_numbers);
    layout->addStretch(0); // takes the place of a progress that is over
    layout->addWidget(m_copy);
    connect(m_find, &QPushButton::clicked, this, &LabBar::findRequested);
    connect(m_cancel, &QPushButton::clicked, this, &LabBar::cancelRequested);
    connect(m_copy, &QPushButton::clicked, this, &LabBar::copyCommandRequested);
    showProgress({});
}

void LabBar::showProgress(const SearchProgress& progress)
{
    const bool isUnderWay = progress.phase == Phase::Searching || progress.phase == Phase::Telling;
    m_find->setEnabled(!isUnderWay);
    m_cancel->setEnabled(isUnderWay);
    m_progress->setVisible(isUnderWay);
    m_progress->setRange(0, static_cast<int>(progress.partCount));
    m_progress->setValue(static_cast<int>(progress.doneCount));
    m_numbers->setText(progress.phase == Phase::Idle ? QString() : progressText(progress));
}

void LabBar::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

QString progressText(const SearchProgress& progress)
{
    const search::Coverage& coverage = progress.coverage;
    const auto counted = [](std::uint64_t count) {
        return models::countText(static_cast<std::int64_t>(count));
    };
    QStringList parts{LabBar::tr("%1 schedules").arg(counted(coverage.schedules))};
    if (!progress.isOver()) {
        parts += LabBar::tr("%1/s").arg(counted(progress.schedulesPerSecond));
    }
    parts += LabBar::tr("%1 states").arg(counted(coverage.states));
    parts += LabBar::tr("deepest %1")
                 .arg(models::countedText(coverage.longest, LabBar::tr("step"),
                                          LabBar::tr("steps")));
    parts += models::latencyText(progress.elapsed);
    if (progress.phase == Phase::Telling) {
        parts.prepend(LabBar::tr("making stories short"));
    } else if (progress.phase == Phase::Cancelled) {
        parts.prepend(LabBar::tr("stopped"));
    }
    return parts.join(u" · "_s);
}

} // namespace lockscope::widgets
