#include "ui/models/audit/audit_model.h"

#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QDateTime>
#include <QStringList>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using report::AuditRecord;

namespace {

QString byText(const AuditRecord& record)
{
    return toQString(record.user) + u'@' + toQString(record.host);
}

QString cellText(const AuditRecord& record, int column)
{
    switch (column) {
    case AuditModel::TimeColumn: return shownTime(record.at).toString(u"yyyy-MM-dd HH:mm:ss"_s);
    case AuditModel::ServerColumn: return toQString(record.server);
    case AuditModel::KeyColumn: return toQString(record.key);
    case AuditModel::ActionColumn: return auditActionText(record);
    case AuditModel::OutcomeColumn: return auditOutcomeText(record);
    case AuditModel::OwnerColumn: return toQString(record.owners);
    case AuditModel::ByColumn: return byText(record);
    case AuditModel::ReasonColumn: return toQString(record.reason).simplified();
    default: return {};
    }
}

} // namespace

QString auditActionText(const AuditRecord& record)
{
    const std::string& action = record.action;
    return action == "release"       ? UiText::tr("release")
           : action == "cap-ttl"     ? UiText::tr("cap the TTL")
           : action == "tombstone"   ? UiText::tr("tombstone")
           : action == "restore"     ? UiText::tr("undo")
           : action == "kill-client" ? UiText::tr("disconnect")
                                     : toQString(action);
}

QString auditOutcomeText(const AuditRecord& record)
{
    const std::string& outcome = record.outcome;
    return outcome == "released"        ? UiText::tr("released")
           : outcome == "capped"        ? UiText::tr("capped")
           : outcome == "replaced"      ? UiText::tr("replaced")
           : outcome == "restored"      ? UiText::tr("restored")
           : outcome == "killed"        ? UiText::tr("disconnected")
           : outcome == "changed-hands" ? UiText::tr("changed hands")
           : outcome == "already-gone"  ? UiText::tr("already gone")
           : outcome == "refused"       ? UiText::tr("refused")
           : outcome == "unknown"       ? UiText::tr("unknown")
           : outcome == "interrupted"   ? UiText::tr("interrupted")
                                        : toQString(outcome);
}

int auditSeverityOf(const AuditRecord& record)
{
    static constexpr std::array<std::string_view, 5> kDone{"released", "capped", "replaced",
                                                           "restored", "killed"};
    static constexpr std::array<std::string_view, 3> kNothingDone{"changed-hands", "already-gone",
                                                                  "refused"};
    if (std::ranges::find(kDone, record.outcome) != kDone.end()) {
        return 0;
    }
    return std::ranges::find(kNothingDone, record.outcome) != kNothingDone.end() ? 1 : 2;
}

void AuditModel::setTrail(report::AuditTrail trail)
{
    beginResetModel(); // the file was read anew: every row may be another
    m_trail = std::move(trail);
    choose();
    endResetModel();
}

void AuditModel::setFilter(const QString& words)
{
    beginResetModel();
    m_filter.words = words.toStdString();
    choose();
    endResetModel();
}

void AuditModel::choose()
{
    m_rows.clear();
    for (std::size_t i = m_trail.records.size(); i-- > 0;) {
        if (m_filter.accepts(m_trail.records[i])) {
            m_rows.push_back(i);
        }
    }
}

const AuditRecord& AuditModel::recordAt(int row) const
{
    return m_trail.records[m_rows[static_cast<std::size_t>(row)]];
}

std::vector<const AuditRecord*> AuditModel::shown() const
{
    std::vector<const AuditRecord*> records;
    for (auto row = m_rows.rbegin(); row != m_rows.rend(); ++row) {
        records.push_back(&m_trail.records[*row]);
    }
    return records;
}

std::string AuditModel::asCsv() const
{
    return report::auditCsv(shown());
}

std::string AuditModel::asJson() const
{
    return report::auditJson(shown());
}

QString AuditModel::lineAt(int row) const
{
    QStringList cells;
    for (int column = 0; column < ColumnCount; ++column) {
        cells += cellText(recordAt(row), column);
    }
    return cells.join(u'\t');
}

int AuditModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int AuditModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AuditModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const AuditRecord& record = recordAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return cellText(record, index.column());
    case SeverityRole: return auditSeverityOf(record);
    default: return {};
    }
}

QVariant AuditModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case TimeColumn: return tr("Time");
    case ServerColumn: return tr("Server");
    case KeyColumn: return tr("Key");
    case ActionColumn: return tr("Action");
    case OutcomeColumn: return tr("Outcome");
    case OwnerColumn: return tr("Owner");
    case ByColumn: return tr("By");
    case ReasonColumn: return tr("Reason");
    default: return {};
    }
}

} // namespace lockscope::models
