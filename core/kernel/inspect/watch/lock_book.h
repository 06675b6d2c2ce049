#pragma once

#include "core/kernel/inspect/client_directory.h"
#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/inspect/observation.h"
#include "core/kernel/inspect/watch/hold_history.h"
#include "core/kernel/inspect/watch/hold_tracking.h"
#include "core/kernel/inspect/watch/lock_kinds.h"
#include "core/kernel/inspect/watch/lock_tracks.h"
#include "core/kernel/inspect/watch/owner_index.h"
#include "core/kernel/inspect/watch/placed_list.h"
#include "core/kernel/inspect/watch/waiter_channel.h"
#include "core/kernel/store/cluster.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/limits.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace lockscope::inspect {

/// Everything known about the locks of the watched servers. It takes what was seen, remembers
/// holds over time, folds Redlock sets, and says what changed. Pure bookkeeping: no clock, no
/// server.
///
/// With one server every lock is a row of its own. The folding says which locks of several servers
/// are one: with ByName single tokens become votes of rows that span the set (LockId::kWholeSet),
/// with SameToken they do once the same token was seen under one name on several. Everything else
/// stays per server.
class LockBook {
public:
    /// Whether a lock that the book does not have would have been known, if it had been there a
    /// moment ago.
    enum class Absence : std::uint8_t {
        Known,  // it was looked for, and news tell of what changes
        Unknown // this may be the first look at its name
    };

    explicit LockBook(std::uint16_t serverCount, const Recognisers& recognisers = builtinDecoders(),
                      std::size_t locksMax = store::limits::kLocksMax,
                      store::Folding folding = store::Folding::ByName);
    LockBook(std::uint16_t serverCount, FormatTablePtr formats,
             store::Folding folding = store::Folding::ByName);
    /// Of the servers of a connection.
    LockBook(std::span<const store::Endpoint> servers, FormatTablePtr formats);

    /// From now on these are recognised. What was read by a format of the user's, and what is no
    /// lock any more, goes at once; a sweep has to follow, which finds what is one now.
    void setFormats(FormatTablePtr formats, Instant now);

    /// Locks were left out since the last sweep began, because there are too many.
    bool isFull() const { return m_isFull; }

    /// A fresh look at one lock's keys. Keys that do not exist or are no locks end what was there
    /// before; keys that the server did not let us read leave it there, unconfirmed. True when some
    /// decoder read them.
    ///
    /// A hold was taken just now (LockRecord::isTakenWhileWatching) if the server is watched live,
    /// and the lock was known to be held by another owner, or to be absent. Otherwise it may be
    /// older than this look.
    bool see(const LockSnapshot& snapshot, Instant now, Absence absence = Absence::Known);

    /// From now on a lock that was known to be absent was taken just now. Set when the first sweep
    /// is done.
    void setLive(std::uint16_t server, bool isLive);

    /// Everything this server has was seen: what it was not seen to have is not there. Called for a
    /// server that is live by setLive() and confirm() already. Until then, and after
    /// markUnconfirmed(), it is a member of the set whose locks are not known.
    void setSwept(std::uint16_t server, Instant now);

    /// This server is a cluster, of which more is known now; null: it is none. Its locks say where
    /// they are.
    void setTopology(std::uint16_t server, store::ClusterTopologyPtr topology, Instant now);

    /// The locks of this server that `mayBeLost` says so of may be unknown to the next master. Ends
    /// for a lock when it is seen again.
    void markAtRisk(std::uint16_t server,
                    const std::function<bool(const LockRecord& record)>& mayBeLost, Instant now);

    /// How many subscribers wait on the lock's channel; nullopt: cannot be known.
    void setWaiters(const LockId& id, std::optional<int> count, Instant now);

    void setClients(std::uint16_t server, ClientDirectory directory, Instant now);

    /// The connection broke: what is known of this server's locks may be outdated, and is marked so
    /// until seen again.
    void markUnconfirmed(std::uint16_t server, Instant now);

    /// What was marked is right again, apart from what may not be read: the server was only silent,
    /// and everything that changed meanwhile has been seen.
    void confirm(std::uint16_t server, Instant now);

    /// The servers turned out to be no Redlock set: every lock is a row of its own from now on.
    void keepApart(Instant now);

