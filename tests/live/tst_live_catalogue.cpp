// The locks of every protocol of the catalogue, as the lock table shows them and an operator
// releases them.

#include "core/kernel/inspect/force_release.h"
#include "core/kernel/inspect/lock_inspection.h"
#include "core/kernel/protocol/attempts.h"
#include "core/kernel/protocol/catalogue.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/live_contender.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <memory>

namespace lockscope::tst_live_catalogue {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using inspect::LockPtr;

namespace {

constexpr auto kKey = "order:42:lock";
constexpr int kPatienceMs = 20'000;

inspect::Mode shownAs(const LockProtocol& protocol, Mode mode)
{
    if (protocol.info().id == "semaphore") {
        return inspect::Mode::Semaphore;
    }
    switch (mode) {
    case Mode::Read: return inspect::Mode::Read;
    case Mode::Write: return inspect::Mode::Write;
    case Mode::Exclusive: break;
    }
    return inspect::Mode::Exclusive;
}

/// A lock, taken on a server of its own.
struct Held {
    const LockProtocol& protocol;
    LiveServer server;
    LiveContender client;
    Grant grant;

    Held(const LockProtocol& used, Mode mode)
        : protocol(used),
          client({server.endpoint()}, used, 1),
          grant(takeLock(mode))
    {}

private:
    Grant takeLock(Mode mode)
    {
        LockRequest request = LockRequest::withDefaults(protocol.info(), kKey);
        request.mode = mode;
        request.waitLimit = 0s;
        AcquireOutcome outcome = client.run(protocol::acquire(protocol, client.contender(),
                                                              request));
        if (Grant* const taken = grantOf(outcome)) {
            return *taken;
        }
        throw std::runtime_error("not granted");
    }
};

} // namespace

class TestLiveCatalogue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyLockIsARowOfItsOwn_data() { addCases(); }
    void everyLockIsARowOfItsOwn();
    void everyLockCanBeReleasedByForce_data() { addCases(); }
    void everyLockCanBeReleasedByForce();
    void permitsThatChangedAreLeftAlone_data();
    void permitsThatChangedAreLeftAlone();
    void aPermitThatCameLaterGoesOn();

private:
    static void addCases();
};

void TestLiveCatalogue::addCases()
{
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<int>("mode");
    for (const LockProtocol* const protocol : builtinProtocols()) {
        const QByteArray id = QByteArray::fromStdString(protocol->info().id);
        if (protocol->info().hasModes) {
            QTest::newRow(QByteArray(id + ", read").constData())
                << id << static_cast<int>(Mode::Read);
            QTest::newRow(QByteArray(id + ", write").constData())
                << id << static_cast<int>(Mode::Write);
        } else {
            QTest::newRow(id.constData()) << id << static_cast<int>(Mode::Exclusive);
        }
    }
}

void TestLiveCatalogue::everyLockIsARowOfItsOwn()
{
    QFETCH(const QByteArray, id);
    QFETCH(const int, mode);
    Held held(*findProtocol(id.toStdString()), static_cast<Mode>(mode));
    LiveWatch watch({held.server.endpoint()});
    // The news of a sweep that is over may overtake what it found.
    QTRY_VERIFY_WITH_TIMEOUT(watch.sweepCount() > 0 && watch.row(kKey), kPatienceMs);
    const LockPtr row = watch.row(kKey);
    QCOMPARE(watch.rowCount(), std::size_t(1)); // what is kept beside a lock is no lock
    QCOMPARE(inspect::idOf(row->mode),
             inspect::idOf(shownAs(held.protocol, static_cast<Mode>(mode))));
    QCOMPARE(row->holders.size(), std::size_t(1));
    const Bytes& owner = row->holders.front().owner;
    // The writer of Redisson's read-write lock has a field that begins with its owner.
    QVERIFY2(owner.empty() || owner.starts_with(held.grant.token), owner.c_str());
    QCOMPARE(row->flags.has(inspect::Flag::NoExpiry), !held.protocol.info().hasExpiry);
}

