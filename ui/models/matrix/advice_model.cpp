#include "ui/models/matrix/advice_model.h"

#include "ui/models/formatting.h"

#include <QStringList>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using report::ProtocolAdvice;

AdviceModel::AdviceModel(const MatrixModel& matrix, QObject* parent)
    : QAbstractTableModel(parent),
      m_matrix(matrix)
{}

void AdviceModel::ask(report::AdviceQuestion needs)
{
    beginResetModel();
    needs.never = m_matrix.never();
    needs.despite = m_matrix.shownFaults();
    m_cells = m_matrix.cellsUnder(searchedFor(needs));
    m_question = std::move(needs);
    const std::vector<const protocol::ProtocolInfo*> infos = this->infos();
    m_advice = adviceOn(m_question, infos, m_cells);
    m_remedies = report::RemedyRounds(m_advice, m_question, infos);
    for (const ProtocolAdvice& advice : m_advice.protocols) {
        if (advice.suits() && !m_costs.contains(advice.protocol)) {
            const auto row = std::ranges::find(infos, advice.protocol, &protocol::ProtocolInfo::id);
            const auto protocol = m_matrix.protocolAt(static_cast<int>(row - infos.begin()));
            m_costs.emplace(advice.protocol, report::costOf(*protocol));
        }
    }
    endResetModel();
}

std::vector<const protocol::ProtocolInfo*> AdviceModel::infos() const
{
    std::vector<const protocol::ProtocolInfo*> infos;
    for (int row = 0; row < m_matrix.rowCount(); ++row) {
        infos.push_back(&m_matrix.protocolAt(row)->info());
    }
    return infos;
}

service::SearchOrder AdviceModel::remedySearch(const search::Bounds& bounds) const
{
    const std::vector<const protocol::ProtocolInfo*> infos = this->infos();
    service::SearchOrder order;
    for (const report::RemedyCheck& check : m_remedies.checks()) {
        const auto row = std::ranges::find(infos, check.protocol, &protocol::ProtocolInfo::id);
        const auto protocol = m_matrix.protocolAt(static_cast<int>(row - infos.begin()));
        std::ranges::move(report::tasksOf(check, protocol, m_question, bounds),
                          std::back_inserter(order.tasks));
    }
    return order;
}

void AdviceModel::takeRemedies(const std::vector<report::CellReport>& reports)
{
    m_remedies.take(m_advice, reports);
}

QString AdviceModel::summary() const
{
    const auto suiting = std::ranges::count_if(m_advice.protocols, &ProtocolAdvice::suits);
    if (suiting == 0) {
        return tr("Nothing holds.");
    }
    return tr("%1 of %2 protocols hold.").arg(suiting).arg(rowCount());
}

QStringList AdviceModel::additions() const
{
    QStringList sentences;
    for (const report::Addition& addition : m_advice.additions) {
        sentences += toQString(additionText(addition));
    }
    return sentences;
}

int AdviceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_advice.protocols.size());
}

int AdviceModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString AdviceModel::answerOf(const ProtocolAdvice& advice)
{
    switch (advice.standing) {
    case ProtocolAdvice::Standing::Holds: return tr("holds");
    case ProtocolAdvice::Standing::HeldSoFar: return tr("held as far as it was searched");
    case ProtocolAdvice::Standing::NoChoice:
        return tr("no choice: %1").arg(toQString(reasonText(advice)));
    default: return toQString(reasonText(advice));
    }
}

QString AdviceModel::textOf(const ProtocolAdvice& advice, int column) const
{
    const auto cost = m_costs.find(advice.protocol);
    const bool hasCost = advice.suits() && cost != m_costs.end();
    switch (column) {
    case ProtocolColumn: return toQString(advice.protocol);
    case AnswerColumn: return answerOf(advice);
    case CommandsColumn:
        return hasCost ? QString::number(cost->second.commands, 'f', 1) : QString();
    case WaitColumn:
        return hasCost ? tr("%1 · %2").arg(durationText(cost->second.waitMedian),
                                           durationText(cost->second.waitLongest))
                       : QString();
    default: break;
    }
    QStringList libraries;
    for (const std::string& library : advice.libraries) {
        libraries += toQString(library);
    }
    return listed(libraries);
}

QVariant AdviceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const ProtocolAdvice& advice = m_advice.protocols[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return textOf(advice, index.column());
    case Qt::TextAlignmentRole:
        return index.column() == CommandsColumn
                   ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter))
                   : QVariant();
    case SuitsRole: return advice.suits();
    default: return {};
    }
}

QVariant AdviceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) {
        return {};
    }
    const bool isTip = role == Qt::ToolTipRole;
    switch (section) {
    case ProtocolColumn: return tr("Protocol");
    case AnswerColumn: return tr("Answer");
    case CommandsColumn:
        return isTip ? tr("Commands of an acquisition with its release, of a client that is alone")
                     : tr("Commands");
    case WaitColumn:
        return isTip
                   ? tr("Waits of ten clients for one lock, predicted: median and 99th percentile")
                   : tr("Waits (p50 · p99)");
    case LibrariesColumn: return tr("Libraries");
    default: return {};
    }
}

} // namespace lockscope::models
