#pragma once

#include "core/kernel/inspect/filter/lock_filter.h"
#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/report/lock_fields.h"
#include "core/kernel/store/endpoint.h"
#include "ui/models/locks/color_rules.h"
#include "ui/models/locks/lock_order.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockscope::models {

struct LockCell;
/// One bit for each column.
using CellSet = std::uint32_t;

/// What became of one lock: `before` is null when it is new here, `after` when it is gone.
struct LockTransition {
    inspect::LockPtr before;
    inspect::LockPtr after;
};

/// The locks of the watched servers as rows. It keeps its own order and filter, because a
/// sort-filter proxy does not stand a hundred thousand rows
/// (docs/decisions/0003-own-view-order.md). The holders of an expanded lock are rows right below
/// it.
///
/// The model is never reset: selection, scroll position and persistent indexes survive everything.
/// Countdowns do not touch it: it hands out instants, and the delegates compare them with now().
class LockTableModel : public QAbstractTableModel, private RowListener {
    Q_OBJECT
public:
    using enum report::LockColumn;
    enum Role {
        RecordRole = Qt::UserRole, // inspect::LockPtr
        LockIdRole,                // inspect::LockId
        HolderIndexRole,           // int; -1: the row is the lock itself
        ExpiresAtRole,             // std::optional<Instant>; nullopt: never
        StateRole,                 // int(inspect::LockState)
        SeverityRole,              // int, as inspect::severityOf()
        FadeRole,          // QString: "released" or "expired" for a lock that is gone; else empty
        IsExpandableRole,  // bool
        IsExpandedRole,    // bool
        SecondaryTextRole, // QString: what stands beside the text, more quietly
        IsStaleRole,       // bool: read before the connection broke, and not again yet
        IsFreshRole,       // bool: the cell changed a moment ago
        RuleColorRole,     // int(RuleColor) of the rule that marks the row; invalid for none
        RuleNameRole,      // QString: its name; empty for none
    };

    /// A lock that is gone stays for so long, marked as such.
    static constexpr Duration kFadeDuration = std::chrono::seconds(4);
    /// A cell that changed is marked for so long.
    static constexpr Duration kFreshDuration = std::chrono::milliseconds(700);
    /// What a colour rule said of the row that was painted last holds for so long.
    static constexpr Duration kRuleAge = std::chrono::milliseconds(100);
    /// Rows whose sort key changed move no more often than this.
    static constexpr Duration kResortInterval = std::chrono::milliseconds(500);

    /// The present on the time line of the records' instants; the model has no clock of its own.
    using NowFunction = std::function<Instant()>;

    explicit LockTableModel(NowFunction now, QObject* parent = nullptr);

    /// Takes over what happened. While paused it is kept for later.
    void apply(const inspect::LockDelta& delta);
    /// Forgets all locks, also the changes kept while paused: another server is watched from now
    /// on.
    void clear();

    /// The names of the servers by LockId::server, and the database they are watched in.
    void setServers(std::vector<std::string> names, int database = 0);
    /// The same of the servers of a connection: see store::namesBeside().
    void setEndpoints(const std::vector<store::Endpoint>& endpoints);
    std::size_t serverCount() const { return m_servers.size(); }
    /// Some of the servers are clusters: the locks there have a node and a slot.
    void setHasClusters(bool hasClusters);
    bool hasClusters() const { return m_hasClusters; }
    QString serverText(const inspect::LockId& id) const;
    QString unknownServersText(const inspect::Quorum& quorum) const;
    /// Where a lock is, as JSON and CSV have it: the database is not in the name.
    struct Place {
        std::string server;
        int database = 0;
    };
    Place placeOf(const inspect::LockId& id) const;

    /// Whose titles the rows show.
    void setFormats(inspect::FormatTablePtr formats);

    void setFilter(inspect::LockFilter filter);

    /// Which rows are marked. A rule is asked about a row when the row is looked at, never about
    /// all of them.
    void setColorRules(ColorRules rules);
    const ColorRules& colorRules() const { return m_rules; }
    /// The rule that marks the lock now; null for none.
    const ColorRule* ruleOf(const inspect::LockRecord& lock) const;

    /// What the locks have in a text field of the filter, to be offered for completion: some of
    /// them where there are very many.
    std::vector<std::string> knownTexts(std::string_view filterField) const;
    /// The term of a filter that finds locks like this one in a column; empty where there is none.
    QString alikeFilter(const QModelIndex& index) const;

