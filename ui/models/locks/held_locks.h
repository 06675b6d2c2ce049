#pragma once

#include "core/service/lock_keeper.h"
#include "ui/models/protocol_list_model.h"

#include <QAbstractTableModel>
#include <QString>

#include <functional>
#include <vector>

namespace lockscope::models {

/// What the acquire dialog asks for, as it was typed.
struct AcquireDraft {
    ProtocolPtr protocol;
    std::vector<store::Endpoint> servers; // of the window; one protocol takes the first, one all
    QString key;                          // as reports write keys: \xNN for other bytes
    protocol::Mode mode = protocol::Mode::Write; // only of protocols with modes
    QString lease;
    QString wait;
    QString permits; // only of semaphores
    bool isKeptRenewed = true;

    static AcquireDraft withDefaults(ProtocolPtr protocol);
};

/// A draft that was read: the order, and what is wrong with each field. It can be given when
/// nothing is.
struct ParsedAcquire {
    service::KeepOrder order;
    QString keyError;
    QString leaseError;
    QString waitError;
    QString permitsError;

    bool isGood() const
    {
        return keyError.isEmpty() && leaseError.isEmpty() && waitError.isEmpty()
               && permitsError.isEmpty();
    }
};

ParsedAcquire readAcquireDraft(const AcquireDraft& draft);

/// How a hold by hand is kept alive: as the protocol does it, or, where it leaves that to its user
/// or the lease is shorter than that, every third of the lease. Off when it cannot be.
protocol::Renewal renewalFor(const protocol::ProtocolInfo& info, Duration lease);

/// How a lock taken by hand is doing, in words: its state, and what that means.
struct KeptLockText {
    enum class Tone { Quiet, Good, Warning, Bad };

    Tone tone = Tone::Quiet;
    QString state;  // a word or two: "held", "lost"
    QString detail; // a sentence: what it means, and what to do; may be empty
};

KeptLockText textOf(const service::KeptLock& lock, Instant now);

/// "28.4 s"; "no end" for a lock without expiry; empty while it is not held.
QString timeLeftText(const service::KeptLock& lock, Instant now);

/// Why a holder must not trust its lock any more: a sentence.
QString lossSentence(trace::LossReason reason);

/// The locks that are held by hand, or on the way there, in the order of asking. One that is over
/// disappears.
class HeldLocksModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        KeyColumn,
        StateColumn,
        LeftColumn,
        RenewalsColumn,
        ProtocolColumn,
        ServerColumn,
        ColumnCount
    };
    enum Role {
        IdRole = Qt::UserRole, // quint64, as LockKeeper names it
        ToneRole,              // int(KeptLockText::Tone)
    };

    explicit HeldLocksModel(std::function<Instant()> now, QObject* parent = nullptr);

    void takeKeptLock(const service::KeptLock& lock);
    /// The times left, as of now.
    void refreshTimes();

    const service::KeptLock& lockAt(int row) const
    {
        return m_locks[static_cast<std::size_t>(row)];
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textAt(const service::KeptLock& lock, int column) const;

    std::function<Instant()> m_now;
    std::vector<service::KeptLock> m_locks;
};

} // namespace lockscope::models
