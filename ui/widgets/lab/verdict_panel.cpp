#include "ui/widgets/lab/verdict_panel.h"

#include "ui/widgets/controls/harm_mark.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/wrapped_text.h"
#include "ui/widgets/style/palette_colors.h"

#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>

#include <algorithm>
#include <array>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::PromiseListModel;
using models::StoryModel;
using PromiseStanding = PromiseListModel::Standing;

namespace {

constexpr std::array kSpeeds{0.5, 1.0, 2.0, 4.0}; // steps per second
constexpr int kUsualSpeed = 1;
constexpr int kUsualCharacters = 48; // most sentences take one line
constexpr int kLeastCharacters = 44;

constexpr int kLineMargin = 8; // around each line of both lists
constexpr int kLineGap = 4;

int numberWidth(const QFontMetrics& metrics)
{
    return metrics.horizontalAdvance(u"00. "_s);
}

/// Behind the widest of the times: digits are alike, and the last time is the longest.
int textLeft(const QFontMetrics& metrics, const QModelIndex& index)
{
    const QModelIndex last = index.sibling(index.model()->rowCount() - 1, 0);
    const QString longest = last.data(StoryModel::TimeRole).toString();
    return kLineMargin + numberWidth(metrics) + metrics.horizontalAdvance(longest + u"  "_s);
}

QFont fontOf(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    QFont font = option.font;
    font.setBold(index.data(StoryModel::IsViolationRole).toBool());
    return font;
}

bool isTurningPoint(const QModelIndex& index)
{
    return !index.data(StoryModel::TurningPointRole).toString().isEmpty();
}

QString turnCaption()
{
    return VerdictPanel::tr("▲ unavoidable from here on");
}

/// Paints a line of models::StoryModel: its number, when it happened, and what; the violation in
/// red, and below the line of no return that it is one.
class StoryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const StateColors colors = stateColorsOf(option.palette);
        const bool isViolation = index.data(StoryModel::IsViolationRole).toBool();
        painter->save();
        if ((option.state & QStyle::State_Selected) != 0) {
            painter->fillRect(option.rect, colors.selection);
        }
        const QRect content = option.rect.adjusted(kLineMargin, kLineGap, -kLineMargin, -kLineGap);
        const QFontMetrics& metrics = option.fontMetrics;
        painter->setFont(option.font);
        painter->setPen(colors.quiet);
        if (const QString number = index.data(StoryModel::NumberRole).toString();
            !number.isEmpty()) {
            painter->drawText(content, Qt::AlignLeft | Qt::AlignTop,
                              VerdictPanel::tr("%1.").arg(number));
        }
        painter->drawText(content.adjusted(numberWidth(metrics), 0, 0, 0),
                          Qt::AlignLeft | Qt::AlignTop,
                          index.data(StoryModel::TimeRole).toString());
        painter->setFont(fontOf(option, index));
        painter->setPen(isViolation ? colors.red : option.palette.color(QPalette::Text));
        QRect text = content;
        text.setLeft(option.rect.left() + textLeft(metrics, index));
        painter->drawText(text, Qt::TextWordWrap, index.data().toString());
        if (isTurningPoint(index)) {
            painter->setFont(option.font);
            painter->setPen(colors.amber);
            painter->drawText(text, Qt::AlignLeft | Qt::AlignBottom,
                              option.fontMetrics.elidedText(turnCaption(), Qt::ElideRight,
                                                            text.width()));
        }
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const int width = contentWidth(option);
        const int height = wrappedHeight(index.data().toString(), fontOf(option, index),
                                         width - textLeft(option.fontMetrics, index) - kLineMargin);
        const int caption = isTurningPoint(index) ? option.fontMetrics.lineSpacing() : 0;
        return {width, height + caption + 2 * kLineGap};
    }
};

QString markOf(PromiseStanding standing)
{
    switch (standing) {
    case PromiseStanding::Held: return u"✓"_s;
    case PromiseStanding::Untested: return u"!"_s;
    case PromiseStanding::NotExercised: return u"○"_s;
    case PromiseStanding::Broken: // has the mark of its harm
    case PromiseStanding::BrokenAnyway:
    case PromiseStanding::NotApplicable: break;
    }
    return u"–"_s;
}

QColor colorOf(PromiseStanding standing, const StateColors& colors)
{
    switch (standing) {
    case PromiseStanding::Untested: return colors.amber;
    case PromiseStanding::Held: return colors.green;
    case PromiseStanding::Broken:
    case PromiseStanding::BrokenAnyway:
    case PromiseStanding::NotExercised:
    case PromiseStanding::NotApplicable: break;
    }
    return colors.quiet;
}

