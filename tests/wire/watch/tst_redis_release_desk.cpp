#include "core/wire/watch/redis_release_desk.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_redis_release_desk {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using operations::LockDetails;
using store::Problem;
using wire::RedisReleaseDesk;

namespace {

constexpr int kPatienceMs = 20'000;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";

LockInspection inspectionOf(const Bytes& value)
{
    Observation seen;
    seen.key = "order:lock";
    seen.type = ValueType::String;
    seen.value = value;
    seen.size = value.size();
    seen.isComplete = true;
    seen.ttl = 30s;
    seen.seenAt = Instant(1h);
    LockInspection inspection;
    inspection.snapshot = {0, "order:lock", {seen}};
    inspection.decodedLocks = decode(inspection.snapshot, builtinDecoders());
    inspection.expiresAtMs = {1'760'000'000'000};
    return inspection;
}

/// Keeps the lines, as long as there is room.
struct Notebook final : operations::AuditLog {
    std::vector<std::string>& lines;
    std::size_t room;
    explicit Notebook(std::vector<std::string>& all, std::size_t count = 100)
        : lines(all),
          room(count)
    {}
    std::string append(const std::string& line) override
    {
        if (lines.size() >= room) {
            return "the disk is full";
        }
        lines.push_back(line);
        return {};
    }
};

/// A plan as it may come from a dialog that was open for a while.
ReleasePlan planOf(std::uint16_t server)
{
    ReleasePlan plan = planFor(inspectionOf(kAlice), ReleaseAction::Release).value();
    plan.servers = {server};
    return plan;
}

} // namespace

/// What a desk does with real servers is in tests/live.
class TestRedisReleaseDesk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutConnectionALockCannotBeInspected();
    void aReleaseThatIsSentAndNeverAnsweredIsAudited();
    void withoutItsLineNothingIsSent();
    void whatIsDroppedBeforeItIsSentIsAudited();
    void anOutcomeThatCannotBeAuditedIsSaid();
    void aPlanForAServerThatIsNotThereIsRefused();
    void twoRequestsMayWaitForTheConnection();
};

void TestRedisReleaseDesk::withoutConnectionALockCannotBeInspected()
{
    ScriptedPeer peer;
    peer.greetWith("HTTP/1.1 400 Bad Request\r\n\r\n");
    store::Endpoint endpoint;
    endpoint.port = peer.port();
    std::vector<std::string> lines;
    RedisReleaseDesk desk(std::make_unique<Notebook>(lines), {});
    std::vector<LockDetails> details;
    connect(&desk, &RedisReleaseDesk::inspected, this,
            [&](quint64, const LockDetails& told) { details.push_back(told); });
    desk.setEndpoints({endpoint});
    desk.inspectLock({0, "order:lock"});
    QTRY_COMPARE_WITH_TIMEOUT(details.size(), std::size_t(1), kPatienceMs);
    QVERIFY(details.front().lock == nullptr);
    QCOMPARE(details.front().problem.kind, Problem::Kind::NotRedis);
    desk.inspectLock({7, "order:lock"}); // no such server
    QTRY_COMPARE_WITH_TIMEOUT(details.size(), std::size_t(2), kPatienceMs);
    QCOMPARE(details.back().problem.kind, Problem::Kind::NotConnected);
}

void TestRedisReleaseDesk::aReleaseThatIsSentAndNeverAnsweredIsAudited()
{
    ScriptedPeer peer;
    peer.answerIntroduction();
    store::Endpoint endpoint;
    endpoint.port = peer.port();
    std::vector<std::string> lines;
    {
        RedisReleaseDesk desk(std::make_unique<Notebook>(lines), {});
        desk.setEndpoints({endpoint});
        desk.execute(planOf(0), u"it is stuck"_qs);
        QTRY_VERIFY_WITH_TIMEOUT(peer.heard().contains("EVAL"), kPatienceMs);
    } // the program ends before the answer comes
    QCOMPARE(lines.size(), std::size_t(2));
    QVERIFY(lines.front().find("\"event\":\"intent\"") != std::string::npos);
    QVERIFY(lines.back().find("\"outcome\":\"unknown\"") != std::string::npos);
    QVERIFY(lines.back().find("it is stuck") != std::string::npos);
}

