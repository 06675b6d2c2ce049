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

QString faultText(const CellReport& cell)
{
    return toQString(infoOf(*cell.fault).name());
}

/// True if the text of a folded column belongs to one fault only.
bool isOfOneFault(const CellView& view)
{
    return view.isHarmed() || view.standing == Standing::HeldSoFar
           || view.standing == Standing::NotExercised || view.standing == Standing::Untested;
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
      m_shown(m_faults),
      m_unfolded(world::allFaultGroups().begin(), world::allFaultGroups().end()),
      m_columns(report::matrixColumns(m_shown, m_unfolded))
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
    rows.reserve(order.size());
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
    m_columns = report::matrixColumns(m_shown, m_unfolded);
    judgeAll();
    reorder();
    endResetModel();
}

void MatrixModel::setUnfolded(std::vector<world::FaultGroup> groups)
{
    if (groups == m_unfolded) {
        return;
    }
    beginResetModel();
    m_unfolded = std::move(groups);
    m_columns = report::matrixColumns(m_shown, m_unfolded);
    endResetModel();
}

const report::MatrixColumn& MatrixModel::columnAt(int column) const
{
    return m_columns.at(static_cast<std::size_t>(column));
}

MatrixModel::Fold MatrixModel::foldOf(int column) const
{
    const report::MatrixColumn& own = columnAt(column);
    if (own.isFolded()) {
        return Fold::Folded;
    }
    const auto count = std::ranges::count(m_columns, own.group, &report::MatrixColumn::group);
    return count > 1 ? Fold::Unfolded : Fold::None;
}

std::vector<const CellReport*> MatrixModel::cellsIn(int row, int column) const
{
    std::vector<const CellReport*> cells;
    for (const FaultKind fault : columnAt(column).faults) {
        cells.push_back(&cellsOf(row)[placeOf(fault)]);
    }
    return cells;
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
    return report::worstOf(cellsIn(row, column), m_never);
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
    return cellsUnder(m_shown);
}

std::vector<CellReport> MatrixModel::cellsUnder(std::span<const FaultKind> faults) const
{
    std::vector<CellReport> all;
    for (int row = 0; row < rowCount(); ++row) {
        for (const FaultKind fault : faults) {
            if (std::ranges::find(m_faults, fault) != m_faults.end()) {
                all.push_back(cellsOf(row)[placeOf(fault)]);
            }
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
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
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
    case Qt::ToolTipRole: return toolTipAt(index, view);
    case Qt::AccessibleTextRole:
    case TitleRole: return titleAt(index, view);
    case Qt::AccessibleDescriptionRole:
    case DetailRole: return detailAt(index, view);
    case StandingRole: return QVariant::fromValue(view.standing);
    case HarmRole: return view.harm ? static_cast<int>(*view.harm) : -1;
    case NumberRole:
        return cellText(cell, view, view.harm ? std::span(&*view.harm, 1) : std::span(m_never));
    case HasOthersRole: return hasOthers(index);
    default: return {};
    }
}

bool MatrixModel::hasOthers(const QModelIndex& index) const
{
    return std::ranges::any_of(cellsIn(index.row(), index.column()), [this](const auto* cell) {
        return !report::viewOf(*cell, m_never).others.empty();
    });
}

/// "set-nx-ex · Pause: …"; of a folded column "set-nx-ex · Clients · Pause: …", or without a fault
/// if the same is true for all of them.
QString MatrixModel::titleAt(const QModelIndex& index, const CellView& view) const
{
    const CellReport& cell = cellAt(index.row(), index.column());
    const report::MatrixColumn& column = columnAt(index.column());
    QString where = faultText(cell);
    if (column.isFolded()) {
        const QString group = toQString(nameOf(column.group));
        where = isOfOneFault(view) ? UiText::tr("%1 · %2").arg(group, where) : group;
    }
    return UiText::tr("%1 · %2: %3").arg(toQString(cell.protocol), where, verdictText(cell, view));
}

QString MatrixModel::detailAt(const QModelIndex& index, const CellView& view) const
{
    const CellReport& cell = cellAt(index.row(), index.column());
    if (!columnAt(index.column()).isFolded() || view.isHarmed()) {
        return detailText(cell, view);
    }
    return faultLines(index).join(u" · "_s);
}

/// "Pause: two holders at once in 7 steps" of each fault of the column.
QStringList MatrixModel::faultLines(const QModelIndex& index) const
{
    QStringList lines;
    for (const CellReport* const cell : cellsIn(index.row(), index.column())) {
        lines += UiText::tr("%1: %2").arg(faultText(*cell),
                                          verdictText(*cell, report::viewOf(*cell, m_never)));
    }
    return lines;
}

QString MatrixModel::toolTipAt(const QModelIndex& index, const CellView& view) const
{
    const CellReport& cell = cellAt(index.row(), index.column());
    QStringList lines{titleAt(index, view), detailText(cell, view)};
    if (columnAt(index.column()).isFolded()) {
        lines = QStringList{titleAt(index, view)} << QString() << faultLines(index);
    }
    if (view.isHarmed()) {
        lines << QString() << storyBeginning(view.verdict->story);
    }
    return lines.join(u'\n');
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
    const report::MatrixColumn& own = columnAt(column);
    const world::FaultInfo& fault = infoOf(own.faults.front());
    switch (role) {
    case Qt::DisplayRole: return toQString(own.isFolded() ? nameOf(own.group) : fault.name());
    case Qt::ToolTipRole: return columnToolTip(column);
    case GroupNameRole: return toQString(nameOf(own.group));
    case FaultGroupRole: return static_cast<int>(own.group);
    case FoldRole: return QVariant::fromValue(foldOf(column));
    default: return {};
    }
}

QString MatrixModel::columnToolTip(int column) const
{
    const report::MatrixColumn& own = columnAt(column);
    if (!own.isFolded()) {
        const QString description = toQString(infoOf(own.faults.front()).description());
        return foldOf(column) == Fold::None
                   ? description
                   : UiText::tr("%1\n\nClick, or press Space in the column, to fold the group %2.")
                         .arg(description, toQString(nameOf(own.group)));
    }
    QStringList names;
    for (const FaultKind fault : own.faults) {
        names += toQString(infoOf(fault).name());
    }
    return UiText::tr("The worst of: %1.\n\nClick, or press Space in the column, for a column per "
                      "fault.")
        .arg(listed(names));
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
