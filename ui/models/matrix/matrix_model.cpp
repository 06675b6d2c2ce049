#include "ui/models/matrix/matrix_model.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/report/matrix_text.h"
#include "core/kernel/world/fault_info.h"
#include "core/kernel/world/violation.h"
#include "ui/models/formatting.h"
#include "ui/models/protocol_text.h"

#include <QStringList>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using report::CellReport;
using report::CellVerdict;
using world::FaultKind;
using Standing = MatrixModel::Standing;

namespace {

constexpr std::size_t kStoryLinesMax = 8; // of a tooltip

Standing standingOf(const CellReport& cell)
{
    if (!cell.isApplicable) {
        return Standing::NotApplicable;
    }
    if (!cell.isSearched) {
        return Standing::Unknown;
    }
    if (cell.isNeverGranted() || cell.isNothingExercised()) {
        return Standing::Untested;
    }
    if (cell.headline() == nullptr) {
        return cell.coverage.isComplete ? Standing::Held : Standing::HeldSoFar;
    }
    return cell.isPromiseBroken() ? Standing::Broken : Standing::BrokenAnyway;
}

QString stepsOf(const CellVerdict& verdict)
{
    return countedText(verdict.result.finding->length, MatrixModel::tr("step"),
                       MatrixModel::tr("steps"));
}

/// "held", "broken in 7 steps": behind the names of protocol and fault.
QString verdictText(const CellReport& cell)
{
    const CellVerdict* const first = cell.headline();
    switch (standingOf(cell)) {
    case Standing::Unknown: return MatrixModel::tr("not searched yet");
    case Standing::Broken: return MatrixModel::tr("broken in %1").arg(stepsOf(*first));
    case Standing::BrokenAnyway:
        return MatrixModel::tr("not promised, and broken in %1").arg(stepsOf(*first));
    case Standing::Held: return MatrixModel::tr("held");
    case Standing::HeldSoFar: return MatrixModel::tr("held as far as it was searched");
    case Standing::Untested: return MatrixModel::tr("nothing was tested");
    case Standing::NotApplicable: break;
    }
    return MatrixModel::tr("has no effect");
}

QString titleOf(const CellReport& cell)
{
    return MatrixModel::tr("%1 · %2: %3")
        .arg(toQString(cell.protocol), toQString(infoOf(*cell.fault).name()), verdictText(cell));
}

/// "“one holder at a time” breaks: A and B both hold k"
QString breachText(const CellVerdict& verdict)
{
    const world::Violation& violation = verdict.result.finding->violation;
    const QString breach = MatrixModel::tr("“%1” breaks: %2")
                               .arg(promiseText(violation.promise),
                                    toQString(describe(violation,
                                                       verdict.plan.keyName(violation.lock))));
    return verdict.plan.name.empty()
               ? breach
               : MatrixModel::tr("%1 (plan “%2”)")
                     .arg(breach, toQString(KernelText::lookUp(verdict.plan.name)));
}

QString coverageText(const CellReport& cell)
{
    return MatrixModel::tr("%1 schedules and %2 states were explored")
        .arg(countText(static_cast<std::int64_t>(cell.coverage.schedules)),
             countText(static_cast<std::int64_t>(cell.coverage.states)));
}

QString untestedDetail(const CellReport& cell)
{
    return cell.isNeverGranted() ? toQString(report::untestedText(std::span(&cell, 1)))
                                 : MatrixModel::tr("No run had a chance to break a promise: %1")
                                       .arg(coverageText(cell));
}

QString detailOf(const CellReport& cell)
{
    switch (standingOf(cell)) {
    case Standing::Broken:
    case Standing::BrokenAnyway: return breachText(*cell.headline());
    case Standing::Held:
        return MatrixModel::tr("No violation: %1, the complete search space of the plans")
            .arg(coverageText(cell));
    case Standing::HeldSoFar:
        return MatrixModel::tr("No violation so far: %1 before the bound was reached")
            .arg(coverageText(cell));
    case Standing::Untested: return untestedDetail(cell);
    case Standing::Unknown:
    case Standing::NotApplicable: break;
    }
    return toQString(infoOf(*cell.fault).description());
}

QStringList storyBeginning(const std::vector<search::StoryLine>& story)
{
    QStringList lines;
    const std::size_t shown = story.size() <= kStoryLinesMax ? story.size() : kStoryLinesMax - 1;
    for (std::size_t i = 0; i < shown; ++i) {
        lines += u"%1. %2"_s.arg(i + 1).arg(toQString(story[i].text));
    }
    if (shown < story.size()) {
        lines += MatrixModel::tr("… and %1 more")
                     .arg(countedText(static_cast<std::int64_t>(story.size() - shown),
                                      MatrixModel::tr("line"), MatrixModel::tr("lines")));
    }
    return lines;
}

QString toolTipOf(const CellReport& cell)
{
    QStringList lines{titleOf(cell), detailOf(cell)};
    if (const CellVerdict* const first = cell.headline()) {
        lines << QString() << storyBeginning(first->story);
    }
    return lines.join(u'\n');
}

QString textOf(const CellReport& cell)
{
    return cell.isApplicable ? toQString(report::cellText(cell)) : u"–"_s;
}

QString protocolToolTip(const protocol::ProtocolInfo& info)
{
    QStringList lines{toQString(info.title), toQString(info.summary)};
    if (!info.flaw.empty()) {
        lines += MatrixModel::tr("Known flaw: %1").arg(toQString(info.flaw));
    }
    return lines.join(u"\n\n"_s);
}

} // namespace

