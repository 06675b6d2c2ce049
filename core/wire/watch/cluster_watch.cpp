#include "core/wire/watch/cluster_watch.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace lockscope::wire {

using service::LinkStatus;
using store::ClusterNode;
using store::Command;
using store::Outcome;
using store::Problem;

namespace {

using namespace std::chrono_literals;

/// While no node can be asked, the next attempt comes soon.
constexpr Duration kNextAttempt = 500ms;

/// Nothing becomes of trying again.
bool isHopeless(const Problem& problem)
{
    return problem.kind == Problem::Kind::PasswordWrong
           || problem.kind == Problem::Kind::NotACluster;
}

} // namespace

ClusterWatch::ClusterWatch(std::uint16_t server, const store::Endpoint& endpoint,
                           service::WatchOptions options, async::Executor& executor, Clock& clock,
                           inspect::LockBook& book, Rng rng, QObject* parent)
    : EndpointWatch(server, parent),
      m_options(std::move(options)),
      m_executor(executor),
      m_clock(clock),
      m_book(book),
      m_rng(rng),
      m_store(endpoint, executor, clock, m_rng.split()),
      m_metered(executor, m_store),
      m_account(m_metered),
      m_budget(m_options.budgetOf(endpoint)),
      m_loadTimer(this)
{
    m_store.map().leaveNoTrace();
    m_store.toleratesLostNodes();
    // Queued, so that no coroutine is destroyed from inside a call that it made itself.
    connect(&m_store.map(), &ClusterMap::topologyChanged, this, &ClusterWatch::takeTopology,
            Qt::QueuedConnection);
    connect(&m_store.map(), &ClusterMap::problemChanged, this, &ClusterWatch::judge,
            Qt::QueuedConnection);
    connect(&m_loadTimer, &QTimer::timeout, this, &ClusterWatch::measureLoad);
}

ClusterWatch::~ClusterWatch()
{
    m_store.map().disconnect(this);
    m_meeting = {};
    m_watcher.reset();
    m_feeds.clear();
}

void ClusterWatch::open()
{
    m_status.state = LinkStatus::State::Connecting;
    report();
    m_store.map().open();
    m_store.map().follow();
    m_loadTimer.start(1s);
}

void ClusterWatch::resweep(bool isDeep)
{
    m_options.isDeep = isDeep;
    if (m_watcher) {
        m_watcher->resweep(isDeep);
    }
}

void ClusterWatch::setPatterns(const std::vector<std::string>& patterns)
{
    m_options.patterns = patterns;
    if (m_watcher) {
        m_watcher->setPatterns(patterns);
    }
}

void ClusterWatch::setFormats(const inspect::FormatTablePtr& formats)
{
    m_options.formats = formats;
    if (m_watcher) {
        m_watcher->setFormats(formats);
    }
}

void ClusterWatch::takeTopology()
{
    const store::ClusterTopologyPtr topology = m_store.map().topology();
    if (!topology) {
        return;
    }
    const bool haveMoved = !m_topology || !topology->hasSameOwners(*m_topology);
    m_topology = topology;
    m_book.keepApart(m_clock.now());
    m_book.setTopology(m_status.server, topology, m_clock.now());
    Q_EMIT bookHasNews();
    meetMasters();
    if (haveMoved) {
        everythingChanged();
    }
    judge();
}

/// Those that are none any more are told so first: what waits for their answers is not held up.
void ClusterWatch::meetMasters()
{
    const std::vector<ClusterNode> masters = m_topology->masters();
    std::erase_if(m_feeds, [&](const auto& entry) {
        const auto master = std::ranges::find(masters, entry.first, &ClusterNode::id);
        return master == masters.end()
               || &m_store.map().connectionTo(*master) != &entry.second->connection();
    });
    for (const ClusterNode& master : masters) {
        if (!m_feeds.contains(master.id)) {
            addFeed(master);
        }
    }
}

void ClusterWatch::addFeed(const ClusterNode& master)
{
    auto feed = std::make_unique<NodeFeed>(
        m_store.map().connectionTo(master), m_executor, m_clock, [this] { return interest(); },
        m_rng.split());
    connect(feed.get(), &NodeFeed::attached, this, &ClusterWatch::everythingChanged,
            Qt::QueuedConnection);
    connect(feed.get(), &NodeFeed::scopeChanged, this, &ClusterWatch::everythingChanged);
    connect(feed.get(), &NodeFeed::everythingChanged, this, &ClusterWatch::everythingChanged);
    connect(feed.get(), &NodeFeed::changed, this, &ClusterWatch::judge, Qt::QueuedConnection);
    connect(feed.get(), &NodeFeed::keysChanged, this,
            [this, from = feed.get()](const std::vector<Bytes>& keys) { takeKeys(*from, keys); });
    m_feeds[master.id] = std::move(feed);
}

