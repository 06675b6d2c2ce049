#pragma once

#include "core/kernel/report/cell_report.h"
#include "ui/models/protocol_list_model.h"

#include <QAbstractTableModel>

#include <vector>

namespace lockscope::models {

/// Protocols against faults: what a search says about each pair. A row becomes known as a whole.
class MatrixModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Standing {
        Unknown,       // not searched yet
        Broken,        // although it is promised
        BrokenAnyway,  // and not promised under that fault
        Held,          // everything within the plans was seen
        HeldSoFar,     // the search was cut by its bound
        Untested,      // nothing was granted, or nothing could have broken
        NotApplicable, // the fault makes no difference to the protocol
    };
    Q_ENUM(Standing)
    enum Role {
        StandingRole = Qt::UserRole, // Standing
        DetailRole,                  // QString: what happened, or what was covered, in a sentence
        TitleRole,                   // QString: "set-nx-ex · Pause: broken in 7 steps"
    };

    explicit MatrixModel(std::vector<world::FaultKind> faults, QObject* parent = nullptr);

    /// The rows. What is known of a protocol stays as long as it is the same object.
    void setProtocols(const std::vector<ProtocolPtr>& protocols);
    /// What a search of the protocol came to, a report per fault. Ignored when it is in no row.
    void show(const ProtocolPtr& protocol, std::vector<report::CellReport> cells);
    /// Nothing is known any more.
    void forget();

    const std::vector<world::FaultKind>& faults() const { return m_faults; }
    ProtocolPtr protocolAt(int row) const;
    /// -1 when it is in none.
    int rowOf(const ProtocolPtr& protocol) const;
    bool isKnown(int row) const;
    int knownCount() const;
    const report::CellReport& cellAt(int row, int column) const;
    /// All of them, row by row, as the texts of report/matrix_text.h want them.
    std::vector<report::CellReport> cells() const;
    /// Whether there is a counterexample to look at.
    static bool isBroken(const QModelIndex& index);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        ProtocolPtr protocol;
        bool isKnown = false;
        std::vector<report::CellReport> cells; // one per fault
    };

    Row emptyRow(const ProtocolPtr& protocol) const;
    void noteChange(int row);

    std::vector<world::FaultKind> m_faults;
    std::vector<Row> m_rows;
};

/// What the marks of the matrix mean: "a promise breaks in 7 steps".
QString meaningOf(MatrixModel::Standing standing);

/// An example of a cell's text: "7".
QString exampleOf(MatrixModel::Standing standing);

} // namespace lockscope::models
