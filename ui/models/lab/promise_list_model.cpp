#include "ui/models/lab/promise_list_model.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/search/harm.h"
#include "ui/models/formatting.h"
#include "ui/models/protocol_text.h"
#include "ui/models/timeline/timeline_scale.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using report::CellReport;
using report::CellVerdict;
using PromiseStanding = PromiseListModel::Standing;

namespace {

/// What happened, and after what: "A and B both hold k (double-grant), in 7 steps, without any
/// fault".
QString evidenceOf(const report::PromiseVerdict& verdict, const CellVerdict* finding)
{
    QStringList parts{
        PromiseListModel::tr("%1 (%2)").arg(toQString(verdict.summary), toQString(verdict.kind))};
    if (finding != nullptr) {
        parts += PromiseListModel::tr("in %1").arg(countedText(finding->result.finding->length,
                                                               PromiseListModel::tr("step"),
                                                               PromiseListModel::tr("steps")));
        parts += PromiseListModel::tr("plan “%1”")
                     .arg(toQString(KernelText::lookUp(finding->plan.name)));
    }
    if (const std::string circumstances = circumstancesOf(verdict); !circumstances.empty()) {
        parts += toQString(circumstances);
    }
    return listed(parts);
}

QString chancesText(const report::PromiseVerdict& verdict)
{
    return countedText(static_cast<std::int64_t>(verdict.chances),
                       PromiseListModel::tr("chance to break it"),
                       PromiseListModel::tr("chances to break it"));
}

QString extentText(const std::vector<CellReport>& cells)
{
    const search::Coverage coverage = report::coverageOf(cells);
    if (coverage.isComplete) {
        return PromiseListModel::tr("all runs within the plans were explored");
    }
    return coverage.cutRuns > 0
               ? PromiseListModel::tr("in the runs explored, of which %1 were cut before their end")
                     .arg(QLocale().toString(qulonglong{coverage.cutRuns}))
               : PromiseListModel::tr("in the runs explored before the bound was reached");
}

} // namespace

void PromiseListModel::show(const std::vector<CellReport>& cells)
{
    std::vector<Line> lines;
    for (const report::PromiseVerdict& verdict : report::verdictsOf(cells)) {
        lines.push_back(lineOf(verdict, cells));
    }
    showLines(std::move(lines), report::untestedText(cells));
}

void PromiseListModel::show(const std::vector<report::PromiseVerdict>& verdicts,
                            const std::string& untested)
{
    std::vector<Line> lines;
    lines.reserve(verdicts.size());
    for (const report::PromiseVerdict& verdict : verdicts) {
        lines.push_back(lineOf(verdict));
    }
    showLines(std::move(lines), untested);
}

/// Whoever reads on behind "nothing was tested" is told why.
void PromiseListModel::showLines(std::vector<Line> lines, const std::string& untested)
{
    if (!untested.empty()) {
        Line notice;
        notice.standing = Standing::Untested;
        const QString text = toQString(untested);
        for (const std::string& title :
             {report::nothingTestedText(), report::scriptStoppedText()}) {
            if (text.startsWith(toQString(title))) {
                m_untestedTitle = toQString(title);
            }
        }
        notice.detail = text.mid(m_untestedTitle.size()).trimmed();
        lines.push_back(std::move(notice));
    }
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

PromiseListModel::Line PromiseListModel::lineOf(const report::PromiseVerdict& verdict,
                                                const std::vector<CellReport>& cells)
{
    Line line = lineOf(verdict);
    const auto index = static_cast<std::size_t>(verdict.promise);
    for (const CellReport& cell : cells) {
        const bool isShown = cell.isSearched && index < cell.verdicts.size()
                             && report::isShownBefore(cell.verdicts[index], line.verdict);
        if (isShown) {
            line.cell = &cell;
            line.verdict = &cell.verdicts[index];
        }
    }
    if (line.verdict != nullptr) {
        line.detail = evidenceOf(verdict, line.verdict);
    } else if (line.standing == PromiseStanding::Held) {
        line.detail = tr("%1; %2").arg(extentText(cells), chancesText(verdict));
    } else if (line.standing == PromiseStanding::NotExercised) {
        const bool isStopped = std::ranges::any_of(cells, &CellReport::isStopped);
        line.detail = isStopped ? QString() // the notice above all lines says why
                                : tr("no run had a chance to break it");
    }
    return line;
}

PromiseListModel::Line PromiseListModel::lineOf(const report::PromiseVerdict& verdict)
{
    using Status = report::PromiseVerdict::Status;
    Line line;
    line.promise = verdict.promise;
    switch (verdict.status) {
    case Status::Broken:
        line.standing = verdict.isPromised ? PromiseStanding::Broken
                                           : PromiseStanding::BrokenAnyway;
        line.at = verdict.at ? std::optional(Instant(*verdict.at)) : std::nullopt;
        line.detail = evidenceOf(verdict, nullptr);
        break;
    case Status::Held:
        line.standing = PromiseStanding::Held;
        line.detail = verdict.chances > 0 ? tr("in this run; %1").arg(chancesText(verdict))
                                          : tr("in this run"); // of a file that has no number
        break;
    case Status::NotExercised:
        line.standing = PromiseStanding::NotExercised;
        line.detail = tr("this run had no chance to break it");
        break;
    case Status::NotApplicable: break;
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

int PromiseListModel::rowOf(protocol::Promise promise) const
{
    const auto found = std::ranges::find_if(m_lines, [promise](const Line& line) {
        return line.promise == promise && line.standing != Standing::Untested;
    });
    return found == m_lines.end() ? -1 : static_cast<int>(found - m_lines.begin());
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
    case PromiseStanding::NotExercised: return tr("%1: not exercised").arg(promise);
    case PromiseStanding::Untested: return m_untestedTitle;
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
    const bool isBroken = line.standing == PromiseStanding::Broken
                          || line.standing == PromiseStanding::BrokenAnyway;
    switch (role) {
    case HarmRole: return isBroken ? static_cast<int>(search::harmOf(line.promise)) : -1;
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
