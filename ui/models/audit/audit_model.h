#pragma once

#include "core/kernel/report/audit_trail.h"

#include <QAbstractTableModel>
#include <QString>

#include <cstddef>
#include <string>
#include <vector>

namespace lockscope::models {

/// The attempts of the audit file, the newest first, as far as a filter lets them through.
class AuditModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        TimeColumn,
        ServerColumn,
        KeyColumn,
        ActionColumn,
        OutcomeColumn,
        OwnerColumn,
        ByColumn,
        ReasonColumn,
        ColumnCount
    };
    enum Role {
        SeverityRole = Qt::UserRole, // int: 0 done, 1 nothing was done, 2 not known or interrupted
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setTrail(report::AuditTrail trail);
    /// Words that all occur in an attempt, in any case; empty: all attempts.
    void setFilter(const QString& words);

    const report::AuditTrail& trail() const { return m_trail; }
    const report::AuditRecord& recordAt(int row) const;

    // What is shown, for other programs: the oldest first, as the command line has it.
    std::string asCsv() const;
    std::string asJson() const;
    /// A row as it is pasted elsewhere: its cells with tabs between them.
    QString lineAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void choose();
    std::vector<const report::AuditRecord*> shown() const;

    report::AuditTrail m_trail;
    report::AuditFilter m_filter;
    std::vector<std::size_t> m_rows; // of the records, the newest first
};

// The words of the file as people read them.
QString auditActionText(const report::AuditRecord& record);
QString auditOutcomeText(const report::AuditRecord& record);
/// As AuditModel::SeverityRole.
int auditSeverityOf(const report::AuditRecord& record);

} // namespace lockscope::models