    /// Whether keys that are probably data have rows, behind all others. A filter finds them either
    /// way.
    void setShowsProbableData(bool isShown);
    bool showsProbableData() const { return m_showsProbableData; }
    /// How many there are, and how many of them have no row for being what they are.
    qsizetype probableDataCount() const { return m_probableDataCount; }
    qsizetype hiddenDataCount() const;

    /// A column below zero means by urgency.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    /// Freezes what is shown, including the time; nothing is lost.
    void setPaused(bool isPaused);
    bool isPaused() const { return m_pausedAt.has_value(); }
    /// Changes that arrived since it was paused.
    qint64 pausedChangeCount() const { return m_pausedChangeCount; }

    /// Lets faded rows go, moves rows to where they belong by now, asks a filter that depends on
    /// time again. To be called a few times a second while the table is visible.
    void advance(Instant now);

    /// Whether cells are marked as changed; they have to be painted again when that is over.
    bool hasFreshCells() const { return !m_fresh.empty(); }

    /// The moment that is shown: the present, or when the model was paused.
    Instant now() const;

    inspect::LockPtr lockAt(const QModelIndex& index) const;
    /// The first column of the row of the lock; invalid when it is not shown.
    QModelIndex indexOf(const inspect::LockId& id) const;

    /// Whether the lock is held, as far as known, and the filter hides it.
    bool hides(const inspect::LockId& id) const;

    void setExpanded(const QModelIndex& index, bool isExpanded);

    /// All that are held, shown or not, in no order.
    std::vector<inspect::LockPtr> heldLocks() const;

    /// Locks that are held, shown or not; and those that pass the filter.
    qsizetype heldLockCount() const;
    qsizetype shownLockCount() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    /// What the counts of the side panel follow. Not sent for what waits while paused.
    void locksReplaced(const std::vector<lockscope::models::LockTransition>& transitions);
    void pausedChangeCountChanged(qint64 count);
    void pausedChanged(bool isPaused);
    void serversChanged();

private:
    void takeServers(std::vector<std::string> names, std::vector<Place> places);

    struct Fade {
        inspect::ChangeKind kind = inspect::ChangeKind::Released;
        Instant until{};
    };
    struct Fresh {
        CellSet cells = 0;
        Instant until{};
    };
    using RowMap = std::unordered_map<LockRow, int, LockRowHash>;

    void beginInsert(int first, int last) override;
    void endInsert() override;
    void beginRemove(int first, int last) override;
    void endRemove() override;
    void beginPermute() override;
    void endPermute() override;
    void rowsChanged(int first, int last) override;

    void applyNow(const std::vector<inspect::LockChange>& changes);
    void takeOver(const inspect::LockChange& change, std::vector<inspect::LockPtr>& records,
                  std::vector<LockTransition>& transitions);
    void removeFaded(Instant now);
    void tellReplaced(const std::vector<LockTransition>& transitions);
    LockOrder::Accepts filterFunction() const;
    const Fade* fadeOf(Slot slot) const;
    bool isFresh(const LockRow& row, int column) const;
    LockCell cellOf(const LockRow& row) const;
    const ColorRule* ruleOfRow(const LockRow& row) const;
    QString toolTipOf(const LockRow& row, int column) const;
    RowMap rowsOf(const std::vector<LockRow>& wanted) const;

    NowFunction m_now;
    LockOrder m_order{*this};
    inspect::LockFilter m_filter;
    /// Of the row that was looked at last: its cells are painted one after the other.
    struct LatestRule {
        inspect::LockPtr lock;
        Instant at{};
        const ColorRule* rule = nullptr;
    };
    ColorRules m_rules;
    mutable LatestRule m_latestRule;
    bool m_showsProbableData = false;
    qsizetype m_probableDataCount = 0;
    Instant m_filterNow{}; // the moment the filter is asked about
    inspect::FormatTablePtr m_formats = inspect::builtinFormatTable();
    std::vector<std::string> m_servers; // as they are shown
    std::vector<Place> m_places;        // of the servers
    bool m_hasClusters = false;
    std::unordered_map<Slot, Fade> m_fades;
    std::unordered_map<Slot, Fresh> m_fresh;
    std::optional<Instant> m_pausedAt;
    qint64 m_pausedChangeCount = 0;
    std::unordered_map<inspect::LockId, inspect::LockChange, inspect::LockIdHash> m_waiting; // the
                                                                                             // last
                                                                                             // of
                                                                                             // each
                                                                                             // lock
    Instant m_lastResort{};
    QModelIndexList m_persistentBefore;    // between beginPermute() and endPermute()
    std::vector<LockRow> m_persistentRows; // between beginPermute() and endPermute()
};

} // namespace lockscope::models