/// All that is known may be outdated, but not for long: it is looked at now.
void ClusterWatch::everythingChanged()
{
    if (m_watcher) {
        m_watcher->everythingChanged();
    }
}

void ClusterWatch::judge()
{
    if (!m_topology || m_feeds.empty()) {
        const Problem& problem = m_store.map().problem();
        if (problem.kind != Problem::Kind::None) {
            m_status.state = LinkStatus::State::Waiting;
            m_status.problem = problem;
            ++m_status.attempt;
            m_status.nextAttempt = isHopeless(problem) ? Instant::max()
                                                       : m_clock.now() + kNextAttempt;
            report();
        }
        return;
    }
    takeLosses();
    const bool isAnyThere = std::ranges::any_of(m_feeds, [this](const auto& entry) {
        return !m_lost.contains(entry.first) && entry.second->isAttached();
    });
    if (!isAnyThere && !m_lost.empty()) {
        stopWatching();
        return;
    }
    if (!isReady()) {
        return;
    }
    const LinkStatus::Live liveNow = live();
    const bool wasPolling = m_status.live == LinkStatus::Live::Polling;
    if (!m_watcher || wasPolling != (liveNow == LinkStatus::Live::Polling)) {
        m_status.live = liveNow;
        watch();
    } else if (m_status.isNarrow != hasGaps()) {
        m_watcher->setGaps(hasGaps());
    }
    m_status.live = liveNow;
    m_status.isNarrow = hasGaps();
    m_status.state = LinkStatus::State::Online;
    m_status.problem = problem();
    report();
}

/// What a master has that cannot be asked any more is looked at, which says that it is not known;
/// when it answers again, everything is.
void ClusterWatch::takeLosses()
{
    std::set<std::string> lost;
    for (const auto& [id, feed] : m_feeds) {
        const ClusterNode* const node = m_topology->nodeOfId(id);
        const bool isLost = feed->loss().kind != Problem::Kind::None || m_topology->isDown(*node);
        if (isLost && !m_topology->slotsOf(*node).empty()) {
            lost.insert(id);
        }
    }
    const std::set<std::string> before = std::exchange(m_lost, lost);
    if (!std::ranges::includes(lost, before)) {
        everythingChanged();
    }
    for (const std::string& id : lost) {
        if (!before.contains(id)) {
            loseMaster(*m_topology->nodeOfId(id));
        }
    }
}

void ClusterWatch::loseMaster(const ClusterNode& master)
{
    const NodeFeed& feed = *m_feeds.at(master.id);
    const std::string address = store::hostPortText(master.address);
    const auto mayBeLost = [&](const inspect::LockRecord& record) {
        return record.place && record.place->node == address
               && (!feed.copiedUntil() || record.firstSeen > *feed.copiedUntil());
    };
    if (feed.loss().kind != Problem::Kind::None) {
        m_book.markAtRisk(m_status.server, mayBeLost, m_clock.now());
        Q_EMIT bookHasNews();
    }
    for (const Bytes& name : m_book.names(m_status.server)) {
        const auto group = m_book.groupWith(m_status.server, name);
        const Bytes& key = group ? group->keys.front() : name;
        const ClusterNode* const owner = m_topology->masterOfKey(key);
        if (m_watcher && owner != nullptr && owner->id == master.id) {
            m_watcher->keyChanged(key);
        }
    }
}

bool ClusterWatch::isReady() const
{
    return std::ranges::all_of(m_feeds, [this](const auto& entry) {
        return entry.second->isAttached() || entry.second->loss().kind != Problem::Kind::None
               || m_watcher != nullptr;
    });
}

/// As good as that of the worst of them.
LinkStatus::Live ClusterWatch::live() const
{
    LinkStatus::Live worst = LinkStatus::Live::Push;
    for (const auto& [id, feed] : m_feeds) {
        if (feed->isAttached()) {
            worst = std::max(worst, feed->feed().live());
        }
    }
    return worst;
}

bool ClusterWatch::hasGaps() const
{
    return std::ranges::any_of(m_feeds,
                               [](const auto& entry) { return entry.second->feed().hasGaps(); });
}

void ClusterWatch::watch()
{
    inspect::WatchSettings settings;
    settings.server = m_status.server;
    settings.isDeep = m_options.isDeep;
    settings.patterns = m_options.patterns;
    settings.formats = m_options.formats;
    settings.budget = m_budget;
    settings.hasPush = m_status.live != LinkStatus::Live::Polling;
    settings.hasGaps = hasGaps();
    m_status.pollInterval = settings.hasPush ? Duration(0) : settings.pollInterval;
    inspect::WatchObserver& observer = *this;
    m_watcher.reset();
    m_watcher = std::make_unique<inspect::LockWatcher>(m_executor, m_clock, m_metered, m_book,
                                                       observer, std::move(settings));
    m_meeting = async::BackgroundTask(m_executor, meetServer());
}

