#include "ui/widgets/audit/audit_window.h"

#include "ui/models/audit/audit_model.h"
#include "ui/models/formatting.h"
#include "ui/widgets/audit/audit_details.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/controls/save_text.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QTreeView>
#include <QtConcurrentRun>

#include <algorithm>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::AuditModel;

namespace {

constexpr int kRowGap = 6;

/// Keys and owners in the font of keys, outcomes in the colour of how they ended.
class AuditDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(0, kRowGap);
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const int column = index.column();
        if (column == AuditModel::KeyColumn || column == AuditModel::OwnerColumn) {
            option->font = monospacedFont();
            option->textElideMode = Qt::ElideMiddle;
        } else if (column == AuditModel::OutcomeColumn) {
            const QColor color = severityColor(index.data(AuditModel::SeverityRole).toInt(),
                                               option->palette);
            option->palette.setColor(QPalette::Text, color);
            option->palette.setColor(QPalette::HighlightedText, color);
        }
    }
};

} // namespace

AuditWindow::AuditWindow(service::AuditReader read, Prompter& prompter, QWidget* parent)
    : QDialog(parent, Qt::Window),
      m_read(std::move(read)),
      m_prompter(prompter)
{
    setObjectName(u"auditWindow"_s);
    setWindowTitle(tr("Audit of releases"));
    m_model = new AuditModel(this);
    createTable();
    createActions();
    m_details = new AuditDetails(this);
    m_empty = createWrappedText(u"auditEmpty"_s, this);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setTextFormat(Qt::PlainText);
    createColumn(this, {20, 18, 20, 16}, 10,
                 {createHead(), m_words, growing(m_empty), growing(m_table), m_details,
                  createButtons()});
    resize(fontMetrics().averageCharWidth() * 150, fontMetrics().height() * 40);
    connect(&m_reading, &QFutureWatcherBase::finished, this, &AuditWindow::takeReading);
    showEmptiness();
}

/// A reading that is under way refers to nothing of this; it is waited for so that it does not
/// outlive the program.
AuditWindow::~AuditWindow()
{
    m_reading.disconnect(this);
    m_reading.waitForFinished();
}

QWidget* AuditWindow::createHead()
{
    auto* head = new QWidget(this);
    m_file = createQuietLabel({}, head);
    m_file->setObjectName(u"auditFileName"_s);
    m_file->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_verdict = createWrappedText(u"auditVerdict"_s, head);
    m_copyHash = new QPushButton(tr("Copy the last hash"), head);
    m_copyHash->setObjectName(u"copyAuditHash"_s);
    m_copyHash->setAutoDefault(false);
    m_copyHash->setToolTip(tr("Kept elsewhere, it shows later whether lines were removed at the "
                              "end: lockscope-cli audit --expect HASH"));
    connect(m_copyHash, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(models::toQString(m_model->trail().chain.head()));
    });
    createColumn(head, {}, 4,
                 {m_file, createRow(10, {growing(m_verdict), aligned(m_copyHash, Qt::AlignTop)})});
    m_words = new QLineEdit(this);
    m_words->setObjectName(u"auditFilter"_s);
    m_words->setAccessibleName(tr("Filter the attempts"));
    m_words->setPlaceholderText(tr("Filter: words of an attempt, such as a key, a user or "
                                   "“refused”"));
    m_words->setClearButtonEnabled(true);
    connect(m_words, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_model->setFilter(words);
        showEmptiness();
        showChosen();
    });
    return head;
}

void AuditWindow::createTable()
{
    m_table = new QTreeView(this);
    m_table->setObjectName(u"auditTable"_s);
    m_table->setAccessibleName(tr("Past attempts"));
    m_table->setModel(m_model);
    m_table->setItemDelegate(new AuditDelegate(m_table));
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAllColumnsShowFocus(true);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->header()->setStretchLastSection(true);
    const auto fit = [this](int column, int characters) {
        m_table->header()->resizeSection(column, fontMetrics().averageCharWidth() * characters);
    };
    fit(AuditModel::TimeColumn, 22);
    fit(AuditModel::ServerColumn, 18);
    fit(AuditModel::KeyColumn, 24);
    fit(AuditModel::ActionColumn, 13);
    fit(AuditModel::OutcomeColumn, 15);
    fit(AuditModel::OwnerColumn, 22);
    fit(AuditModel::ByColumn, 16);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &AuditWindow::showChosen);
}