MatrixModel::MatrixModel(std::vector<FaultKind> faults, QObject* parent)
    : QAbstractTableModel(parent),
      m_faults(std::move(faults))
{}

MatrixModel::Row MatrixModel::emptyRow(const ProtocolPtr& protocol) const
{
    Row row{protocol, false, {}};
    for (const FaultKind fault : m_faults) {
        CellReport cell;
        cell.protocol = protocol->info().id;
        cell.fault = fault;
        row.cells.push_back(std::move(cell));
    }
    return row;
}

void MatrixModel::setProtocols(const std::vector<ProtocolPtr>& protocols)
{
    beginResetModel();
    std::vector<Row> rows;
    for (const ProtocolPtr& protocol : protocols) {
        const int known = rowOf(protocol);
        rows.push_back(known >= 0 ? std::move(m_rows[static_cast<std::size_t>(known)])
                                  : emptyRow(protocol));
    }
    m_rows = std::move(rows);
    endResetModel();
}

void MatrixModel::show(const ProtocolPtr& protocol, std::vector<CellReport> cells)
{
    const int row = rowOf(protocol);
    if (row >= 0 && cells.size() == m_faults.size()) {
        m_rows[static_cast<std::size_t>(row)] = {protocol, true, std::move(cells)};
        noteChange(row);
    }
}

void MatrixModel::forget()
{
    for (Row& row : m_rows) {
        row = emptyRow(row.protocol);
    }
    for (int row = 0; row < rowCount(); ++row) {
        noteChange(row);
    }
}

void MatrixModel::noteChange(int row)
{
    Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
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
    return m_rows.at(static_cast<std::size_t>(row)).cells.at(static_cast<std::size_t>(column));
}

std::vector<CellReport> MatrixModel::cells() const
{
    std::vector<CellReport> all;
    for (const Row& row : m_rows) {
        std::ranges::copy(row.cells, std::back_inserter(all));
    }
    return all;
}

bool MatrixModel::isBroken(const QModelIndex& index)
{
    const auto standing = index.data(StandingRole).value<Standing>();
    return standing == Standing::Broken || standing == Standing::BrokenAnyway;
}

int MatrixModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MatrixModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_faults.size());
}

QVariant MatrixModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const CellReport& cell = cellAt(index.row(), index.column());
    switch (role) {
    case Qt::DisplayRole: return textOf(cell);
    case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignCenter));
    case Qt::ToolTipRole: return toolTipOf(cell);
    case Qt::AccessibleTextRole:
    case TitleRole: return titleOf(cell);
    case Qt::AccessibleDescriptionRole:
    case DetailRole: return detailOf(cell);
    case StandingRole: return QVariant::fromValue(standingOf(cell));
    default: return {};
    }
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool isColumn = orientation == Qt::Horizontal;
    if (section < 0 || section >= (isColumn ? columnCount() : rowCount())) {
        return {};
    }
    if (isColumn) {
        const world::FaultInfo& fault = infoOf(m_faults[static_cast<std::size_t>(section)]);
        switch (role) {
        case Qt::DisplayRole: return toQString(fault.name());
        case Qt::ToolTipRole: return toQString(fault.description());
        default: return {};
        }
    }
    const protocol::ProtocolInfo& info = protocolAt(section)->info();
    switch (role) {
    case Qt::DisplayRole: return toQString(info.id);
    case Qt::ToolTipRole: return protocolToolTip(info);
    default: return {};
    }
}

QString meaningOf(Standing standing)
{
    switch (standing) {
    case Standing::Broken: return MatrixModel::tr("a promise breaks in 7 steps");
    case Standing::BrokenAnyway: return MatrixModel::tr("a violation, but of nothing promised");
    case Standing::Held: return MatrixModel::tr("no violation, search complete");
    case Standing::HeldSoFar: return MatrixModel::tr("no violation up to the bound");
    case Standing::Untested: return MatrixModel::tr("nothing was tested");
    case Standing::NotApplicable: return MatrixModel::tr("the fault has no effect");
    case Standing::Unknown: break;
    }
    return MatrixModel::tr("not searched yet");
}

QString exampleOf(Standing standing)
{
    switch (standing) {
    case Standing::Broken: return u"7"_s;
    case Standing::BrokenAnyway: return u"(7)"_s;
    case Standing::Held: return u"ok"_s;
    case Standing::HeldSoFar: return u"ok?"_s;
    case Standing::Untested: return u"!"_s;
    case Standing::NotApplicable: return u"–"_s;
    case Standing::Unknown: break;
    }
    return {};
}

} // namespace lockscope::models