void TestRedisReleaseDesk::withoutItsLineNothingIsSent()
{
    ScriptedPeer peer;
    peer.answerIntroduction();
    store::Endpoint endpoint;
    endpoint.port = peer.port();
    std::vector<std::string> lines;
    std::vector<ReleaseReport> reports;
    RedisReleaseDesk desk(std::make_unique<Notebook>(lines, 0), {});
    connect(&desk, &RedisReleaseDesk::executed, this,
            [&](quint64, const ReleaseReport& report) { reports.push_back(report); });
    desk.setEndpoints({endpoint});
    desk.execute(planOf(0), {});
    QTRY_COMPARE_WITH_TIMEOUT(reports.size(), std::size_t(1), kPatienceMs);
    QVERIFY(reports.front().result == ReleaseResult::Refused);
    QVERIFY(reports.front().ownReason.find("(the disk is full)") != std::string::npos);
    QVERIFY(!peer.heard().contains("EVAL"));
}

void TestRedisReleaseDesk::whatIsDroppedBeforeItIsSentIsAudited()
{
    ScriptedPeer peer; // takes its time to answer the introduction
    store::Endpoint endpoint;
    endpoint.port = peer.port();
    std::vector<std::string> lines;
    {
        RedisReleaseDesk desk(std::make_unique<Notebook>(lines), {});
        desk.setEndpoints({endpoint});
        desk.execute(planOf(0), {});
        QTRY_VERIFY_WITH_TIMEOUT(peer.heard().contains("SETNAME"), kPatienceMs);
    }
    QCOMPARE(lines.size(), std::size_t(1));
    QVERIFY(lines.front().find("\"outcome\":\"refused\"") != std::string::npos);
}

void TestRedisReleaseDesk::anOutcomeThatCannotBeAuditedIsSaid()
{
    ScriptedPeer peer;
    peer.answerWith([](const QByteArray& heard) {
        return heard.contains("EVAL") ? QByteArray("*1\r\n:-1\r\n")
                                      : QByteArray("+OK\r\n").repeated(heard.count("*"));
    });
    store::Endpoint endpoint;
    endpoint.port = peer.port();
    std::vector<std::string> lines;
    std::vector<ReleaseReport> reports;
    RedisReleaseDesk desk(std::make_unique<Notebook>(lines, 1), {});
    connect(&desk, &RedisReleaseDesk::executed, this,
            [&](quint64, const ReleaseReport& report) { reports.push_back(report); });
    QSignalSpy failures(&desk, &RedisReleaseDesk::auditFailed);
    desk.setEndpoints({endpoint});
    desk.execute(planOf(0), {});
    QTRY_COMPARE_WITH_TIMEOUT(reports.size(), std::size_t(1), kPatienceMs);
    QVERIFY(reports.front().result == ReleaseResult::AlreadyGone);
    QCOMPARE(failures.size(), 1);
    QCOMPARE(failures.front().front().toString(), u"the disk is full"_qs);
}

void TestRedisReleaseDesk::aPlanForAServerThatIsNotThereIsRefused()
{
    std::vector<std::string> lines;
    std::vector<ReleaseReport> reports;
    RedisReleaseDesk desk(std::make_unique<Notebook>(lines), {});
    connect(&desk, &RedisReleaseDesk::executed, this,
            [&](quint64, const ReleaseReport& report) { reports.push_back(report); });
    desk.execute(planOf(5), {});
    QTRY_COMPARE_WITH_TIMEOUT(reports.size(), std::size_t(1), kPatienceMs);
    QVERIFY(reports.front().result == ReleaseResult::Refused);
    QCOMPARE(lines.size(), std::size_t(1));
}

void TestRedisReleaseDesk::twoRequestsMayWaitForTheConnection()
{
    ScriptedPeer peer; // takes its time to answer the introduction
    store::Endpoint endpoint;
    endpoint.port = peer.port();
    std::vector<std::string> lines;
    RedisReleaseDesk desk(std::make_unique<Notebook>(lines), {});
    QSignalSpy inspected(&desk, &RedisReleaseDesk::inspected);
    desk.setEndpoints({endpoint});
    for (int i = 0; i < 5; ++i) {
        desk.inspectLock({0, "order:lock"});
    }
    QTRY_VERIFY_WITH_TIMEOUT(peer.heard().contains("SETNAME"), kPatienceMs);
    QCOMPARE(inspected.size(), 0);
    peer.hangUp();
    QTRY_COMPARE_WITH_TIMEOUT(inspected.size(), 5, kPatienceMs);
}

LOCKSCOPE_TEST(TestRedisReleaseDesk, Core)

} // namespace lockscope::tst_redis_release_desk

#include "tst_redis_release_desk.moc"
