#include "redis_release_desk.h"
#include "support/scripted_peer.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace lockscope;
using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using service::LockDossier;
using store::Problem;
using wire::RedisReleaseDesk;

namespace {

constexpr int kPatienceMs = 20'000;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

/// What a server said of order:lock; an empty value: it is not there.
Examination examinationOf(std::uint16_t server, const Bytes& value,
                          std::optional<Duration> ttl = Duration(30s))
{
    Observation seen;
    seen.key = "order:lock";
    seen.type = value.empty() ? ValueType::None : ValueType::String;
    seen.value = value;
    seen.size = value.size();
    seen.isComplete = true;
    seen.ttl = ttl;
    seen.seenAt = Instant(1h);
    Examination examination;
    examination.sighting = {server, "order:lock", {seen}};
    examination.readings = decode(examination.sighting, builtinDecoders());
    examination.expiresAtMs = {ttl ? std::optional<std::int64_t>(1'760'000'000'000) : std::nullopt};
    return examination;
}

bool comparesWith(const std::optional<ReleasePlan>& plan, const Bytes& value)
{
    const auto& words = plan->command.words;
    return std::find(words.begin(), words.end(), value) != words.end();
}

/// Keeps the lines, as long as there is room.
struct Notebook final : service::AuditLog {
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
    ReleasePlan plan = planFor(examinationOf(0, kAlice), ReleaseAction::Release).value();
    plan.servers = {server};
    return plan;
}

} // namespace

/// What a desk does with real servers is in tests/live.
class TestRedisReleaseDesk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLockOfOneServerIsItsOwnDossier();
    void aLockWithoutExpiryMayBeCapped();
    void aLockThatIsGoneHasNoPlan();
    void aRowOfASetIsReleasedOnEveryServerThatHasIt();
    void theMinoritysTokenIsNotWhatARowIsReleasedBy();
    void aRowIsARowEvenWhenOneServerAnswers();
    void withoutConnectionALockCannotBeExamined();
    void aReleaseThatIsSentAndNeverAnsweredIsAudited();
    void withoutItsLineNothingIsSent();
    void whatIsDroppedBeforeItIsSentIsAudited();
    void anOutcomeThatCannotBeAuditedIsSaid();
    void aPlanForAServerThatIsNotThereIsRefused();
    void twoRequestsMayWaitForTheConnection();
};

void TestRedisReleaseDesk::aLockOfOneServerIsItsOwnDossier()
{
    std::vector<Examination> all = {examinationOf(0, kAlice)};
    const LockDossier dossier = wire::dossierOf(all, 1);
    QVERIFY(dossier.lock->id == (LockId{0, "order:lock"}));
    QVERIFY(dossier.release.has_value());
    QVERIFY(dossier.release->servers == std::vector<std::uint16_t>{0});
    QVERIFY(!dossier.capTtl);
    QCOMPARE(dossier.sightings.size(), std::size_t(1));
    QVERIFY(!dossier.readings.empty());
}

void TestRedisReleaseDesk::aLockWithoutExpiryMayBeCapped()
{
    std::vector<Examination> all = {examinationOf(0, "1", std::nullopt)};
    const LockDossier dossier = wire::dossierOf(all, 1);
    QVERIFY(dossier.capTtl.has_value());
    QVERIFY(dossier.capTtl->cap > 0s);
    QVERIFY(!dossier.warnings.empty()); // a flag says nothing of its owner
}

void TestRedisReleaseDesk::aLockThatIsGoneHasNoPlan()
{
    std::vector<Examination> all = {examinationOf(0, "")};
    const LockDossier dossier = wire::dossierOf(all, 1);
    QVERIFY(dossier.lock == nullptr);
    QVERIFY(!dossier.release);
    QVERIFY(dossier.sightings.empty());
}