    /// The server answers, as the process with this id; empty: it does not tell. When that may be
    /// another one than before the connection broke, and it has not kept its data, a lock that is
    /// there again is another hold, whatever its value says. A process that another server of the
    /// set is as well ends the set, as keepApart() does, when the book is next told the time.
    void meetServer(std::uint16_t server, std::string_view runId, bool mayHaveKeptData);

    /// A complete sweep has begun: whatever is seen from now on is not among unseen() when it is
    /// done.
    void beginSweep(std::uint16_t server);
    /// The locks that were not seen since beginSweep(): to be looked at once more, they are
    /// probably gone.
    std::vector<KeyGroup> unseen(std::uint16_t server) const;

    /// Re-judges what depends on time alone. Called about once a second.
    void tick(Instant now);

    /// What happened since the last call.
    LockDelta takeDelta();

    /// When to look at one of this server's locks again: at its predicted end, or later and later
    /// while it is there after an end that it states.
    std::optional<Instant> nextExpiry(std::uint16_t server) const;
    /// The keys of the locks whose predicted end has come: each is named once until it is seen
    /// again.
    std::vector<KeyGroup> takeDue(std::uint16_t server, Instant now);

    /// The keys of every known lock of this server.
    std::vector<KeyGroup> groups(std::uint16_t server) const;
    bool knowsKey(std::uint16_t server, const Bytes& key) const;
    /// The keys of the known lock that this key belongs to; nullopt: there is none.
    std::optional<KeyGroup> groupWith(std::uint16_t server, const Bytes& key) const;
    /// Known, confirmed, and readable when it was looked at last: nothing is missed by not looking
    /// again.
    bool isCertainOf(std::uint16_t server, const Bytes& key) const;
    /// The locks whose waiters can be counted, with the channel they wait on.
    std::vector<std::pair<LockId, Bytes>> waiterChannels(std::uint16_t server) const;
    /// Those of them whose count may be another one than is known, if somebody listens to the
    /// channels of `waitedFor` only: these, those that somebody waited for when they were counted
    /// last, and those that were not counted yet.
    std::vector<std::pair<LockId, Bytes>> waiterChannels(std::uint16_t server,
                                                         const std::vector<Bytes>& waitedFor) const;
    /// The names of this server's locks.
    std::vector<Bytes> names(std::uint16_t server) const;

    /// The rows as they are now, in no particular order.
    std::vector<LockPtr> rows() const;
    std::size_t rowCount() const;

private:
    using Track = LockTrack;
    /// A hold that was renewed like a lock's; see LockTrack::behavesLikeLock.
    struct EarlierHold {
        std::string_view format;
        std::size_t ownerSize = 0;
        std::size_t ownerHash = 0;
    };
    struct ServerState {
        bool isLive = false;
        bool isSwept = false;
        bool wasLost = false; // since it was met
        std::optional<std::string> runId;
        ClientDirectory clients;
        store::ClusterTopologyPtr topology;
        std::unordered_map<std::uint16_t, Shared<const ClusterPlace>> places; // by slot
        ProbesOfTracks probes;
        /// Somebody listened to their channel, or nobody has asked yet.
        PlacedList<Track, &Track::countablePlace> countable;
        /// To clients: the list of these says something of them.
        PlacedList<Track::Seldom, &Track::Seldom::tiedPlace> tied;
        bool hasNewClients = false; // which may be behind owners that have no client yet
        Instant nextSearch{};       // for these
    };
    struct SetRow {
        LockPtr row;
        std::optional<Instant> splitSince; // no majority, or several owners, since then
    };
    using NewsByLock = std::unordered_map<const LockRecord*, std::size_t>; // into the delta

    /// A look, and what was known before it.
    struct Look {
        const LockSnapshot& snapshot;
        const DecodedLock& decoded;
        Absence absence = Absence::Known;
    };