/// No master answers.
void ClusterWatch::stopWatching()
{
    if (std::exchange(m_watcher, nullptr) != nullptr) {
        m_book.markUnconfirmed(m_status.server, m_clock.now());
        Q_EMIT bookHasNews();
    }
    m_meeting = {};
    m_status.live = LinkStatus::Live::None;
    m_status.state = LinkStatus::State::Waiting;
    m_status.problem = problem();
    ++m_status.attempt;
    m_status.nextAttempt = m_clock.now() + kNextAttempt;
    report();
}

/// A master that has slots and cannot be asked, with the reason where one is known.
Problem ClusterWatch::lossOf(const std::string& id) const
{
    const ClusterNode* const node = m_topology->nodeOfId(id);
    const Problem loss = m_feeds.at(id)->loss();
    const std::string why = m_topology->isDown(*node) ? "CLUSTERDOWN" : loss.detail;
    std::string text = store::hostPortText(node->address);
    if (!why.empty()) {
        text += ": ";
        text += why;
    }
    return {Problem::Kind::ClusterNodeLost, std::move(text), {}, {}};
}

/// What is in the way of seeing everything: the nodes first, then what they refuse.
Problem ClusterWatch::problem() const
{
    if (!m_lost.empty()) {
        return lossOf(*m_lost.begin());
    }
    if (std::string slots = m_topology->unservedSlots(); !slots.empty()) {
        return {Problem::Kind::ClusterSlotsUnowned, std::move(slots), {}, {}};
    }
    if (m_store.map().problem().kind != Problem::Kind::None) {
        return m_store.map().problem();
    }
    if (m_limit.kind != Problem::Kind::None) {
        return m_limit;
    }
    for (const auto& [id, feed] : m_feeds) {
        if (feed->feed().problem().kind != Problem::Kind::None) {
            return feed->feed().problem();
        }
    }
    return {};
}

ChangeFeed::Interest ClusterWatch::interest() const
{
    std::vector<std::string> patterns = m_options.formats->lockNames();
    patterns.insert(patterns.end(), m_options.patterns.begin(), m_options.patterns.end());
    return {m_book.names(m_status.server), std::move(patterns), m_options.isDeep};
}

void ClusterWatch::takeKeys(NodeFeed& feed, const std::vector<Bytes>& keys)
{
    m_messageCount += keys.size();
    m_account.takeMessages(keys);
    if (!m_watcher) {
        return;
    }
    const std::uint64_t before = m_watcher->changeCount();
    for (const Bytes& key : keys) {
        m_watcher->keyChanged(key);
    }
    const std::uint64_t ofInterest = m_watcher->changeCount() - before;
    m_changeCount += ofInterest;
    feed.feed().count(keys.size(), ofInterest);
}

/// For what any of them says of all: what they throw away, whether they are of a cluster.
async::Task<void> ClusterWatch::meetServer()
{
    Command question("INFO");
    const Outcome outcome = co_await m_store.submit(std::move(question));
    m_status.info = store::serverInfoOf(outcome);
    Command statistics("INFO", "commandstats");
    m_account.takeStatistics(co_await m_metered.submit(std::move(statistics)));
    m_status.info.commandsPerSecond = 0;
    report();
}

void ClusterWatch::measureLoad()
{
    const Connection::Traffic traffic = m_store.map().takeTraffic();
    service::ServerLoad load;
    load.server = m_status.server;
    load.budget = m_budget;
    std::uint64_t commandCount = traffic.commandCount;
    for (const auto& [id, feed] : m_feeds) {
        commandCount += feed->takeSubscriberTraffic().commandCount;
        load.coreShare += inspect::coreShareOf(feed->feed().work());
        feed->endSecond();
    }
    load.commandsPerSecond = static_cast<double>(commandCount);
    load.messagesPerSecond = static_cast<double>(std::exchange(m_messageCount, 0));
    load.changesPerSecond = static_cast<double>(std::exchange(m_changeCount, 0));
    load.slowestCall = traffic.slowestCall;
    inspect::WatchWork ours;
    ours.messagesPerSecond = load.messagesPerSecond;
    m_account.addSecondTo(ours, commandCount);
    load.bytesPerSecond = ours.bytesPerSecond;
    load.coreShare += inspect::coreShareOf(ours);
    Q_EMIT loadMeasured(load);
}

void ClusterWatch::interestChanged()
{
    for (const auto& [id, feed] : m_feeds) {
        feed->feed().interestChanged();
    }
}

void ClusterWatch::limitChanged()
{
    judge();
}

} // namespace lockscope::wire