void TestLiveCatalogue::everyLockCanBeReleasedByForce()
{
    QFETCH(const QByteArray, id);
    QFETCH(const int, mode);
    Held held(*findProtocol(id.toStdString()), static_cast<Mode>(mode));
    LiveContender operatorsClient({held.server.endpoint()}, held.protocol, 2);
    store::Store& store = operatorsClient.contender().node().commands;
    wire::LoopClock clock;
    const auto found = operatorsClient.run(inspect::inspectLock(store, clock, 0, kKey));
    const auto& inspection = std::get<inspect::LockInspection>(found);
    const auto plan = inspect::planFor(inspection, inspect::ReleaseAction::Release);
    QVERIFY(plan.has_value());
    const auto report = operatorsClient.run(inspect::execute(store, clock, 0, *plan));
    QCOMPARE(inspect::idOf(report.result), inspect::idOf(inspect::ReleaseResult::Released));
    LockRequest request = held.grant.request;
    const AcquireOutcome next =
        operatorsClient.run(protocol::acquire(held.protocol, operatorsClient.contender(), request));
    QVERIFY2(isGranted(next), "the next one does not get it");
}

void TestLiveCatalogue::permitsThatChangedAreLeftAlone_data()
{
    QTest::addColumn<QByteArrayList>("change");
    QTest::addColumn<QByteArray>("result");
    QTest::newRow("another") << QByteArrayList{"EVAL",
                                               "redis.call('DEL', KEYS[1]) "
                                               "redis.call('ZADD', KEYS[1], 9999999999999, 'x')",
                                               "1", kKey}
                             << QByteArray("already-gone"); // that hold is; another client's is not
    QTest::newRow("another type") << QByteArrayList{"SET", kKey, "token"}
                                  << QByteArray("changed-hands");
}

void TestLiveCatalogue::permitsThatChangedAreLeftAlone()
{
    QFETCH(const QByteArrayList, change);
    QFETCH(const QByteArray, result);
    Held held(*findProtocol("semaphore"), Mode::Exclusive);
    store::Store& store = held.client.contender().node().commands;
    wire::LoopClock clock;
    const auto found = held.client.run(inspect::inspectLock(store, clock, 0, kKey));
    const auto plan = inspect::planFor(std::get<inspect::LockInspection>(found),
                                       inspect::ReleaseAction::Release);
    QVERIFY(plan.has_value());
    store::Command command;
    for (const QByteArray& word : change) {
        command.append(word.toStdString());
    }
    held.server.client().ask(command);
    const auto report = held.client.run(inspect::execute(store, clock, 0, *plan));
    QCOMPARE(QByteArray::fromStdString(std::string(inspect::idOf(report.result))), result);
    QCOMPARE(held.server.client()("EXISTS", kKey).integer(), std::optional<std::int64_t>(1));
}

/// Only those that were seen are ended.
void TestLiveCatalogue::aPermitThatCameLaterGoesOn()
{
    Held held(*findProtocol("semaphore"), Mode::Exclusive);
    store::Store& store = held.client.contender().node().commands;
    wire::LoopClock clock;
    const auto found = held.client.run(inspect::inspectLock(store, clock, 0, kKey));
    const auto plan = inspect::planFor(std::get<inspect::LockInspection>(found),
                                       inspect::ReleaseAction::Release);
    held.server.client()("ZADD", kKey, "9999999999999", "somebody");
    const auto report = held.client.run(inspect::execute(store, clock, 0, plan.value()));
    QCOMPARE(inspect::idOf(report.result), inspect::idOf(inspect::ReleaseResult::Released));
    QCOMPARE(held.server.client()("ZRANGE", kKey, 0, -1),
             store::Reply::ofArray({store::Reply::ofBulk("somebody")}));
}

LOCKSCOPE_TEST(TestLiveCatalogue, Core)

} // namespace lockscope::tst_live_catalogue

#include "tst_live_catalogue.moc"
