#include "core/kernel/inspect/watch/sweep.h"

#include "core/kernel/async/yield.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoder.h"
#include "core/kernel/store/limits.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockscope::inspect {

using store::Command;
using store::Outcome;
using store::Problem;
using store::Reply;

namespace {

/// Pages whose details may be under way at once: enough to keep the server from idling while we
/// decode, few enough to keep our memory flat.
constexpr std::size_t kDetailsAtOnce = 3;
/// Of one batch of details. A page has fewer, unless the server does as it likes.
constexpr std::size_t kKeysPerBatch = 2000;
/// Pages are small for the sake of others: the few candidates of one would make more messages than
/// they are worth.
constexpr std::size_t kKeysWorthABatch = 128;

/// Decoding a whole page at once would hold up the next request for longer than the server needs to
/// answer one.
constexpr std::ptrdiff_t kSnapshotsAtOnce = 16;

/// The cost of a SCAN can only be measured while nothing else is in the pipeline. The first pages
/// find the right size, later ones check it now and then.
constexpr std::uint64_t kMeasuredPagesFirst = 4;
constexpr std::uint64_t kPagesBetweenMeasurements = 64;

bool isMeasuredPage(std::uint64_t page)
{
    return page < kMeasuredPagesFirst || page % kPagesBetweenMeasurements == 0;
}

} // namespace

Sweep::Sweep(async::Executor& executor, store::Store& store, Clock& clock, KeyReader& reader,
             const NameRules& names, SweepSink& sink, BudgetPace* pace)
    : m_store(store),
      m_clock(clock),
      m_reader(reader),
      m_names(names),
      m_sink(sink),
      m_pace(pace),
      m_details(executor)
{}

async::Task<SweepEnd> Sweep::run(SweepOptions options)
{
    m_options = options;
    m_end = SweepEnd();
    m_loopCheck = ScanLoopCheck();
    m_detailsProblem.reset();
    m_detailsUnderWay = 0;
    m_likely.groups.clear();
    m_others.groups.clear();
    std::optional<Problem> problem = co_await countKeys();
    m_pacer = ScanPacer(m_roundTrip);
    if (!problem) {
        problem = co_await scanToTheEnd();
    }
    if (problem) {
        m_details.cancelAll();
        m_end.problem = *problem;
    }
    co_return m_end;
}

async::Task<std::optional<Problem>> Sweep::countKeys()
{
    const Instant askedAt = m_clock.now();
    Command command("DBSIZE");
    const Outcome outcome = co_await m_store.submit(std::move(command));
    m_roundTrip = m_clock.now() - askedAt;
    if (std::optional<Problem> problem = problemOf(outcome)) {
        if (problem->kind != Problem::Kind::NoPermission) {
            co_return problem;
        }
        co_return std::nullopt; // only the progress needs it
    }
    const std::int64_t count = replyOf(outcome)->integer().value_or(0);
    m_end.total = static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
    m_loopCheck = ScanLoopCheck(m_end.total);
    m_sink.progressed(0, m_end.total);
    co_return std::nullopt;
}

std::uint32_t Sweep::pageCount() const
{
    return m_options.pageCount != 0 ? m_options.pageCount : m_pacer.count();
}

async::Pending<Outcome> Sweep::askForPage(const std::string& cursor)
{
    m_askedAt = m_clock.now();
    return m_store.submit(Command("SCAN", cursor, "COUNT", pageCount()));
}

std::variant<Sweep::Page, Problem> Sweep::pageOf(Outcome outcome)
{
    if (std::optional<Problem> problem = problemOf(outcome)) {
        if (problem->kind == Problem::Kind::NoPermission && problem->command.empty()) {
            problem->command = "scan";
            problem->rule = "+scan";
        }
        return *problem;
    }
    auto* const parts = std::get_if<Reply::Array>(&std::get<Reply>(outcome).value());
    if (parts == nullptr || parts->size() != 2 || (*parts)[0].text() == nullptr
        || (*parts)[1].array() == nullptr) {
        return Problem{Problem::Kind::ProtocolBroken,
                       KernelText::tr("SCAN returned an unexpected reply"),
                       {},
                       {}};
    }
    Page page;
    page.cursor = *(*parts)[0].text();
    auto& keys = std::get<Reply::Array>((*parts)[1].value());
    page.keys.reserve(keys.size());
    for (Reply& key : keys) {
        auto* const bytes = std::get_if<Bytes>(&key.value());
        if (bytes == nullptr && key.oversized() == nullptr) {
            return Problem{Problem::Kind::ProtocolBroken,
                           KernelText::tr("SCAN returned a key that is not a string"),
                           {},
                           {}};
        }
        if (bytes == nullptr || bytes->size() > store::limits::kKeyNameBytesMax) {
            ++page.longNameCount;
            continue;
        }
        page.keys.push_back(std::move(*bytes));
    }
    return page;
}

