#pragma once

#include "core/kernel/report/cell_report.h"

#include <QAbstractListModel>

#include <optional>
#include <vector>

namespace lockscope::models {

/// What a search or a run says about the promises of a protocol, a line each; of a search over all
/// kinds of faults together. What is broken comes first, what was promised before what was not.
class PromiseListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum class Standing {
        Untested,     // of no promise: nothing was put to the test, and why
        Broken,       // although it is promised
        BrokenAnyway, // and not promised under that fault
        Held,
        NotExercised,  // nothing happened by which it could have broken
        NotApplicable, // nothing that it could be about
    };
    Q_ENUM(Standing)
    enum Role {
        StandingRole = Qt::UserRole, // Standing
        DetailRole,                  // QString: the evidence, or what was covered
        HarmRole,                    // int: search::Harm; -1 where nothing broke
    };

    using QAbstractListModel::QAbstractListModel;

    /// One report per kind of fault. They outlive this, or the next call.
    void show(const std::vector<report::CellReport>& cells);
    /// Of one run that was not searched for. `untested`: why nothing was put to the test in it;
    /// empty: something was.
    void show(const std::vector<report::PromiseVerdict>& verdicts,
              const std::string& untested = {});
    void clear();

    /// The broken promise of the row with the run that breaks it; nullptr: it is not broken.
    const report::CellVerdict* verdictAt(int row) const;
    const report::CellReport* cellAt(int row) const;
    /// The row to show first; -1 when nothing broke.
    int headlineRow() const;
    /// -1 while nothing is shown.
    int rowOf(protocol::Promise promise) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    struct Line {
        protocol::Promise promise = protocol::Promise::MutualExclusion;
        Standing standing = Standing::NotApplicable;
        std::optional<Instant> at; // when it broke
        QString detail;
        const report::CellReport* cell = nullptr;
        const report::CellVerdict* verdict = nullptr;
    };

    static Line lineOf(const report::PromiseVerdict& verdict,
                       const std::vector<report::CellReport>& cells);
    static Line lineOf(const report::PromiseVerdict& verdict);
    void showLines(std::vector<Line> lines, const std::string& untested);
    QString titleOf(const Line& line) const;

    std::vector<Line> m_lines;
    QString m_untestedTitle; // why nothing was tested
};

} // namespace lockscope::models
