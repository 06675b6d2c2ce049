#include "ui/models/matrix/matrix_model.h"

#include "core/kernel/world/fault_info.h"
#include "ui/models/formatting.h"
#include "ui/models/matrix/cell_wording.h"
#include "ui/models/ui_text.h"

#include <QStringList>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using report::CellReport;
using report::CellView;
using world::FaultKind;
using Standing = report::CellStanding;

namespace {

QString titleOf(const CellReport& cell, const CellView& view)
{
    return UiText::tr("%1 · %2: %3")
        .arg(toQString(cell.protocol), toQString(infoOf(*cell.fault).name()),
             verdictText(cell, view));
}

QString toolTipOf(const CellReport& cell, const CellView& view)
{
    QStringList lines{titleOf(cell, view), detailText(cell, view)};
    if (view.isHarmed()) {
        lines << QString() << storyBeginning(view.verdict->story);
    }
    return lines.join(u'\n');
}

/// Those that break on a good day are no choice.
bool isDimmed(const report::RowVerdict& verdict)
{
    return verdict.kind == report::RowVerdict::Kind::GoodDay;
}

QString protocolToolTip(const protocol::ProtocolInfo& info, const report::RowVerdict& verdict)
{
    QStringList lines{toQString(info.title), toQString(info.summary)};
    if (const std::string detail = rowDetail(verdict); !detail.empty()) {
        lines += toQString(detail);
    }
    if (!info.flaw.empty()) {
        lines += UiText::tr("Known flaw: %1").arg(toQString(info.flaw));
    }
    return lines.join(u"\n\n"_s);
}

} // namespace

/// While it lives, rows change places and cells their texts; persistent indexes follow their
/// protocols.
class MatrixModel::RowsMoving {
public:
    explicit RowsMoving(MatrixModel& model) : m_model(model)
    {
        Q_EMIT m_model.layoutAboutToBeChanged({}, VerticalSortHint);
        m_from = m_model.persistentIndexList();
        for (const QModelIndex& index : m_from) {
            m_protocols.push_back(m_model.protocolAt(index.row()));
        }
    }
    ~RowsMoving()
    {
        QModelIndexList to;
        for (qsizetype i = 0; i < m_from.size(); ++i) {
            const int row = m_model.rowOf(m_protocols[static_cast<std::size_t>(i)]);
            to += m_model.index(row, m_from[i].column());
        }
        m_model.changePersistentIndexList(m_from, to);
        Q_EMIT m_model.layoutChanged({}, VerticalSortHint);
        const int last = m_model.rowCount() - 1;
        Q_EMIT m_model.dataChanged(m_model.index(0, 0),
                                   m_model.index(last, m_model.columnCount() - 1));
        Q_EMIT m_model.headerDataChanged(Qt::Vertical, 0, last);
    }
    Q_DISABLE_COPY_MOVE(RowsMoving)

private:
    MatrixModel& m_model;
    QModelIndexList m_from;
    std::vector<ProtocolPtr> m_protocols;
};

MatrixModel::MatrixModel(std::vector<FaultKind> faults, QObject* parent)
    : QAbstractTableModel(parent),
      m_faults(std::move(faults)),
      m_shown(m_faults)
{}

MatrixModel::Row MatrixModel::emptyRow(const ProtocolPtr& protocol) const
{
    Row row{protocol, false, {}, {}};
    row.verdict.group = report::groupOf(protocol->info());
    for (const FaultKind fault : m_faults) {
        CellReport cell;
        cell.protocol = protocol->info().id;
        cell.group = report::groupOf(protocol->info());
        cell.fault = fault;
        row.cells.push_back(std::move(cell));
    }
    return row;
}

std::size_t MatrixModel::placeOf(FaultKind fault) const
{
    return static_cast<std::size_t>(std::ranges::find(m_faults, fault) - m_faults.begin());
}

report::RowVerdict MatrixModel::verdictOf(const Row& row) const
{
    std::vector<const CellReport*> cells;
    for (const FaultKind fault : m_shown) {
        cells.push_back(&row.cells[placeOf(fault)]);
    }
    report::RowVerdict verdict = report::verdictOfRow(cells, m_never);
    verdict.group = report::groupOf(row.protocol->info());
    return verdict;
}

void MatrixModel::judgeAll()
{
    for (Row& row : m_rows) {
        row.verdict = verdictOf(row);
    }
}

/// The places of the rows in their order, as indexes into the rows.
std::vector<std::size_t> MatrixModel::order() const
{
    std::vector<std::size_t> order;
    for (const ProtocolPtr& protocol : m_protocols) {
        order.push_back(static_cast<std::size_t>(rowOf(protocol)));
    }
    std::ranges::stable_sort(order, report::ranksBefore,
                             [this](std::size_t row) -> const report::RowVerdict& {
                                 return m_rows[row].verdict;
                             });
    return order;
}

bool MatrixModel::isSorted() const
{
    return std::ranges::is_sorted(order());
}

void MatrixModel::sortRows()
{
    if (!isSorted()) {
        const RowsMoving moving(*this);
        reorder();
    }
}

void MatrixModel::reorder()
{
    const std::vector<std::size_t> order = this->order();
    std::vector<Row> rows;
    for (const std::size_t row : order) {
        rows.push_back(std::move(m_rows[row]));
    }
    m_rows = std::move(rows);
}

void MatrixModel::setProtocols(const std::vector<ProtocolPtr>& protocols)
{
    beginResetModel();
    m_protocols = protocols;
    std::erase_if(m_rows, [this](const Row& row) {
        return std::ranges::find(m_protocols, row.protocol) == m_protocols.end();
    });
    for (const ProtocolPtr& protocol : protocols) {
        if (rowOf(protocol) < 0) {
            m_rows.push_back(emptyRow(protocol));
        }
    }
    std::ranges::stable_sort(m_rows, {}, [](const Row& row) { return row.verdict.group; });
    endResetModel();
}

