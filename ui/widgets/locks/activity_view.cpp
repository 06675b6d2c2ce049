#include "ui/widgets/locks/activity_view.h"

#include "ui/models/locks/activity_filter.h"
#include "ui/models/locks/activity_model.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/controls/save_text.h"
#include "ui/widgets/locks/activity_panel.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

ActivityView::ActivityView(models::ActivityModel& activity, Prompter& prompter, QWidget* parent)
    : QWidget(parent),
      m_prompter(prompter)
{
    m_filter = new models::ActivityFilter(this);
    m_filter->setSourceModel(&activity);
    m_list = new ActivityPanel(*m_filter, this);
    connect(m_list, &ActivityPanel::lockChosen, this, &ActivityView::lockChosen);
    m_words = new QLineEdit(this);
    m_words->setObjectName(u"activityFilter"_s);
    m_words->setAccessibleName(tr("Filter the activity"));
    m_words->setPlaceholderText(tr("Filter: words of a line, such as a key or “released”"));
    m_words->setClearButtonEnabled(true);
    connect(m_words, &QLineEdit::textChanged, m_filter, &models::ActivityFilter::setText);
    auto* more = new QToolButton(this);
    more->setObjectName(u"activityMenu"_s);
    more->setText(tr("Export"));
    more->setPopupMode(QToolButton::InstantPopup);
    createColumn(this, {}, 0,
                 {createRow(8, {gap(9), growing(m_words), more, gap(6)}), growing(m_list)});
    createActions();
    more->addActions(m_list->actions().mid(1)); // not the copy, which belongs to lines
}

void ActivityView::createActions()
{
    QAction* const copyLines = createAction(u"copyActivity"_s, tr("Copy lines"));
    connect(copyLines, &QAction::triggered, this, &ActivityView::copy);
    connect(m_list, &ActivityPanel::copyRequested, this, &ActivityView::copy);
    connect(createAction(u"exportActivityCsv"_s, tr("Export as CSV…")), &QAction::triggered, this,
            [this] {
                save(tr("CSV (*.csv)"), u"activity.csv"_s, models::activityAsCsv(*m_filter));
            });
    connect(createAction(u"exportActivityJson"_s, tr("Export as JSON…")), &QAction::triggered, this,
            [this] {
                save(tr("JSON (*.json)"), u"activity.json"_s, models::activityAsJson(*m_filter));
            });
    m_list->setContextMenuPolicy(Qt::ActionsContextMenu);
}

QAction* ActivityView::createAction(const QString& name, const QString& text)
{
    auto* action = new QAction(text, m_list);
    action->setObjectName(name);
    m_list->addAction(action);
    return action;
}

void ActivityView::copy() const
{
    QModelIndexList rows = m_list->selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QStringList lines;
    for (const QModelIndex& row : rows) {
        lines += models::activityLine(*m_filter, row.row());
    }
    if (!lines.isEmpty()) {
        QGuiApplication::clipboard()->setText(lines.join(u'\n'));
    }
}

void ActivityView::save(const QString& kind, const QString& fileName, const std::string& text)
{
    saveText(m_prompter, *this, {tr("Export the activity"), kind, fileName},
             QByteArray::fromStdString(text));
}

void ActivityView::refresh()
{
    m_list->viewport()->update();
}

void ActivityView::addListAction(QAction* action)
{
    m_list->addAction(action);
}

} // namespace lockscope::widgets
