#pragma once

#include "core/kernel/report/advice.h"
#include "core/kernel/report/remedy_checks.h"
#include "core/service/search_runner.h"
#include "ui/models/matrix/matrix_model.h"

#include <QAbstractTableModel>

#include <map>
#include <vector>

namespace lockscope::models {

/// Which lock to use, computed from the matrix: what must not happen and what may go wrong are
/// those that the matrix shows. Best first. Costs are predicted when a protocol suits for the first
/// time, which takes some milliseconds each.
class AdviceModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        ProtocolColumn,
        AnswerColumn,   // "holds", or the shortest reason against
        CommandsColumn, // of an acquisition with its release
        WaitColumn,     // of ten clients for one lock: median and 99th percentile
        LibrariesColumn,
        ColumnCount,
    };
    enum Role {
        SuitsRole = Qt::UserRole, // bool
    };

    /// The matrix outlives the model.
    explicit AdviceModel(const MatrixModel& matrix, QObject* parent = nullptr);

    /// Answers anew. `needs`: what is asked for beside harms and faults, which the matrix knows.
    void ask(report::AdviceQuestion needs);

    /// What shows whether anything would help where nothing holds; no tasks: nothing may, or all
    /// was searched.
    service::SearchOrder remedySearch(const search::Bounds& bounds) const;
    bool areRemediesPairs() const { return m_remedies.arePairs(); }
    /// What came of it, for the latest question. Another search may follow.
    void takeRemedies(const std::vector<report::CellReport>& reports);

    /// "5 of 24 protocols hold."
    QString summary() const;
    /// What would help where nothing holds, a sentence each.
    QStringList additions() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    static QString answerOf(const report::ProtocolAdvice& advice);
    QString textOf(const report::ProtocolAdvice& advice, int column) const;
    std::vector<const protocol::ProtocolInfo*> infos() const;

    const MatrixModel& m_matrix;
    std::vector<report::CellReport> m_cells; // that the advice refers to
    report::AdviceQuestion m_question;
    report::Advice m_advice;
    report::RemedyRounds m_remedies; // that the question leads to
    std::map<std::string, report::AdviceCost> m_costs;
};

} // namespace lockscope::models