/// At the upper left corner of the line.
void paintMark(QPainter& painter, const QRect& content, const QModelIndex& index,
               const StateColors& colors, const QFontMetrics& metrics)
{
    const auto standing = index.data(PromiseListModel::StandingRole).value<PromiseStanding>();
    const int harm = index.data(PromiseListModel::HarmRole).toInt();
    if (harm < 0) {
        painter.setPen(colorOf(standing, colors));
        painter.drawText(content, Qt::AlignLeft | Qt::AlignTop, markOf(standing));
        return;
    }
    const double side = metrics.height();
    const QRectF ground(content.left() - 3, content.top(), side, side);
    paintHarmBadge(painter, ground, static_cast<search::Harm>(harm),
                   standing == PromiseStanding::Broken, colors);
}

int markWidth(const QFontMetrics& metrics)
{
    return metrics.horizontalAdvance(u"✕"_s) + 2 * kLineGap;
}

/// Paints a line of models::PromiseListModel: a mark with a shape of its own, the promise and what
/// became of it, and below in grey the evidence.
class VerdictDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const StateColors colors = stateColorsOf(option.palette);
        const auto standing = index.data(PromiseListModel::StandingRole).value<PromiseStanding>();
        painter->save();
        if ((option.state & QStyle::State_Selected) != 0) {
            painter->fillRect(option.rect, colors.selection);
        }
        const QRect content = option.rect.adjusted(kLineMargin, kLineGap, -kLineMargin, -kLineGap);
        painter->setFont(option.font);
        paintMark(*painter, content, index, colors, option.fontMetrics);
        const QRect text = content.adjusted(markWidth(option.fontMetrics), 0, 0, 0);
        const bool isQuiet = standing == PromiseStanding::NotApplicable
                             || standing == PromiseStanding::NotExercised;
        painter->setPen(isQuiet ? colors.quiet : option.palette.color(QPalette::Text));
        const QString title = index.data().toString();
        painter->drawText(text, Qt::TextWordWrap, title);
        const int titleHeight = wrappedHeight(title, option.font, text.width());
        painter->setPen(colors.quiet);
        painter->drawText(text.adjusted(0, titleHeight, 0, 0), Qt::TextWordWrap,
                          index.data(PromiseListModel::DetailRole).toString());
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const int width = contentWidth(option);
        const int textWidth = width - 2 * kLineMargin - markWidth(option.fontMetrics);
        const QString detail = index.data(PromiseListModel::DetailRole).toString();
        const int detailHeight = detail.isEmpty() ? 0
                                                  : wrappedHeight(detail, option.font, textWidth);
        const int titleHeight = wrappedHeight(index.data().toString(), option.font, textWidth);
        return {width, titleHeight + detailHeight + 2 * kLineGap};
    }
};

} // namespace

VerdictPanel::VerdictPanel(models::PromiseListModel& promises, models::StoryModel& story,
                           QWidget* parent)
    : QWidget(parent),
      m_promises(promises),
      m_story(story)
{
    setObjectName(u"verdictPanel"_s);
    createLists();
    m_storyTitle = createElidedCaption(this);
    m_storyTitle->setObjectName(u"storyTitle"_s);
    createButtons();
    m_outputs = new QPushButton(tr("Save or e&xport"), this);
    m_outputs->setObjectName(u"runOutputsButton"_s);
    // The room takes what is left where there is no story.
    createColumn(this, {12, 12, 12, 12}, 6,
                 {createCaption(tr("Verdict"), this), growing(m_verdicts, 2), m_storyTitle,
                  growing(m_lines, 3), m_buttons, room(0), aligned(m_outputs, Qt::AlignLeft)});
    connectLists();
    refresh();
}

void VerdictPanel::createLists()
{
    m_verdicts = createList(u"verdictList"_s, tr("Verdict"));
    m_verdicts->setModel(&m_promises);
    m_verdicts->setItemDelegate(new VerdictDelegate(m_verdicts));
    // No higher than what it says: the rest belongs to the story.
    m_verdicts->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    m_verdicts->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_lines = createList(u"storyList"_s, tr("Story"));
    m_lines->setModel(&m_story);
    m_lines->setItemDelegate(new StoryDelegate(m_lines));
    setFocusProxy(m_lines);
}

void VerdictPanel::connectLists()
{
    connect(m_verdicts->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) { Q_EMIT promiseSelected(current.row()); });
    connect(m_lines->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                refresh();
                Q_EMIT lineSelected(current.row());
            });
    connect(&m_story, &QAbstractItemModel::modelReset, this, &VerdictPanel::refresh);
    // A line that is marked grows, and pushes those behind it out of sight.
    connect(&m_story, &QAbstractItemModel::dataChanged, m_lines,
            [this] { m_lines->scrollTo(m_lines->currentIndex()); });
}

