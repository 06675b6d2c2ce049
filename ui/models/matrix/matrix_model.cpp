#include "ui/models/matrix/matrix_model.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/report/matrix_text.h"
#include "core/kernel/world/fault_info.h"
#include "core/kernel/world/violation.h"
#include "ui/models/formatting.h"
#include "ui/models/protocol_text.h"
#include "ui/models/ui_text.h"

#include <QStringList>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using report::CellReport;
using report::CellVerdict;
using report::CellView;
using world::FaultKind;
using Standing = report::CellStanding;

namespace {

constexpr std::size_t kStoryLinesMax = 8; // of a tooltip

QString stepsOf(const CellVerdict& verdict)
{
    return countedText(verdict.result.finding->length, UiText::tr("step"), UiText::tr("steps"));
}

/// "held", "stuck for ever in 7 steps": behind the names of protocol and fault.
QString verdictText(const CellReport& cell, const CellView& view)
{
    switch (view.standing) {
    case Standing::Unknown: return UiText::tr("not searched yet");
    case Standing::Harmed:
        return UiText::tr("%1 in %2")
            .arg(toQString(search::nameOf(*view.harm)), stepsOf(*view.verdict));
    case Standing::HarmedAnyway:
        return UiText::tr("%1 in %2; not promised otherwise")
            .arg(toQString(search::nameOf(*view.harm)), stepsOf(*view.verdict));
    case Standing::Held: return UiText::tr("does not happen");
    case Standing::HeldSoFar: return UiText::tr("did not happen as far as it was searched");
    case Standing::NotExercised: return UiText::tr("could have happened in no run");
    case Standing::Untested: return UiText::tr("nothing was tested");
    case Standing::NotApplicable: break;
    }
    return cell.isApplicable ? UiText::tr("has nothing that could go wrong this way")
                             : UiText::tr("has no effect");
}

QString titleOf(const CellReport& cell, const CellView& view)
{
    return UiText::tr("%1 · %2: %3")
        .arg(toQString(cell.protocol), toQString(infoOf(*cell.fault).name()),
             verdictText(cell, view));
}

/// "“one holder at a time” breaks: A and B both hold k"
QString breachText(const CellVerdict& verdict)
{
    const world::Violation& violation = verdict.result.finding->violation;
    const QString breach = UiText::tr("“%1” breaks: %2")
                               .arg(promiseText(violation.promise),
                                    toQString(describe(violation,
                                                       verdict.plan.keyName(violation.lock))));
    return verdict.plan.name.empty()
               ? breach
               : UiText::tr("%1 (plan “%2”)")
                     .arg(breach, toQString(KernelText::lookUp(verdict.plan.name)));
}

QString coverageText(const CellReport& cell)
{
    return UiText::tr("%1 schedules and %2 states were explored")
        .arg(countText(static_cast<std::int64_t>(cell.coverage.schedules)),
             countText(static_cast<std::int64_t>(cell.coverage.states)));
}

QString untestedDetail(const CellReport& cell)
{
    return cell.isNeverGranted() || cell.isStopped()
               ? toQString(report::untestedText(std::span(&cell, 1)))
               : UiText::tr("No run had a chance to break a promise: %1").arg(coverageText(cell));
}

QString namesOf(const std::vector<search::Harm>& harms)
{
    QStringList names;
    for (const search::Harm harm : harms) {
        names += toQString(search::nameOf(harm));
    }
    return listed(names);
}

QString ownDetail(const CellReport& cell, const CellView& view)
{
    switch (view.standing) {
    case Standing::Harmed:
    case Standing::HarmedAnyway: return breachText(*view.verdict);
    case Standing::Held:
        return UiText::tr("%1, the complete search space of the plans.").arg(coverageText(cell));
    case Standing::HeldSoFar:
        return UiText::tr("%1 before the bound was reached.").arg(coverageText(cell));
    case Standing::NotExercised:
        return UiText::tr("No run had a chance for it: %1.").arg(coverageText(cell));
    case Standing::Untested: return untestedDetail(cell);
    case Standing::Unknown:
    case Standing::NotApplicable: break;
    }
    return toQString(infoOf(*cell.fault).description());
}

QString detailOf(const CellReport& cell, const CellView& view)
{
    QString detail = ownDetail(cell, view);
    if (!view.isHarmed() && !view.untested.empty() && view.standing != Standing::NotExercised) {
        detail += UiText::tr(" Without a chance in any run: %1.").arg(namesOf(view.untested));
    }
    if (!view.others.empty()) {
        detail += UiText::tr(" What happens besides: %1.").arg(namesOf(view.others));
    }
    return detail;
}

QStringList storyBeginning(const std::vector<search::StoryLine>& story)
{
    QStringList lines;
    const std::size_t shown = story.size() <= kStoryLinesMax ? story.size() : kStoryLinesMax - 1;
    for (std::size_t i = 0; i < shown; ++i) {
        const QString number = story[i].number > 0 ? u"%1. "_s.arg(story[i].number) : u"– "_s;
        lines += number + toQString(story[i].text);
    }
    if (shown < story.size()) {
        lines += UiText::tr("… and %1 more")
                     .arg(countedText(static_cast<std::int64_t>(story.size() - shown),
                                      UiText::tr("line"), UiText::tr("lines")));
    }
    return lines;
}

QString toolTipOf(const CellReport& cell, const CellView& view)
{
    QStringList lines{titleOf(cell, view), detailOf(cell, view)};
    if (view.isHarmed()) {
        lines << QString() << storyBeginning(view.verdict->story);
    }
    return lines.join(u'\n');
}

QString textOf(const CellReport& cell, const CellView& view, std::span<const search::Harm> never)
{
    switch (view.standing) {
    case Standing::NotApplicable: return u"–"_s;
    case Standing::NotExercised: return u"·"_s;
    default: return toQString(report::cellText(cell, never));
    }
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
    case Qt::DisplayRole: return textOf(cell, view, m_never);
    case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignCenter));
    case Qt::ToolTipRole: return toolTipOf(cell, view);
    case Qt::AccessibleTextRole:
    case TitleRole: return titleOf(cell, view);
    case Qt::AccessibleDescriptionRole:
    case DetailRole: return detailOf(cell, view);
    case StandingRole: return QVariant::fromValue(view.standing);
    case HarmRole: return view.harm ? static_cast<int>(*view.harm) : -1;
    case NumberRole:
        return textOf(cell, view, view.harm ? std::span(&*view.harm, 1) : std::span(m_never));
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

QString meaningOf(Standing standing)
{
    switch (standing) {
    case Standing::Harmed:
        return UiText::tr("it happens in 7 steps, although the protocol promises otherwise");
    case Standing::HarmedAnyway:
        return UiText::tr("it happens, and the protocol does not promise otherwise");
    case Standing::Held: return UiText::tr("it does not happen, search complete");
    case Standing::HeldSoFar: return UiText::tr("it did not happen up to the bound");
    case Standing::NotExercised: return UiText::tr("could have happened in no run");
    case Standing::Untested: return UiText::tr("nothing was tested");
    case Standing::NotApplicable: return UiText::tr("no effect");
    case Standing::Unknown: break;
    }
    return UiText::tr("not searched yet");
}

QString exampleOf(Standing standing)
{
    switch (standing) {
    case Standing::Harmed: return u"7"_s;
    case Standing::HarmedAnyway: return u"(7)"_s;
    case Standing::Held: return u"ok"_s;
    case Standing::HeldSoFar: return u"ok?"_s;
    case Standing::NotExercised: return u"·"_s;
    case Standing::Untested: return u"!"_s;
    case Standing::NotApplicable: return u"–"_s;
    case Standing::Unknown: break;
    }
    return {};
}

} // namespace lockscope::models