    void update(const Look& look, Instant now);
    HoldStep stepOf(const Look& look, Track& track, const LockRecord* before, Instant now);
    /// What is said of the lock from now on. Returns what was.
    LockPtr replace(Track& track, LockRecord record);
    void noteLook(Track& track, const LockSnapshot& snapshot, const DecodedLock& decoded);
    void noteKeys(Track& track, const LockSnapshot& snapshot);
    void endOtherReadings(const LockSnapshot& snapshot,
                          const std::vector<NamedDecodedLocks>& entries, Instant now);
    /// It ends: is remembered if it was renewed like a lock and nothing else said that it is one.
    void rememberHold(const LockRecord& ended, ChangeKind ending, Instant now);
    /// True when this new hold is the next of one that is remembered.
    bool isNextHold(const LockRecord& fresh) const;
    /// The lock was updated: `before` is what it was, null for a new one.
    void indexOwners(Track& track, const LockPtr& before, OwnerScope scope, Instant now);
    void forgetOwners(const LockRecord& record, const Track& track);
    /// Tells the locks whose owners have others by now, or have them no more.
    void settleTies();
    void settleGroup(const OwnerIndex::Group& group, const NewsByLock& news);
    OwnerTie tieOf(const std::vector<Track*>& tracks) const;
    void tieTo(Track& track, std::string_view owner, const std::shared_ptr<const OwnerTie>& tie,
               const NewsByLock& news);
    void noteQueue(const Track& track);
    static void excuseYoungHead(Track& track, LockRecord& fresh, Instant now);
    /// Tells the locks that wait for each other, and those that do so no more.
    void settleDeadlocks(Instant now);
    void noteReadability(const LockId& id, bool isReadable, Instant now);
    void doubt(Track& track, Instant now);
    LockRecord placed(LockRecord record);
    /// Without `ending` it is judged by the time that was left.
    void eraseTrack(Track& track, Instant now, std::optional<ChangeKind> ending = std::nullopt);
    const Track* trackOf(std::uint16_t server, const Bytes& key) const;
    bool isOnlyUnnamed(const Track& track, const LockSnapshot& snapshot) const;
    bool isUnrecognised(const Track& track) const;
    FlagSet judge(const Track& track, const LockRecord& fresh, Instant now) const;
    void attachClients(std::uint16_t server, const LockRecord* before, LockRecord& fresh) const;
    void planProbe(Track& track, Instant now);
    /// When time alone will change what is to be said of it.
    std::optional<Instant> nextJudgementOf(const Track& track) const;
    void planJudgement(Track& track);
    void noteTie(Track& track);
    bool mayHaveOtherClients(const Track& track) const;
    enum class ClientNews : std::uint8_t { None, Listed };
    void rejudge(Track& track, Instant now, ClientNews news = ClientNews::None);
    void forgetKeys(const KeyGroup& group);

    void setFolded(Track& track, bool isFolded);
    void showTrack(Track& track, LockPtr before, std::optional<ChangeKind> kind, Instant now);
    void foldRow(const Bytes& name, Instant now, std::optional<ChangeKind> ending = std::nullopt);
    void foldAllRows(Instant now);
    bool isToFold(const Track& track) const;
    void foldOthers(const Track& track, Instant now);
    void endSetOfTwins(Instant now);
    /// The servers that may have a lock of this name without our knowing.
    std::vector<std::uint16_t> serversInDoubt(const Bytes& name) const;
    void judgeSplit(LockRecord& row, SetRow& state, Instant now) const;
    void showRow(LockPtr row, LockPtr before, ChangeKind kind, Instant now);
    void endRow(LockPtr row, Instant now, std::optional<ChangeKind> ending = std::nullopt);

    FormatTablePtr m_formats; // null: they belong to the caller
    Recognisers m_recognisers;
    std::size_t m_locksMax;
    bool m_isFull = false;
    std::vector<ServerState> m_servers;
    store::Folding m_folding; // Never, too, once the servers turn out to be no set
    LockTracks m_tracks;
    std::size_t m_foldedCount = 0; // of these
    AgeingOfTracks m_ageing;
    LockKinds m_kinds;
    ChannelForms m_channels;
    std::unordered_map<Bytes, Bytes> m_groupOfKey; // keys that are not the name of their lock
    std::unordered_map<Bytes, SetRow> m_setRows;
    std::unordered_set<LockId, LockIdHash> m_unreadable; // of a set, what no track stands for
    bool m_hasTwins = false;                             // one server was given twice
    bool m_isFoldStale = false;        // more is known of a server than the rows of the set say
    OwnerIndex m_owners;               // of the tracks
    std::unordered_set<Slot> m_queued; // tracks whose waiters are known by name
    bool m_areWaitsStale = false;      // there may be other deadlocks than the rows say
    Instant m_ownersChangedAt{};
    std::unordered_map<LockId, EarlierHold, LockIdHash> m_earlierHolds; // a bounded number
    HoldHistories m_histories;                                          // of the tracks
    LockDelta m_delta;
};

} // namespace lockscope::inspect