QListView* VerdictPanel::createList(const QString& name, const QString& accessibleName)
{
    auto* list = new QListView(this);
    list->setObjectName(name);
    list->setAccessibleName(accessibleName);
    list->setFrameShape(QFrame::NoFrame);
    list->setResizeMode(QListView::Adjust);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return list;
}

QPushButton* VerdictPanel::createButton(const QString& name, const QString& text,
                                        const QString& spoken)
{
    auto* button = new QPushButton(text, m_buttons);
    button->setObjectName(name);
    button->setAccessibleName(spoken);
    return button;
}

void VerdictPanel::createButtons()
{
    m_buttons = new QWidget(this);
    m_back = createButton(u"stepBackButton"_s, tr("◂ Step"), tr("Step back"));
    m_forward = createButton(u"stepForwardButton"_s, tr("Step ▸"), tr("Step forward"));
    m_play = createButton(u"playButton"_s, {}, tr("Play the story"));
    m_speed = new QComboBox(m_buttons);
    m_speed->setObjectName(u"playSpeedBox"_s);
    m_speed->setAccessibleName(tr("Speed"));
    m_speed->setToolTip(tr("Steps of the story per second"));
    for (const double perSecond : kSpeeds) {
        m_speed->addItem(tr("%1/s").arg(perSecond), perSecond);
    }
    m_speed->setCurrentIndex(kUsualSpeed);
    createRow(m_buttons, {0, 4, 0, 0}, 6, {m_back, m_forward, m_play, m_speed, room()});
    connect(m_back, &QPushButton::clicked, this, [this] { step(-1); });
    connect(m_forward, &QPushButton::clicked, this, [this] { step(1); });
    connect(m_play, &QPushButton::clicked, this, [this] { setPlaying(!m_playing.isActive()); });
    connect(&m_playing, &QTimer::timeout, this, &VerdictPanel::playOn);
    connect(m_speed, &QComboBox::currentIndexChanged, this, [this] {
        if (m_playing.isActive()) {
            setPlaying(true);
        }
    });
}

void VerdictPanel::setOutputMenu(QMenu* menu)
{
    m_outputs->setMenu(menu);
}

QSize VerdictPanel::sizeHint() const
{
    const int width = fontMetrics().averageCharWidth() * kUsualCharacters;
    return QWidget::sizeHint().expandedTo({width, 0});
}

QSize VerdictPanel::minimumSizeHint() const
{
    const int width = fontMetrics().averageCharWidth() * kLeastCharacters;
    return QWidget::minimumSizeHint().expandedTo({width, 0});
}

void VerdictPanel::setStoryTitle(const QString& title)
{
    m_storyTitle->setFullText(title.toUpper()); // as all captions are
}

void VerdictPanel::selectPromise(int row)
{
    m_verdicts->setCurrentIndex(m_promises.index(row));
}

void VerdictPanel::selectLine(int row)
{
    m_lines->setCurrentIndex(m_story.index(row));
}

int VerdictPanel::selectedLine() const
{
    return m_lines->currentIndex().row();
}

void VerdictPanel::step(int by)
{
    const int last = m_story.rowCount() - 1;
    selectLine(std::clamp(selectedLine() + by, 0, std::max(last, 0)));
}

/// From the beginning, when the end is what is shown.
void VerdictPanel::setPlaying(bool isPlaying)
{
    if (!isPlaying) {
        m_playing.stop();
    } else {
        const double perSecond = m_speed->currentData().toDouble();
        m_playing.start(static_cast<int>(1000 / perSecond));
        if (selectedLine() + 1 >= m_story.rowCount()) {
            selectLine(0);
        }
    }
    refresh();
}

void VerdictPanel::playOn()
{
    step(1);
    if (selectedLine() + 1 >= m_story.rowCount()) {
        setPlaying(false);
    }
}

void VerdictPanel::refresh()
{
    const int lineCount = m_story.rowCount();
    if (lineCount == 0) {
        m_playing.stop();
    }
    m_play->setText(m_playing.isActive() ? tr("❚❚ Pause") : tr("▶ Play"));
    m_play->setEnabled(lineCount > 1);
    m_storyTitle->setVisible(lineCount > 0);
    m_lines->setVisible(lineCount > 0);
    m_buttons->setVisible(lineCount > 0);
    m_back->setEnabled(selectedLine() > 0);
    m_forward->setEnabled(selectedLine() + 1 < lineCount);
}

} // namespace lockscope::widgets