async::Task<std::optional<Problem>> Sweep::scanToTheEnd()
{
    m_pieceBegunAt = m_clock.now();
    std::optional<async::Pending<Outcome>> coming = askForPage("0");
    bool isMeasured = true;
    for (std::uint64_t pageIndex = 0;; ++pageIndex) {
        auto result = pageOf(co_await *std::exchange(coming, std::nullopt));
        if (const auto* const problem = std::get_if<Problem>(&result)) {
            co_return *problem;
        }
        if (isMeasured) {
            m_pacer.sawCall(m_clock.now() - m_askedAt - m_roundTrip);
        }
        Page& page = std::get<Page>(result);
        const bool isLast = page.cursor == "0";
        if (auto flaw = isLast ? std::nullopt
                               : m_loopCheck.sawPage(page.cursor, page.size(), pageCount())) {
            co_return Problem{Problem::Kind::LimitExceeded, std::move(*flaw), {}, {}};
        }
        isMeasured = isPaced() || isMeasuredPage(pageIndex + 1);
        if (!isLast && !isMeasured) {
            coming = askForPage(page.cursor);
        }
        m_end.scanned += page.size();
        m_end.longNameCount += page.longNameCount;
        co_await readCandidates(std::move(page.keys));
        startDetails(isLast || isMeasured ? 1 : kKeysWorthABatch);
        m_sink.progressed(m_end.scanned, m_end.total);
        co_await waitForDetails(isLast || isMeasured ? 0 : kDetailsAtOnce);
        if (isPaced()) {
            co_await settle();
        }
        if (isLast || m_detailsProblem) {
            co_return m_detailsProblem;
        }
        if (isMeasured) {
            coming = askForPage(page.cursor);
        }
    }
}

bool Sweep::isCandidate(const Bytes& key) const
{
    return (m_options.isDeep || m_names.looksLikeLock(key)) && !m_names.isBookkeeping(key)
           && !(m_options.isForNewcomers && m_sink.isKnown(key));
}

std::size_t Sweep::keysPerBatch() const
{
    return isPaced() ? m_pace->keysAtOnce(kKeysPerBatch) : kKeysPerBatch;
}

async::Task<void> Sweep::settle()
{
    co_await m_pace->settle(m_pieceBegunAt);
    m_pieceBegunAt = m_clock.now();
}

/// What has the name of a lock is one more often than not; a deep look goes into very many others.
async::Task<void> Sweep::readCandidates(std::vector<Bytes> keys)
{
    for (const Bytes& key : keys) {
        if (isCandidate(key)) {
            // A name that a decoder puts together with others is one of its library.
            const bool isLikely = !m_options.isDeep || m_names.looksLikeLock(key)
                                  || groupOfFormat(key).has_value();
            Batch& batch = isLikely ? m_likely : m_others;
            batch.groups.push_back(groupOf(key, builtinPairRules()));
            if (batch.groups.size() >= keysPerBatch()) {
                startDetails(keysPerBatch());
                co_await waitForDetails(isPaced() ? 0 : kDetailsAtOnce);
                if (isPaced()) {
                    co_await settle();
                }
            }
        }
    }
}

void Sweep::startDetails(std::size_t atLeast)
{
    for (Batch* const batch : {&m_likely, &m_others}) {
        if (batch->groups.size() >= atLeast) {
            ++m_detailsUnderWay;
            m_details.start(readDetails({batch->approach, std::exchange(batch->groups, {})}));
        }
    }
}

async::Task<void> Sweep::readDetails(Batch batch)
{
    auto result = co_await m_reader.sight(m_options.server, std::move(batch.groups),
                                          batch.approach);
    if (auto* const snapshots = std::get_if<std::vector<LockSnapshot>>(&result)) {
        co_await deliver(std::move(*snapshots));
    } else {
        m_detailsProblem = std::get<Problem>(result);
    }
    --m_detailsUnderWay;
    m_detailsDone.open();
}

async::Task<void> Sweep::deliver(std::vector<LockSnapshot> snapshots)
{
    auto begin = std::make_move_iterator(snapshots.begin());
    const auto end = std::make_move_iterator(snapshots.end());
    while (begin != end) {
        const auto next = begin + std::min(kSnapshotsAtOnce, end - begin);
        const Instant readAt = m_clock.now();
        m_sink.sighted(std::vector<LockSnapshot>(begin, next));
        m_pieceBegunAt += m_clock.now() - readAt; // our own time costs the server nothing
        begin = next;
        // The next page of names may have arrived: asking for the one after it keeps the server
        // busy meanwhile.
        co_await async::yield();
    }
}

async::Task<void> Sweep::waitForDetails(std::size_t atMost)
{
    while (m_detailsUnderWay > atMost) {
        co_await m_detailsDone.pass();
    }
}

} // namespace lockscope::inspect