void MatrixModel::show(const ProtocolPtr& protocol, std::vector<CellReport> cells)
{
    const int at = rowOf(protocol);
    if (at < 0 || cells.size() != m_faults.size()) {
        return;
    }
    Row& row = m_rows[static_cast<std::size_t>(at)];
    row = {protocol, true, std::move(cells), {}};
    row.verdict = verdictOf(row);
    Q_EMIT dataChanged(index(at, 0), index(at, columnCount() - 1));
    Q_EMIT headerDataChanged(Qt::Vertical, at, at);
}

void MatrixModel::forget()
{
    beginResetModel();
    for (Row& row : m_rows) {
        row = emptyRow(row.protocol);
    }
    endResetModel();
}

void MatrixModel::setNever(std::vector<search::Harm> never)
{
    if (never == m_never || never.empty()) {
        return;
    }
    const RowsMoving moving(*this);
    m_never = std::move(never);
    judgeAll();
    reorder();
}

void MatrixModel::setShownFaults(const std::vector<FaultKind>& faults)
{
    std::vector<FaultKind> shown;
    std::ranges::copy_if(m_faults, std::back_inserter(shown), [&faults](FaultKind fault) {
        return std::ranges::find(faults, fault) != faults.end();
    });
    if (shown == m_shown || shown.empty()) {
        return;
    }
    beginResetModel();
    m_shown = std::move(shown);
    judgeAll();
    reorder();
    endResetModel();
}

ProtocolPtr MatrixModel::protocolAt(int row) const
{
    return m_rows.at(static_cast<std::size_t>(row)).protocol;
}

int MatrixModel::rowOf(const ProtocolPtr& protocol) const
{
    const auto found = std::ranges::find(m_rows, protocol, &Row::protocol);
    return found != m_rows.end() ? static_cast<int>(found - m_rows.begin()) : -1;
}

bool MatrixModel::isKnown(int row) const
{
    return m_rows.at(static_cast<std::size_t>(row)).isKnown;
}

int MatrixModel::knownCount() const
{
    return static_cast<int>(std::ranges::count_if(m_rows, &Row::isKnown));
}

const CellReport& MatrixModel::cellAt(int row, int column) const
{
    const FaultKind fault = m_shown.at(static_cast<std::size_t>(column));
    return cellsOf(row)[placeOf(fault)];
}

CellView MatrixModel::viewAt(int row, int column) const
{
    return report::viewOf(cellAt(row, column), m_never);
}

const std::vector<CellReport>& MatrixModel::cellsOf(int row) const
{
    return m_rows.at(static_cast<std::size_t>(row)).cells;
}

std::vector<CellReport> MatrixModel::cells() const
{
    std::vector<CellReport> all;
    for (int row = 0; row < rowCount(); ++row) {
        for (int column = 0; column < columnCount(); ++column) {
            all.push_back(cellAt(row, column));
        }
    }
    return all;
}

bool MatrixModel::isHarmed(const QModelIndex& index)
{
    return index.isValid() && index.data(HarmRole).toInt() >= 0;
}

int MatrixModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MatrixModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant MatrixModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const CellReport& cell = cellAt(index.row(), index.column());
    const CellView view = report::viewOf(cell, m_never);
    switch (role) {
    case Qt::DisplayRole: return cellText(cell, view, m_never);
    case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignCenter));
    case Qt::ToolTipRole: return toolTipOf(cell, view);
    case Qt::AccessibleTextRole:
    case TitleRole: return titleOf(cell, view);
    case Qt::AccessibleDescriptionRole:
    case DetailRole: return detailText(cell, view);
    case StandingRole: return QVariant::fromValue(view.standing);
    case HarmRole: return view.harm ? static_cast<int>(*view.harm) : -1;
    case NumberRole:
        return cellText(cell, view, view.harm ? std::span(&*view.harm, 1) : std::span(m_never));
    case HasOthersRole: return !view.others.empty();
    default: return {};
    }
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool isColumn = orientation == Qt::Horizontal;
    if (section < 0 || section >= (isColumn ? columnCount() : rowCount())) {
        return {};
    }
    return isColumn ? columnHeader(section, role) : rowHeader(section, role);
}

bool MatrixModel::isFirstOfGroup(int row) const
{
    const auto groupAt = [this](int at) {
        return m_rows[static_cast<std::size_t>(at)].verdict.group;
    };
    return row == 0 || groupAt(row) != groupAt(row - 1);
}

QVariant MatrixModel::columnHeader(int column, int role) const
{
    const world::FaultInfo& fault = infoOf(m_shown[static_cast<std::size_t>(column)]);
    switch (role) {
    case Qt::DisplayRole: return toQString(fault.name());
    case Qt::ToolTipRole: return toQString(fault.description());
    default: return {};
    }
}

QVariant MatrixModel::rowHeader(int row, int role) const
{
    const report::RowVerdict& verdict = m_rows[static_cast<std::size_t>(row)].verdict;
    const protocol::ProtocolInfo& info = protocolAt(row)->info();
    switch (role) {
    case Qt::DisplayRole: return toQString(info.id);
    case Qt::AccessibleTextRole:
        return UiText::tr("%1 · %2").arg(toQString(nameOf(verdict.group)), toQString(info.id));
    case Qt::ToolTipRole: return protocolToolTip(info, verdict);
    case VerdictRole: return toQString(rowText(verdict));
    case IsDimmedRole: return isDimmed(verdict);
    case GroupNameRole: return isFirstOfGroup(row) ? toQString(nameOf(verdict.group)) : QString();
    default: return {};
    }
}

} // namespace lockscope::models