void AuditWindow::createActions()
{
    auto* copy = new QAction(tr("Copy lines"), this);
    copy->setObjectName(u"copyAuditLines"_s);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &AuditWindow::copyLines);
    m_table->addAction(copy);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
}

QWidget* AuditWindow::createButtons()
{
    auto* buttons = new QWidget(this);
    auto* again = new QPushButton(tr("Reload"), buttons);
    again->setObjectName(u"reloadAudit"_s);
    again->setAutoDefault(false);
    again->setShortcut(Qt::Key_F5);
    connect(again, &QPushButton::clicked, this, &AuditWindow::reload);
    auto* more = new QToolButton(buttons);
    more->setObjectName(u"exportAudit"_s);
    more->setText(tr("Export"));
    more->setPopupMode(QToolButton::InstantPopup);
    auto* csv = new QAction(tr("Export as CSV…"), more);
    csv->setObjectName(u"exportAuditCsv"_s);
    connect(csv, &QAction::triggered, this,
            [this] { save(tr("CSV (*.csv)"), u"audit.csv"_s, m_model->asCsv()); });
    auto* json = new QAction(tr("Export as JSON…"), more);
    json->setObjectName(u"exportAuditJson"_s);
    connect(json, &QAction::triggered, this,
            [this] { save(tr("JSON (*.json)"), u"audit.json"_s, m_model->asJson()); });
    more->addActions({csv, json});
    auto* close = new QPushButton(tr("Close"), buttons);
    close->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    createRow(buttons, {}, 8, {again, more, room(), close});
    return buttons;
}

void AuditWindow::showEvent(QShowEvent* event)
{
    QDialog::showEvent(event);
    reload();
}

void AuditWindow::reload()
{
    if (m_reading.isRunning()) {
        return; // it is being read as it is now
    }
    m_verdict->setText(tr("Reading…"));
    m_verdict->setPalette(palette());
    m_reading.setFuture(QtConcurrent::run(m_read));
}

void AuditWindow::takeReading()
{
    service::AuditReading reading = m_reading.result();
    m_file->setText(reading.file);
    m_problem = reading.isMissing ? tr("No attempt to change a lock was ever made from here. Each "
                                       "will be recorded in this file before it is sent.")
                                  : reading.problem;
    m_model->setTrail(std::move(reading.trail));
    showVerdict();
    showEmptiness();
    if (m_model->rowCount() > 0) {
        m_table->setCurrentIndex(m_model->index(0, 0));
    }
    showChosen();
}

void AuditWindow::showVerdict()
{
    const report::AuditChainState& chain = m_model->trail().chain;
    m_copyHash->setVisible(!chain.head().empty());
    m_verdict->setVisible(m_problem.isEmpty());
    const int severity = !chain.isIntact() ? 2 : (chain.linkedCount == 0 ? 1 : 0);
    showRemark(*m_verdict, models::toQString(report::chainSentence(chain)), severity);
    m_verdict->setVisible(m_problem.isEmpty());
}

void AuditWindow::showEmptiness()
{
    const bool isEmpty = m_model->rowCount() == 0;
    m_table->setVisible(!isEmpty);
    m_empty->setVisible(isEmpty);
    m_empty->setText(!m_problem.isEmpty()               ? m_problem
                     : m_model->trail().records.empty() ? tr("No attempts are recorded.")
                                                        : tr("No attempt has these words."));
}

void AuditWindow::showChosen()
{
    const QModelIndex current = m_table->currentIndex();
    const bool isChosen = current.isValid() && current.row() < m_model->rowCount();
    m_details->showRecord(isChosen ? &m_model->recordAt(current.row()) : nullptr);
}

void AuditWindow::copyLines() const
{
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QStringList lines;
    for (const QModelIndex& row : rows) {
        lines += m_model->lineAt(row.row());
    }
    if (!lines.isEmpty()) {
        QGuiApplication::clipboard()->setText(lines.join(u'\n'));
    }
}

void AuditWindow::save(const QString& kind, const QString& fileName, const std::string& text)
{
    saveText(m_prompter, *this, {tr("Export the audit"), kind, fileName},
             QByteArray::fromStdString(text));
}

} // namespace lockscope::widgets