void TestRedisReleaseDesk::aRowOfASetIsReleasedOnEveryServerThatHasIt()
{
    std::vector<Examination> all = {examinationOf(0, kAlice), examinationOf(1, ""),
                                    examinationOf(2, kAlice)};
    const LockDossier dossier = wire::dossierOf(all, 3);
    QVERIFY(dossier.lock->id == (LockId{LockId::kWholeSet, "order:lock"}));
    QVERIFY(dossier.lock->quorum == (Quorum{2, 3}));
    QVERIFY(dossier.release->servers == (std::vector<std::uint16_t>{0, 2}));
    QVERIFY(dossier.release->lock == dossier.lock);
    QCOMPARE(dossier.sightings.size(), std::size_t(2));
    const bool warnsOfTheMajority = std::any_of(dossier.warnings.begin(), dossier.warnings.end(),
                                                [](const auto& w) {
                                                    return w.find("half of the servers")
                                                           != std::string::npos;
                                                });
    QVERIFY(warnsOfTheMajority);
}

void TestRedisReleaseDesk::theMinoritysTokenIsNotWhatARowIsReleasedBy()
{
    std::vector<Examination> all = {examinationOf(0, kBob), examinationOf(1, kAlice),
                                    examinationOf(2, kAlice)};
    const LockDossier dossier = wire::dossierOf(all, 3);
    QVERIFY(dossier.lock->holders.front().owner == kAlice);
    QVERIFY(dossier.release->owner() == kAlice);
    QVERIFY(dossier.release->servers == (std::vector<std::uint16_t>{1, 2}));
    QVERIFY(comparesWith(dossier.release, kAlice));
    QVERIFY(!comparesWith(dossier.release, kBob));
}

void TestRedisReleaseDesk::aRowIsARowEvenWhenOneServerAnswers()
{
    std::vector<Examination> all = {examinationOf(1, kAlice)};
    const LockDossier dossier = wire::dossierOf(all, 3);
    QVERIFY(dossier.lock->id.server == LockId::kWholeSet);
    QCOMPARE(dossier.lock->quorum.held, std::uint16_t(1));
    QVERIFY(dossier.lock->quorum.isUnknown(0) && dossier.lock->quorum.isUnknown(2));
    QVERIFY(dossier.lock->quorum.isUndecided()); // the two that were not asked decide
    QVERIFY(dossier.release->servers == std::vector<std::uint16_t>{1});
}

void TestRedisReleaseDesk::withoutConnectionALockCannotBeExamined()
{
    ScriptedPeer peer;
    peer.greetWith("HTTP/1.1 400 Bad Request\r\n\r\n");
    store::Endpoint endpoint;
    endpoint.port = peer.port();
    std::vector<std::string> lines;
    RedisReleaseDesk desk(std::make_unique<Notebook>(lines), {});
    std::vector<LockDossier> dossiers;
    connect(&desk, &RedisReleaseDesk::examined, this,
            [&](quint64, const LockDossier& dossier) { dossiers.push_back(dossier); });
    desk.setEndpoints({endpoint});
    desk.examine({0, "order:lock"});
    QTRY_COMPARE_WITH_TIMEOUT(dossiers.size(), std::size_t(1), kPatienceMs);
    QVERIFY(dossiers.front().lock == nullptr);
    QCOMPARE(dossiers.front().problem.kind, Problem::Kind::NotRedis);
    desk.examine({7, "order:lock"}); // no such server
    QTRY_COMPARE_WITH_TIMEOUT(dossiers.size(), std::size_t(2), kPatienceMs);
    QCOMPARE(dossiers.back().problem.kind, Problem::Kind::NotConnected);
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
        return heard.contains("EVAL") ? QByteArray("*1\r\n:-1\r\n") : QByteArray("+OK\r\n");
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
    QSignalSpy examined(&desk, &RedisReleaseDesk::examined);
    desk.setEndpoints({endpoint});
    for (int i = 0; i < 5; ++i) {
        desk.examine({0, "order:lock"});
    }
    QTRY_VERIFY_WITH_TIMEOUT(peer.heard().contains("SETNAME"), kPatienceMs);
    QCOMPARE(examined.size(), 0);
    peer.hangUp();
    QTRY_COMPARE_WITH_TIMEOUT(examined.size(), 5, kPatienceMs);
}

QTEST_GUILESS_MAIN(TestRedisReleaseDesk)
#include "tst_redis_release_desk.moc"
