#include "ui/widgets/shell/status_strip.h"

#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/status_dot.h"
#include "ui/widgets/controls/status_wording.h"
#include "ui/widgets/style/tones.h"

#include <QEvent>
#include <QProgressBar>
#include <QTimer>

#include <chrono>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

/// Long enough for a user who looks up from the keyboard.
constexpr std::chrono::seconds kNewsFor{20};

QLabel* createPart(const QString& name, QWidget* parent)
{
    QLabel* label = createQuietLabel({}, parent);
    label->setObjectName(name);
    return label;
}

} // namespace

StatusStrip::StatusStrip(QWidget* parent) : Strip(Qt::TopEdge, parent)
{
    setObjectName(u"statusStrip"_s);
    createParts();
    m_newsEnd = new QTimer(this);
    m_newsEnd->setSingleShot(true);
    m_newsEnd->setInterval(kNewsFor);
    connect(m_newsEnd, &QTimer::timeout, this, [this] { showNews({}); });
    createRow(this, {12, 1, 12, 0}, 6,
              {m_dot, m_link, gap(14), m_sweep, m_progress, gap(14), m_counts, gap(14), m_cost,
               gap(14), growing(m_reason), m_time});
}

void StatusStrip::createParts()
{
    m_dot = new StatusDot(this);
    m_dot->setObjectName(u"linkDot"_s);
    m_link = createPart(u"linkText"_s, this);
    m_sweep = createPart(u"sweepText"_s, this);
    m_counts = createPart(u"countsText"_s, this);
    m_cost = createPart(u"costText"_s, this);
    m_cost->setToolTip(costExplanation());
    m_time = createPart(u"timeText"_s, this);
    m_reason = new ElidedLabel(Qt::ElideRight, this);
    m_reason->setObjectName(u"reasonText"_s);
    m_progress = new QProgressBar(this);
    m_progress->setObjectName(u"sweepProgress"_s);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(fontMetrics().averageCharWidth() * 14, 4);
}

QSize StatusStrip::sizeHint() const
{
    return {QWidget::sizeHint().width(), fontMetrics().height() + 12};
}

void StatusStrip::showState(const WatchState& state, qint64 lockCount, Instant now)
{
    showLink(state, now);
    showSweep(state, lockCount);
    m_counts->setVisible(state.isOpen());
    m_cost->setVisible(state.wasOnline());
    if (state.isOpen()) {
        m_counts->setText(lockCountWording(lockCount, state.load().changesPerSecond));
        m_cost->setText(costWording(state.load()));
    }
}

void StatusStrip::showLink(const WatchState& state, Instant now)
{
    const LinkWording wording = linkWording(state, now);
    m_dot->setTone(wording.tone);
    m_link->setText(wording.text);
    m_link->setToolTip(wording.reason);
    m_linkReason = wording.reason;
    showReason();
}

void StatusStrip::showSweep(const WatchState& state, qint64 lockCount)
{
    const WatchState::Sweep sweep = state.sweep();
    const bool isKnown = state.wasOnline() && (sweep.total > 0 || !sweep.isRunning);
    m_sweep->setVisible(isKnown);
    m_progress->setVisible(isKnown && sweep.isRunning);
    m_sweep->setText(sweepWording(sweep, lockCount));
    m_progress->setValue(static_cast<int>(sweep.share() * m_progress->maximum()));
}

void StatusStrip::showTime(WallTime now)
{
    const QDateTime shown = models::shownTime(now);
    m_time->setText(shown.toString(u"HH:mm:ss "_s) + shown.timeZoneAbbreviation());
}

void StatusStrip::showNews(const QString& news)
{
    m_news = news;
    news.isEmpty() ? m_newsEnd->stop() : m_newsEnd->start();
    showReason();
}

void StatusStrip::showReason()
{
    m_reason->setFullText(m_news.isEmpty() ? m_linkReason : m_news);
    colorTexts();
}

void StatusStrip::colorTexts()
{
    QPalette link = palette();
    link.setColor(QPalette::PlaceholderText, colorOf(m_dot->tone(), palette()));
    m_link->setPalette(link);
    m_reason->setForegroundRole(QPalette::PlaceholderText);
}

void StatusStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_reason != nullptr) {
        colorTexts();
    }
}

} // namespace lockscope::widgets
