#include "lab/verdict_panel.h"

#include "lab/story_delegate.h"
#include "lab/verdict_delegate.h"
#include "shell/labels.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

VerdictPanel::VerdictPanel(models::PromiseListModel& promises, models::StoryModel& story,
                           QWidget* parent)
    : QWidget(parent),
      m_promises(promises),
      m_story(story)
{
    setObjectName(u"verdictPanel"_s);
    m_verdicts = createList(u"verdictList"_s, tr("Verdict"));
    m_verdicts->setModel(&promises);
    m_verdicts->setItemDelegate(new VerdictDelegate(m_verdicts));
    m_lines = createList(u"storyList"_s, tr("Story"));
    m_lines->setModel(&story);
    m_lines->setItemDelegate(new StoryDelegate(m_lines));
    m_storyTitle = createCaption({}, this);
    m_storyTitle->setObjectName(u"storyTitle"_s);
    createButtons();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->setSpacing(6);
    layout->addWidget(createCaption(tr("Verdict"), this));
    layout->addWidget(m_verdicts, 2);
    layout->addWidget(m_storyTitle);
    layout->addWidget(m_lines, 3);
    layout->addWidget(m_buttons);
    connect(m_verdicts->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) { Q_EMIT promiseSelected(current.row()); });
    connect(m_lines->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                refresh();
                Q_EMIT lineSelected(current.row());
            });
    connect(&story, &QAbstractItemModel::modelReset, this, &VerdictPanel::refresh);
    refresh();
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

void VerdictPanel::createButtons()
{
    m_buttons = new QWidget(this);
    const auto create = [this](const QString& name, const QString& text) {
        auto* button = new QPushButton(text, m_buttons);
        button->setObjectName(name);
        return button;
    };
    m_back = create(u"stepBackButton"_s, tr("◂ Step"));
    m_back->setAccessibleName(tr("Step back"));
    m_forward = create(u"stepForwardButton"_s, tr("Step ▸"));
    m_forward->setAccessibleName(tr("Step forward"));
    auto* copy = create(u"copyStoryButton"_s, tr("Cop&y story"));
    auto* layout = new QHBoxLayout(m_buttons);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_back);
    layout->addWidget(m_forward);
    layout->addStretch(1);
    layout->addWidget(copy);
    connect(m_back, &QPushButton::clicked, this, [this] { step(-1); });
    connect(m_forward, &QPushButton::clicked, this, [this] { step(1); });
    connect(copy, &QPushButton::clicked, this, &VerdictPanel::copyStoryRequested);
}

void VerdictPanel::setStoryTitle(const QString& title)
{
    m_storyTitle->setText(title.toUpper()); // as all captions are
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

void VerdictPanel::refresh()
{
    const int lineCount = m_story.rowCount();
    m_storyTitle->setVisible(lineCount > 0);
    m_buttons->setVisible(lineCount > 0);
    m_back->setEnabled(selectedLine() > 0);
    m_forward->setEnabled(selectedLine() + 1 < lineCount);
}

} // namespace lockscope::widgets
