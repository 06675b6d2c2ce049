#pragma once

#include "core/kernel/report/matrix_columns.h"
#include "core/kernel/report/row_verdict.h"
#include "ui/models/protocol_list_model.h"

#include <QAbstractTableModel>

#include <span>
#include <vector>

namespace lockscope::models {

/// Protocols against faults: what a search says about each pair, seen by somebody who cares for
/// some harms and some faults. A row becomes known as a whole. Rows are in the order of their
/// groups. They stay where they are while they become known, until somebody asks for their order:
/// then the best protocol of a group stands first.
class MatrixModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        StandingRole = Qt::UserRole, // report::CellStanding
        HarmRole,                    // int: search::Harm, -1 where nothing happens
        NumberRole,                  // QString: the text without the word of the harm
        HasOthersRole,               // bool: something else happens that is not cared for
        DetailRole,                  // QString: what happened, or what was covered, in a sentence
        TitleRole, // QString: "set-nx-ex · Pause: two holders at once in 7 steps"
        // Of the headers of rows:
        VerdictRole,   // QString: "breaks on a good day"; empty while it is not known
        IsDimmedRole,  // bool: the protocol is not fit for use
        GroupNameRole, // QString: the name of the group above its first row; empty for all others;
                       // of columns: the name of their group of faults
        // Of the headers of columns:
        FaultGroupRole, // int: world::FaultGroup
        FoldRole,       // Fold
    };
    /// Whether a column stands for several kinds of faults.
    enum class Fold {
        None,     // the only kind of its group that is shown
        Folded,   // all shown kinds of its group
        Unfolded, // one of several kinds that can be folded into one column
    };
    Q_ENUM(Fold)

    explicit MatrixModel(std::vector<world::FaultKind> faults, QObject* parent = nullptr);

    /// The rows. What is known of a protocol stays as long as it is the same object, and so does
    /// its row; new ones are added at the end of their group.
    void setProtocols(const std::vector<ProtocolPtr>& protocols);
    /// Sets the result of a search of one protocol, a report per fault. No row moves. Ignores
    /// protocols that have no row.
    void show(const ProtocolPtr& protocol, std::vector<report::CellReport> cells);
    /// Nothing is known any more. No row moves.
    void forget();
    /// Brings the rows into their order, the best of each group first; what is not known yet stays
    /// in the order in which it was given, after the others.
    void sortRows();
    /// Whether sortRows() would move no row.
    bool isSorted() const;

    /// Sets the harms that must not happen, at least one, and sorts the rows. The default is two
    /// holders at once.
    void setNever(std::vector<search::Harm> never);
    const std::vector<search::Harm>& never() const { return m_never; }
    /// The columns, of those that it was made with and in their order; all of them at first. At
    /// least one. Sorts the rows.
    void setShownFaults(const std::vector<world::FaultKind>& faults);
    const std::vector<world::FaultKind>& shownFaults() const { return m_shown; }

    /// Groups that have a column per fault; all of them at first. The others have one column each.
    void setUnfolded(std::vector<world::FaultGroup> groups);
    const std::vector<world::FaultGroup>& unfolded() const { return m_unfolded; }
    const report::MatrixColumn& columnAt(int column) const;

    /// What is searched, shown or not.
    const std::vector<world::FaultKind>& faults() const { return m_faults; }
    ProtocolPtr protocolAt(int row) const;
    /// -1 when it is in none.
    int rowOf(const ProtocolPtr& protocol) const;
    bool isKnown(int row) const;
    int knownCount() const;
    /// The worst one of a folded column.
    const report::CellReport& cellAt(int row, int column) const;
    report::CellView viewAt(int row, int column) const;
    /// The cells of all shown faults, folded or not, row by row, as report/matrix_text.h takes
    /// them.
    std::vector<report::CellReport> cells() const;
    /// The same of other faults; those that are not searched are left out.
    std::vector<report::CellReport> cellsUnder(std::span<const world::FaultKind> faults) const;
    /// The same of one row, under all faults.
    const std::vector<report::CellReport>& cellsOf(int row) const;
    /// Whether there is a counterexample to look at.
    static bool isHarmed(const QModelIndex& index);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    class RowsMoving;
    struct Row {
        ProtocolPtr protocol;
        bool isKnown = false;
        std::vector<report::CellReport> cells; // one per fault
        report::RowVerdict verdict;            // of what is shown
    };

    Row emptyRow(const ProtocolPtr& protocol) const;
    std::size_t placeOf(world::FaultKind fault) const;
    report::RowVerdict verdictOf(const Row& row) const;
    void judgeAll();
    std::vector<std::size_t> order() const;
    void reorder();
    bool isFirstOfGroup(int row) const;
    std::vector<const report::CellReport*> cellsIn(int row, int column) const;
    Fold foldOf(int column) const;
    QString titleAt(const QModelIndex& index, const report::CellView& view) const;
    QString detailAt(const QModelIndex& index, const report::CellView& view) const;
    QString toolTipAt(const QModelIndex& index, const report::CellView& view) const;
    QStringList faultLines(const QModelIndex& index) const;
    bool hasOthers(const QModelIndex& index) const;
    QString columnToolTip(int column) const;
    QVariant columnHeader(int column, int role) const;
    QVariant rowHeader(int row, int role) const;

    std::vector<world::FaultKind> m_faults;
    std::vector<world::FaultKind> m_shown;
    std::vector<world::FaultGroup> m_unfolded;
    std::vector<report::MatrixColumn> m_columns; // of the shown faults
    std::vector<search::Harm> m_never{search::Harm::TwoHolders};
    std::vector<ProtocolPtr> m_protocols; // as they were given
    std::vector<Row> m_rows;              // as they are shown
};

} // namespace lockscope::models
