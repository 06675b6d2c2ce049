#include "ui/models/lab/promise_list_model.h"

#include "core/kernel/world/fault_info.h"
#include "core/kernel/world/violation.h"
#include "ui/models/formatting.h"
#include "ui/models/protocol_text.h"
#include "ui/models/timeline/timeline_scale.h"

#include <algorithm>

namespace lockscope::models {

using report::CellReport;
using report::CellVerdict;
using PromiseStanding = PromiseListModel::Standing;

namespace {

QString evidenceOf(const CellReport& cell, const CellVerdict& verdict)
{
    const world::Violation& violation = verdict.result.finding->violation;
    const std::string key = verdict.plan.keyName(violation.lock);
    const QString length = countedText(verdict.result.finding->length, PromiseListModel::tr("step"),
                                       PromiseListModel::tr("steps"));
    return PromiseListModel::tr("%1 (%2), in %3")
               .arg(toQString(describe(violation, key)), toQString(idOf(violation.kind)), length)
           + (cell.fault && *cell.fault != world::FaultKind::Interleaving
                  ? PromiseListModel::tr(", after: %1")
                        .arg(toQString(infoOf(*cell.fault).name()).toLower())
                  : PromiseListModel::tr(", without any fault"));
}

} // namespace

void PromiseListModel::show(const std::vector<CellReport>& cells)
{
    std::vector<Line> lines;
    lines.reserve(static_cast<std::size_t>(protocol::Promise::PromiseCount));
    for (int i = 0; i < static_cast<int>(protocol::Promise::PromiseCount); ++i) {
        lines.push_back(lineOf(static_cast<protocol::Promise>(i), cells));
    }
    showLines(std::move(lines));
}

void PromiseListModel::show(const std::vector<report::PromiseVerdict>& verdicts)
{
    std::vector<Line> lines;
    lines.reserve(verdicts.size());
    for (const report::PromiseVerdict& verdict : verdicts) {
        lines.push_back(lineOf(verdict));
    }
    showLines(std::move(lines));
}

void PromiseListModel::showLines(std::vector<Line> lines)
{
    beginResetModel();
    m_lines = std::move(lines);
    std::ranges::stable_sort(m_lines, {}, &Line::standing);
    endResetModel();
}

void PromiseListModel::clear()
{
    beginResetModel();
    m_lines.clear();
    endResetModel();
}

PromiseListModel::Line PromiseListModel::lineOf(protocol::Promise promise,
                                                const std::vector<CellReport>& cells)
{
    Line line;
    line.promise = promise;
    const auto index = static_cast<std::size_t>(promise);
    bool isWhole = true;
    for (const CellReport& cell : cells) {
        if (!cell.isSearched || index >= cell.verdicts.size()) {
            continue;
        }
        const CellVerdict& verdict = cell.verdicts[index];
        isWhole = isWhole && (cell.coverage.isComplete || !cell.isApplicable);
        if (report::isShownBefore(verdict, line.verdict)) {
            line.cell = &cell;
            line.verdict = &verdict;
        } else if (verdict.result.status == search::PromiseResult::Status::Held) {
            line.standing = PromiseStanding::Held;
        }
    }
    if (line.verdict != nullptr) {
        line.standing = line.verdict->result.isPromised ? PromiseStanding::Broken
                                                        : PromiseStanding::BrokenAnyway;
        line.at = line.verdict->result.finding->violation.at;
        line.detail = evidenceOf(*line.cell, *line.verdict);
    } else if (line.standing == PromiseStanding::Held) {
        line.detail = isWhole ? tr("all runs within the plans were explored")
                              : tr("in the runs explored before the bound was reached");
    }
    return line;
}

PromiseListModel::Line PromiseListModel::lineOf(const report::PromiseVerdict& verdict)
{
    using Status = report::PromiseVerdict::Status;
    Line line;
    line.promise = verdict.promise;
    if (verdict.status == Status::Broken) {
        line.standing = verdict.isPromised ? PromiseStanding::Broken
                                           : PromiseStanding::BrokenAnyway;
        line.at = verdict.at ? std::optional(Instant(*verdict.at)) : std::nullopt;
        line.detail = toQString(verdict.summary);
    } else if (verdict.status == Status::Held) {
        line.standing = PromiseStanding::Held;
        line.detail = tr("in this run");
    }
    return line;
}

const CellVerdict* PromiseListModel::verdictAt(int row) const
{
    return row >= 0 && row < rowCount() ? m_lines[static_cast<std::size_t>(row)].verdict : nullptr;
}

const CellReport* PromiseListModel::cellAt(int row) const
{
    return row >= 0 && row < rowCount() ? m_lines[static_cast<std::size_t>(row)].cell : nullptr;
}

int PromiseListModel::headlineRow() const
{
    int best = -1;
    for (int row = 0; row < rowCount(); ++row) {
        const CellVerdict* const verdict = verdictAt(row);
        if (verdict != nullptr && report::isShownBefore(*verdict, verdictAt(best))) {
            best = row;
        }
    }
    return best;
}

int PromiseListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

QString PromiseListModel::titleOf(const Line& line) const
{
    const QString promise = promiseText(line.promise);
    const QString when = line.at ? tr(" at %1").arg(storyTimeText(*line.at)) : QString();
    switch (line.standing) {
    case PromiseStanding::Broken: return tr("%1: broken%2").arg(promise, when);
    case PromiseStanding::BrokenAnyway:
        return tr("%1: broken%2, and not promised").arg(promise, when);
    case PromiseStanding::Held: return tr("%1: held").arg(promise);
    case PromiseStanding::NotApplicable: break;
    }
    return tr("%1: not applicable").arg(promise);
}

QVariant PromiseListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Line& line = m_lines[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return titleOf(line);
    case Qt::ToolTipRole:
    case DetailRole: return line.detail;
    case Qt::AccessibleTextRole:
        return line.detail.isEmpty() ? titleOf(line) : tr("%1. %2").arg(titleOf(line), line.detail);
    case StandingRole: return QVariant::fromValue(line.standing);
    default: return {};
    }
}

} // namespace lockscope::models
