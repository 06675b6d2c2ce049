#pragma once

#include "core/kernel/inspect/observation.h"
#include "core/service/release_desk.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace lockscope::widgets {

/// One lock of several that are released or capped together.
struct BulkItem {
    enum class State {
        Reading, // is being read, or will be
        Ready,   // can be done
        LeftOut, // cannot be done together with others; the text says why
        Sent,
        Done,
        Surprise, // another outcome than the one that was asked for; the text says which
        NotTried,
    };

    inspect::LockPtr watched;   // as the table showed it
    inspect::LockPtr looked;    // as it was read; the plan is about this hold
    inspect::LockChange newest; // of this lock, since it is known here
    State state = State::Reading;
    QString text;                              // why, or what became of it
    std::optional<inspect::LockSnapshot> seen; // as it was read, where one server has it
    std::optional<inspect::ReleasePlan> plan;
    std::optional<inspect::KeyGuard> guard; // of the plan, until that is sent
    bool isIncluded = false;                // of one that is ready: the user wants it done
    quint64 request = 0;                    // the one whose answer is awaited
};

/// Releases or caps several locks, one after the other. Each is read, planned and compared on the
/// server just as a single one is, by the same service. After the first outcome that was not asked
/// for nothing more is sent.
///
/// What only a user can decide for one lock is left out: several holders, formats that cannot be
/// released.
class BulkRelease : public QObject {
    Q_OBJECT
public:
    /// `desk` outlives the object.
    BulkRelease(service::ReleaseDesk& desk, inspect::ReleaseAction action,
                QObject* parent = nullptr);

    /// Reads the locks afresh, one after the other. Once.
    void read(const std::vector<inspect::LockPtr>& locks);
    bool isReading() const { return m_reading < m_items.size(); }

    const std::vector<BulkItem>& items() const { return m_items; }
    std::size_t includedCount() const;

    /// Of one that is ready.
    void setIncluded(std::size_t item, bool isIncluded);

    /// Puts this expiry on those that are capped. False where it is no time.
    bool setCap(const QString& time);

    /// Does what is included. Once, when all is read.
    void execute(const QString& reason);
    bool isExecuting() const { return m_stage == Stage::Executing; }
    bool isOver() const { return m_stage == Stage::Over; }

    /// Puts back what was released, by plans that undo it. When all is over; the reason is the
    /// same. Each is tried, whatever becomes of the others.
    void undo(const std::vector<inspect::ReleasePlan>& plans);
    bool isUndo() const { return m_isUndo; }

    /// Nothing more is sent. What was sent is answered still.
    void stop();

    /// Nothing more will be sent: the desk need not notice writes to the locks any more.
    void endGuards();

    /// What happened to the locks; others than these are ignored.
    void takeChange(const inspect::LockChange& change);

Q_SIGNALS:
    void itemChanged(std::size_t item);
    void readAll();
    /// A plan was sent.
    void attempted(quint64 request, const lockscope::inspect::ReleasePlan& plan);
    /// Nothing more will be sent, and nothing is under way.
    void over();

private:
    enum class Stage { Planning, Executing, Over };

    void readNext();
    void takeDetails(quint64 request, const operations::LockDetails& details);
    void takeReport(quint64 request, const inspect::ReleaseReport& report);
    QString obstacleOf(const BulkItem& item, const operations::LockDetails& details) const;
    QString obstacleOf(const inspect::ReleasePlan& plan) const;
    void endGuard(BulkItem& item);
    void judge(std::size_t at);
    void sendNext();
    void giveUpTheRest();
    void set(std::size_t item, BulkItem::State state, const QString& text = {});

    service::ReleaseDesk& m_desk;
    inspect::ReleaseAction m_action;
    Stage m_stage = Stage::Planning;
    bool m_isUndo = false;
    std::vector<BulkItem> m_items;
    std::size_t m_reading = 0;         // the item that is read; behind the last one: all are
    std::optional<std::size_t> m_sent; // the item whose answer is awaited
    QString m_reason;
};

} // namespace lockscope::widgets
