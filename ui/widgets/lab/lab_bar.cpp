#include "ui/widgets/lab/lab_bar.h"

#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/style/flat_style.h"

#include <QProgressBar>
#include <QPushButton>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

/// Less than a progress bar asks for: a page that searches is to be no wider than one that shows.
constexpr int kNarrowProgress = 24; // px

} // namespace

LabBar::LabBar(QWidget* parent) : Strip(Qt::BottomEdge, parent)
{
    setObjectName(u"labBar"_s);
    m_find = createButton(u"findButton"_s, tr("&Find a violation"), this,
                          tr("Search the simulation for the shortest run that violates a promise"));
    setEmphasis(m_find, Emphasis::Primary);
    m_simulate = createButton(u"simulateButton"_s, tr("&Simulate"), this,
                              tr("Random runs in virtual time, reproducible by their seed"));
    m_contend = createButton(
        u"contendButton"_s, tr("Run &live"), this,
        tr("Run for ten seconds on private servers; use the Contend page for your own servers"));
    m_prove =
        createButton(u"proveButton"_s, tr("Pro&ve…"), this,
                     tr("Search a real client, in any language, for a way to break its lock"));
    m_pause = createButton(u"pauseSearchButton"_s, {}, this, tr("Pause the search"));
    m_cancel = createButton(u"cancelSearchButton"_s, tr("St&op"), this,
                            tr("Stop the search and keep the results so far"));
    createProgress();
    m_open = createButton(u"openRunButton"_s, tr("&Open…"), this,
                          tr("Open a saved run, a counterexample of lockscope-cli or a scenario"));
    m_copy = createButton(u"copySearchCommandButton"_s, tr("Copy as &command"), this,
                          tr("Copy the lockscope-cli command that reproduces this tab"));
    // The room takes the place of a progress that is over.
    createRow(this, {16, 8, 16, 9}, 8,
              {m_find, m_simulate, m_contend, m_prove, m_pause, m_cancel, gap(8),
               growing(m_progress), m_numbers, room(0), m_open, m_copy});
    connectButtons();
    showActivity({});
    setCopyable(false);
}

void LabBar::createProgress()
{
    m_progress = createProgressLine(u"searchProgress"_s, tr("Progress of the search"), this);
    m_progress->setMinimumWidth(kNarrowProgress);
    m_numbers = new ElidedLabel(Qt::ElideRight, this);
    m_numbers->setForegroundRole(QPalette::PlaceholderText);
    m_numbers->setObjectName(u"searchNumbers"_s);
}

void LabBar::connectButtons()
{
    connect(m_find, &QPushButton::clicked, this, &LabBar::findRequested);
    connect(m_simulate, &QPushButton::clicked, this, &LabBar::simulateRequested);
    connect(m_contend, &QPushButton::clicked, this, &LabBar::contendRequested);
    connect(m_prove, &QPushButton::clicked, this, &LabBar::proofRequested);
    connect(m_pause, &QPushButton::clicked, this, [this] { Q_EMIT pauseRequested(!m_isPaused); });
    connect(m_cancel, &QPushButton::clicked, this, &LabBar::cancelRequested);
    connect(m_open, &QPushButton::clicked, this, &LabBar::openRequested);
    connect(m_copy, &QPushButton::clicked, this, &LabBar::copyCommandRequested);
}

void LabBar::setReady(bool isReady)
{
    m_isReady = isReady;
    refreshStarters();
}

void LabBar::refreshStarters()
{
    for (QPushButton* button : {m_find, m_simulate, m_contend}) {
        button->setEnabled(m_isReady && !m_isUnderWay);
    }
    m_prove->setEnabled(!m_isUnderWay); // the form is about other runs
    m_prove->setVisible(!m_isUnderWay); // its room is the progress's
}

void LabBar::showActivity(const models::LabActivity& activity)
{
    m_isUnderWay = activity.isUnderWay;
    refreshStarters();
    m_isPaused = activity.isPaused;
    m_pause->setText(m_isPaused ? tr("&Resume") : tr("&Pause"));
    m_pause->setEnabled(activity.isUnderWay && activity.canPause && !activity.isStopping);
    m_cancel->setEnabled(activity.isUnderWay && !activity.isStopping);
    m_progress->setVisible(activity.isUnderWay);
    m_progress->setValue(static_cast<int>(activity.share * kProgressMax));
    m_numbers->setFullText(activity.text);
}

void LabBar::setCopyable(bool isCopyable)
{
    m_copy->setEnabled(isCopyable);
}

} // namespace lockscope::widgets
