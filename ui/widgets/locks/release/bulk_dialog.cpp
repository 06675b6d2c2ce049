#include "ui/widgets/locks/release/bulk_dialog.h"

#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/locks/release/plan_checks.h"
#include "ui/widgets/locks/release/undo_offer.h"
#include "ui/widgets/style/flat_style.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using State = BulkItem::State;
using inspect::ReleaseAction;

namespace {

enum Column { KeyColumn, VerdictColumn, WhatColumn, ColumnCount };

constexpr auto kDefaultCap = u"60s";
constexpr int kRowPadding = 8;

bool isHealthy(const BulkItem& item)
{
    return inspect::severityOf(*item.watched) == 0;
}

} // namespace

BulkDialog::BulkDialog(service::ReleaseDesk& desk, std::function<FactContext()> context,
                       ReleaseAction action, const std::vector<inspect::LockPtr>& locks,
                       QWidget* parent)
    : QDialog(parent),
      m_context(std::move(context)),
      m_action(action),
      m_bulk(desk, action)
{
    const bool isCap = action == ReleaseAction::CapTtl;
    setObjectName(u"bulkDialog"_s);
    setWindowTitle(isCap ? tr("Cap the TTL of several locks") : tr("Release several locks"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(10);
    m_summary = new QLabel(this);
    m_summary->setObjectName(u"bulkSummary"_s);
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    layout->addWidget(m_summary);
    m_destination = createWrappedText(u"planDestination"_s, this);
    m_destination->setTextFormat(Qt::PlainText);
    layout->addWidget(m_destination);
    createTable(static_cast<int>(locks.size()));
    layout->addWidget(m_table, 1);
    createFields(*layout);
    m_undo = new UndoOffer(m_context, this);
    layout->addWidget(m_undo);
    createButtons(*layout);
    resize(fontMetrics().averageCharWidth() * 130, fontMetrics().height() * 30);
    connectBulk();
    m_bulk.read(locks);
    for (std::size_t item = 0; item < locks.size(); ++item) {
        showItem(item);
    }
    refresh();
}

void BulkDialog::connectBulk()
{
    connect(&m_bulk, &BulkRelease::itemChanged, this, [this](std::size_t item) {
        showItem(item);
        refresh();
    });
    connect(&m_bulk, &BulkRelease::readAll, this, &BulkDialog::takeCap);
    connect(&m_bulk, &BulkRelease::attempted, this, &BulkDialog::attempted);
    connect(&m_bulk, &BulkRelease::over, this, &BulkDialog::finish);
    connect(m_undo, &UndoOffer::undoRequested, this, &BulkDialog::undo);
}

void BulkDialog::createTable(int lockCount)
{
    m_table = new QTableWidget(lockCount, ColumnCount, this);
    m_table->setObjectName(u"bulkTable"_s);
    m_table->setAccessibleName(tr("Locks, and what will be done"));
    m_table->setHorizontalHeaderLabels({tr("Key"), tr("Verdict"), tr("What will be done")});
    m_table->verticalHeader()->hide();
    m_table->setShowGrid(false);
    m_table->setWordWrap(true);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setColumnWidth(KeyColumn, fontMetrics().averageCharWidth() * 36);
    m_table->setColumnWidth(VerdictColumn, fontMetrics().averageCharWidth() * 30);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int row = 0; row < lockCount; ++row) {
        for (int column = 0; column < ColumnCount; ++column) {
            m_table->setItem(row, column, new QTableWidgetItem);
        }
        m_table->item(row, KeyColumn)->setFont(monospacedFont());
    }
    connect(m_table, &QTableWidget::itemChanged, this, [this](const QTableWidgetItem* item) {
        if (!m_isShowing && item->column() == KeyColumn) {
            m_bulk.setIncluded(static_cast<std::size_t>(item->row()),
                               item->checkState() == Qt::Checked);
        }
    });
}

void BulkDialog::createFields(QVBoxLayout& layout)
{
    m_fields = new QWidget(this);
    auto* fields = new QVBoxLayout(m_fields);
    fields->setContentsMargins(0, 0, 0, 0);
    const auto add = [&](const QString& caption, const QString& name) {
        auto* edit = new QLineEdit(m_fields);
        edit->setObjectName(name);
        edit->setAccessibleName(caption);
        connect(edit, &QLineEdit::textChanged, this, &BulkDialog::refresh);
        fields->addWidget(createCaption(caption, m_fields));
        fields->addWidget(edit);
        return edit;
    };
    if (m_action == ReleaseAction::CapTtl) {
        m_cap = add(tr("Expires after"), u"capEdit"_s);
        m_cap->setText(QString::fromUtf16(kDefaultCap));
        connect(m_cap, &QLineEdit::textChanged, this, &BulkDialog::takeCap);
    }
    m_reason = add(tr("Reason for the audit file"), u"reasonEdit"_s);
    m_count = add(tr("To confirm, type the number of locks"), u"countEdit"_s);
    m_count->setMaximumWidth(fontMetrics().averageCharWidth() * 14);
    layout.addWidget(m_fields);
}

/// None of the buttons is the default one: Enter in a field would press it, whatever it does.
void BulkDialog::createButtons(QVBoxLayout& layout)
{
    const bool isCap = m_action == ReleaseAction::CapTtl;
    m_execute = new QPushButton(isCap ? tr("Cap the TTL") : tr("Release"), this);
    m_execute->setObjectName(u"executeButton"_s);
    m_execute->setAutoDefault(false);
    setEmphasis(m_execute, isCap ? Emphasis::Primary : Emphasis::Danger);
    m_cancel = new QPushButton(tr("Cancel"), this);
    m_cancel->setObjectName(u"cancelButton"_s);
    m_cancel->setAutoDefault(false);
    connect(m_execute, &QPushButton::clicked, this, &BulkDialog::send);
    connect(m_cancel, &QPushButton::clicked, this, &BulkDialog::reject);
    auto* row = new QHBoxLayout;
    row->addWidget(m_execute);
    row->addStretch(1);
    row->addWidget(m_cancel);
    layout.addLayout(row);
}

void BulkDialog::showItem(std::size_t at)
{
    const QScopedValueRollback showing(m_isShowing, true);
    const BulkItem& item = m_bulk.items()[at];
    const int row = static_cast<int>(at);
    QTableWidgetItem* const key = m_table->item(row, KeyColumn);
    key->setText(models::bytesText(item.watched->id.name));
    key->setToolTip(key->text());
    const bool isChoice = item.state == State::Ready && !m_bulk.isExecuting();
    key->setFlags(isChoice ? key->flags() | Qt::ItemIsUserCheckable
                           : key->flags() & ~Qt::ItemIsUserCheckable);
    key->setCheckState(item.isIncluded && item.state != State::LeftOut ? Qt::Checked
                                                                       : Qt::Unchecked);
    const auto verdict = report::verdictOf(*item.watched, m_context().now);
    QTableWidgetItem* const word = m_table->item(row, VerdictColumn);
    word->setText(models::toQString(verdict.headline));
    word->setToolTip(models::toQString(verdict.reason));
    word->setForeground(severityColor(verdict.severity, palette()));
    QTableWidgetItem* const what = m_table->item(row, WhatColumn);
    what->setText(whatHappensTo(item));
    what->setToolTip(what->text());
    const bool isAlarm = item.state == State::Surprise;
    what->setForeground(isAlarm ? severityColor(2, palette()) : palette().color(QPalette::Text));
    m_table->resizeRowToContents(row);
    m_table->setRowHeight(row, m_table->rowHeight(row) + kRowPadding);
}

QString BulkDialog::whatHappensTo(const BulkItem& item) const
{
    switch (item.state) {
    case State::Reading: return tr("Reading the lock again…");
    case State::Sent: return tr("Sent; no reply yet.");
    case State::LeftOut: return tr("Left out: %1").arg(item.text);
    case State::Ready: break;
    case State::Done:
    case State::Surprise:
    case State::NotTried: return item.text;
    }
    if (item.isIncluded) {
        return models::toQString(report::planSentence(*item.plan));
    }
    return isHealthy(item) ? tr("Nothing: it looks healthy. Tick it to include it.")
                           : tr("Nothing: it is not ticked.");
}

void BulkDialog::refresh()
{
    if (m_execute == nullptr) {
        return;
    }
    m_summary->setText(summary());
    showRemark(*m_destination, destination(), isReasonNeeded() ? 2 : 1);
    const QString why = missing();
    m_execute->setEnabled(why.isEmpty());
    m_execute->setToolTip(why);
    m_execute->setVisible(!m_bulk.isOver());
    m_reason->setPlaceholderText(isReasonNeeded() ? tr("Required on production") : tr("Optional"));
    m_fields->setEnabled(!m_bulk.isExecuting() && !m_bulk.isOver());
}

QString BulkDialog::summary() const
{
    const auto& items = m_bulk.items();
    if (m_bulk.isOver()) {
        return resultSummary();
    }
    if (m_bulk.isReading()) {
        return tr("Reading the locks again…");
    }
    if (m_bulk.isUndo()) {
        return tr("Putting the locks back, one after the other.");
    }
    const auto healthyCount = std::ranges::count_if(items, [](const BulkItem& item) {
        return item.state == State::Ready && item.isIncluded && isHealthy(item);
    });
    const QString healthy = models::countText(healthyCount);
    const QString what = m_action == ReleaseAction::CapTtl
                             ? tr("%1 of %2 locks get an expiry, one after the other.")
                             : tr("%1 of %2 locks are released, one after the other.");
    return what.arg(models::countText(static_cast<qint64>(m_bulk.includedCount())),
                    models::countText(std::ssize(items)))
           + u' ' + tr("Healthy among them: %1.").arg(healthy) + u' '
           + tr("Each is compared on the server first. The first outcome that is not the one asked "
                "for stops the rest.");
}

QString BulkDialog::resultSummary() const
{
    if (m_bulk.isUndo()) {
        return tr("Put back: %1 of those that were released. The result says how each ended.")
            .arg(models::countText(std::ranges::count_if(m_bulk.items(), [](const BulkItem& item) {
                return item.isIncluded && item.state == State::Done;
            })));
    }
    return tr("Done: %1. Not as asked for: %2. Not tried: %3.")
        .arg(models::countText(countOf(State::Done)), models::countText(countOf(State::Surprise)),
             models::countText(countOf(State::NotTried)));
}

std::int64_t BulkDialog::countOf(State state) const
{
    return std::ranges::count(m_bulk.items(), state, &BulkItem::state);
}

QString BulkDialog::missing() const
{
    if (m_bulk.isReading() || m_bulk.isExecuting() || m_bulk.isOver()) {
        return tr("Nothing can be sent now.");
    }
    if (m_bulk.includedCount() == 0) {
        return tr("No lock is ticked that this can be done to.");
    }
    if (!m_hasCap) {
        return tr("Nothing was sent. Enter an expiry such as 250ms, 10s, 5m or 2h.");
    }
    if (isReasonNeeded() && m_reason->text().trimmed().isEmpty()) {
        return tr("Nothing was sent. Enter a reason; it is required on production.");
    }
    return m_count->text().trimmed() == QString::number(m_bulk.includedCount())
               ? QString()
               : tr("Nothing was sent. Type how many locks it is about: %1.")
                     .arg(m_bulk.includedCount());
}

/// Names the masters of all locks, ticked or not: a line that appears with the first tick would
/// move the rows.
QString BulkDialog::destination() const
{
    Masters masters;
    for (const BulkItem& item : m_bulk.items()) {
        if (item.plan) {
            std::ranges::copy(item.plan->masters, std::back_inserter(masters));
        }
    }
    return destinationText(masters, m_context());
}

bool BulkDialog::isReasonNeeded() const
{
    const FactContext context = m_context();
    return std::ranges::any_of(m_bulk.items(), [&context](const BulkItem& item) {
        const Masters masters = item.plan ? item.plan->masters : Masters();
        return item.isIncluded && widgets::isReasonNeeded(item.watched->id, context, masters);
    });
}

void BulkDialog::takeCap()
{
    m_hasCap = m_cap == nullptr || m_bulk.setCap(m_cap->text());
    for (std::size_t item = 0; m_hasCap && item < m_bulk.items().size(); ++item) {
        showItem(item);
    }
    refresh();
}

void BulkDialog::send()
{
    if (missing().isEmpty()) {
        m_cancel->setText(tr("Stop"));
        m_cancel->setFocus();
        m_table->horizontalHeaderItem(WhatColumn)->setText(tr("Result"));
        m_bulk.execute(m_reason->text().trimmed());
        refresh();
    }
}

void BulkDialog::finish()
{
    m_cancel->setText(tr("Close"));
    if (m_action == ReleaseAction::Release && !m_bulk.isUndo()) {
        offerUndo();
    }
    refresh();
}

void BulkDialog::offerUndo()
{
    std::vector<Undoable> released;
    for (const BulkItem& item : m_bulk.items()) {
        if (item.state == State::Done && item.seen) {
            released.push_back({*item.plan, *item.seen});
        }
    }
    if (!released.empty()) {
        m_undo->offer(std::move(released));
    }
}

void BulkDialog::undo(const std::vector<inspect::ReleasePlan>& plans)
{
    m_isStopping = false;
    m_cancel->setText(tr("Stop"));
    m_cancel->setFocus();
    m_bulk.undo(plans);
    refresh();
}

/// While it runs this stops it; what was sent is answered still.
void BulkDialog::reject()
{
    if (m_bulk.isExecuting()) {
        const auto& items = m_bulk.items();
        const auto sent = std::ranges::find(items, State::Sent, &BulkItem::state);
        if (!m_isStopping) {
            m_isStopping = true;
            m_bulk.stop();
            m_cancel->setText(tr("Close"));
            return;
        }
        if (sent != items.end()) {
            Q_EMIT leftUnanswered(sent->request);
        }
    }
    m_bulk.endGuards();
    QDialog::reject();
}

} // namespace lockscope::widgets
