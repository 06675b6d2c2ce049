#pragma once

#include "core/kernel/diagnosis/blocking.h"
#include "ui/models/locks/lock_table_model.h"

#include <QAbstractItemModel>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::models {

/// Who waits behind whom, as far as the servers know it by name: a line per lock that somebody
/// waits for, below it its waiters, below these the locks that they hold and others wait for. Rings
/// of holders that wait for each other come first, then the longest wait. It follows the held locks
/// of a LockTableModel, whatever the filter of that hides, but only while somebody looks.
class BlockingModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { NameColumn, StateColumn, SinceColumn, WaitersColumn, WaitedColumn, ColumnCount };
    enum Role {
        LockIdRole = Qt::UserRole, // inspect::LockId; of a waiter, the lock that it waits for
        IsDeadlockRole,            // bool
    };

    /// Below one line; a last line counts the others.
    static constexpr std::size_t kLinesAtMost = 200;

    /// `locks` outlives the model.
    explicit BlockingModel(const LockTableModel& locks, QObject* parent = nullptr);
    ~BlockingModel() override;

    void setWatched(bool isWatched);

    /// Shows what is true now. To be called a few times a second at most.
    void refresh();

    /// What the lines do not show; empty: nothing.
    QString remark() const { return m_remark; }

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// What a line says.
    struct Text {
        std::array<QString, ColumnCount> cells;
        std::optional<inspect::LockId> lock;
        bool isDeadlock = false;
        friend bool operator==(const Text&, const Text&) = default;
    };
    struct Wanted {
        std::string key; // of the line among its siblings
        Text text;
        std::vector<Wanted> children;
    };
    struct Node {
        std::string key;
        Text text;
        Node* parent = nullptr;
        std::vector<std::unique_ptr<Node>> children;
    };

    void apply(const std::vector<lockscope::models::LockTransition>& transitions);
    void take(const inspect::LockPtr& lock);
    std::vector<Wanted> wantedLines();
    Wanted lineOf(const diagnosis::BlockingLock& lock) const;
    Wanted lineOf(const std::vector<inspect::LockPtr>& ring, std::size_t number) const;
    Text textOf(const inspect::LockRecord& lock) const;
    static void limit(std::vector<Wanted>& lines);
    void merge(Node& node, std::vector<Wanted> wanted);
    static std::unique_ptr<Node> made(Wanted wanted, Node& parent);
    QModelIndex indexOf(const Node& node) const;
    const Node& nodeOf(const QModelIndex& index) const;

    const LockTableModel& m_table;
    bool m_isWatched = false;
    std::map<inspect::LockId, inspect::LockPtr> m_contended;
    Node m_root;
    QString m_remark;
};

} // namespace lockscope::models
