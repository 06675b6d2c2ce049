#include "core/kernel/diagnosis/diagnosis.h"
#include "core/kernel/diagnosis/diagnosis_text.h"
#include "core/kernel/diagnosis/judge.h"
#include "core/kernel/inspect/watch/hold_history.h"
#include "core/kernel/report/wording.h"
#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/seen_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

// Every reason, planted: it is found where it is, with its numbers, and nowhere else.
namespace lockscope::tst_diagnosis {

using namespace lockscope::diagnosis;
using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

using Bench = LockBookBench;

/// "no-expiry low": what was found, most probable first.
std::vector<std::string> namesOf(const Diagnosis& diagnosis)
{
    std::vector<std::string> names;
    for (const Finding& finding : diagnosis.findings) {
        const char* const risk = finding.risk == Risk::Low      ? " low"
                                 : finding.risk == Risk::Medium ? " medium"
                                                                : " high";
        names.push_back(std::string(infoOf(finding.reason).id) + risk);
    }
    return names;
}

std::vector<std::string> openOf(const Diagnosis& diagnosis)
{
    std::vector<std::string> ids;
    for (const Unknown& unknown : diagnosis.unknowns) {
        ids.emplace_back(infoOf(unknown.reason).id);
    }
    return ids;
}

/// A server that does its locks no harm.
ServerFacts soundServer(std::uint16_t server = 0)
{
    ServerFacts facts;
    facts.server = server;
    facts.isKnown = true;
    facts.info.role = store::ServerInfo::Role::Master;
    facts.evictionPolicy = "noeviction";
    facts.memoryUsed = 2'000'000;
    facts.clockAhead = 3ms;
    facts.clockUncertainty = 500us;
    return facts;
}

Diagnosis diagnosisOf(const LockRecord& record, Instant now,
                      const std::vector<ServerFacts>& servers = {soundServer()},
                      const DecodedLock* decoded = nullptr)
{
    return diagnose({.record = record, .decoded = decoded, .servers = servers, .now = now});
}

/// A token that was watched since it was taken.
LockRecord heldToken(Duration lease = 30s)
{
    Bench bench;
    bench.seeToken(kAlice, lease, kStart);
    return *bench.row();
}

/// Holds the lock so often for so long, with a second in between. The next hold begins at the end.
class Holds {
public:
    Bench bench;
    Instant now = kStart;

    void hold(Duration length, Duration lease)
    {
        bench.seeToken(nextOwner(), lease, now);
        now += length;
        bench.see(missing("order:lock", now));
        now += 1s;
    }
    void begin(Duration lease) { bench.seeToken(nextOwner(), lease, now); }
    const LockRecord& row() { return *(m_row = bench.row()); }

private:
    Bytes nextOwner()
    {
        Bytes owner = kAlice;
        owner.replace(0, 2, std::to_string(10 + m_count++));
        return owner;
    }

    int m_count = 0;
    LockPtr m_row;
};

Observation companion(Bytes key, ValueType type, std::vector<HashField> fields,
                      std::optional<Duration> ttl = std::nullopt)
{
    Observation seen = hashKey(std::move(key), std::move(fields), ttl);
    seen.type = type;
    return seen;
}

/// Two readers; a lease is kept for each that is named.
LockSnapshot readLock(const std::vector<Bytes>& withLease)
{
    const std::vector<Bytes> readers = {kAlice + ":7", kBob + ":8"};
    LockSnapshot snapshot = of(hashKey("order",
                                       {{"mode", "read"}, {readers[0], "1"}, {readers[1], "1"}}));
    for (const Bytes& reader : readers) {
        const Bytes key = "{order}:" + reader + ":rwlock_timeout:1";
        const bool isThere = std::ranges::find(withLease, reader) != withLease.end();
        snapshot.companions.push_back(isThere ? companion(key, ValueType::String, {}, 20s)
                                              : missing(key));
    }
    return snapshot;
}

LockSnapshot fairLock(int listeners)
{
    const Bytes waiter = kBob + ":8";
    LockSnapshot snapshot = of(hashKey("order", {{kAlice + ":7", "1"}}));
    snapshot.companions = {companion("redisson_lock_queue:{order}", ValueType::List,
                                     {{waiter, {}}}),
                           companion("redisson_lock_timeout:{order}", ValueType::SortedSet,
                                     {{waiter, std::to_string(toEpochMs(kServerTime) + 40'000)}})};
    snapshot.channels = {{"redisson_lock__channel:{order}:" + waiter, listeners}};
    return snapshot;
}

Diagnosis diagnosisOf(const LockSnapshot& snapshot)
{
    const DecodedLock decoded = decodedLocksOf(snapshot).at(0);
    Bench bench;
    bench.book.see(snapshot, kStart);
    return diagnosisOf(*bench.row(snapshot.name), kStart, {soundServer()}, &decoded);
}

} // namespace

class TestDiagnosis : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFlagIsAReason_data();
    void aFlagIsAReason();
    void aNewHoldWithoutExpiryIsNotStuck();
    void aKeyWithTheNameOfALockIsDoubtful();
    void whoLeftIsNamedAndHowThatIsKnown();
    void aLockHeldFarLongerThanBeforeIsSilent();
    void aLongHoldThatIsRenewedIsNotSilent();
    void whatIsUsualIsNotRenewedForever();
    void leasesThatRunOutAreTooShort();
    void aLeaseShorterThanTheHoldsBeforeIsTooShort();
    void readersWhoseLeaseIsOverAreDead();
    void theHeadOfAQueueThatDoesNotListenIsSilent();
    void whatMayBeEvictedIsAHazard();
    void clocksThatAreApartAreToldOfASet();
    void aReplicaThatLagsBehindByMoreThanTheLease();
    void whatWasNotSeenIsNotKnown();
    void theMostProbableComesFirst();
    void eachPartJudgesAlone();
    void dataIsNotStuck();
    void aThousandHealthyLocksHaveNoReason();
    void theHeadlineIsNeverBetterThanAFinding();
    void itIsToldInWordsAndInJson();
};

void TestDiagnosis::aFlagIsAReason_data()
{
    QTest::addColumn<int>("flag");
    QTest::addColumn<std::string>("name");
    const auto row = [](Flag flag, const char* name) {
        QTest::newRow(name) << static_cast<int>(flag) << std::string(name);
    };
    row(Flag::NoExpiry, "no-expiry low");
    row(Flag::Stale, "stale medium");
    row(Flag::CountOnlyGrows, "count-only-grows medium");
    row(Flag::RenewedForever, "renewed-forever high");
    row(Flag::Minority, "minority low");
    row(Flag::SplitOwners, "split-owners medium");
    row(Flag::ReadAndWrite, "read-and-write low");
    row(Flag::MissingExpiryOfReader, "reader-no-expiry low");
    row(Flag::HolderGone, "holder-gone medium");
    row(Flag::Deadlock, "deadlock low");
    row(Flag::AbsurdLease, "absurd-lease medium");
    row(Flag::GrowingLease, "growing-lease medium");
    row(Flag::SilentPastUsual, "silent-past-usual medium");
    row(Flag::DeadReaders, "dead-readers medium");
    row(Flag::SilentQueueHead, "silent-queue-head medium");
}

void TestDiagnosis::aFlagIsAReason()
{
    QFETCH(const int, flag);
    QFETCH(const std::string, name);
    LockRecord record = heldToken();
    record.confidence = Confidence::High;
    const Instant now = kStart + 20s;
    QCOMPARE(namesOf(diagnosisOf(record, now)), std::vector<std::string>());
    record.flags.add(static_cast<Flag>(flag));
    const Diagnosis diagnosis = diagnosisOf(record, now);
    QCOMPARE(namesOf(diagnosis), std::vector{name});
    QCOMPARE(diagnosis.findings.front().evidence,
             report::flagSentence(static_cast<Flag>(flag), record, now));
}

void TestDiagnosis::aNewHoldWithoutExpiryIsNotStuck()
{
    LockRecord record = heldToken();
    record.flags.add(Flag::NoExpiry);
    record.isNewHold = true;
    QCOMPARE(namesOf(diagnosisOf(record, kStart + 1s)), std::vector<std::string>());
}

void TestDiagnosis::aKeyWithTheNameOfALockIsDoubtful()
{
    LockRecord record = heldToken();
    record.flags.add(Flag::NoExpiry);
    record.confidence = Confidence::Low;
    const Diagnosis diagnosis = diagnosisOf(record, kStart + 1s);
    QCOMPARE(namesOf(diagnosis), std::vector{"no-expiry high"s});
    QCOMPARE(diagnosis.findings.front().severity, 1);
}

void TestDiagnosis::whoLeftIsNamedAndHowThatIsKnown()
{
    Bench bench;
    const std::vector<ClientEntry> clients = {{"10.0.0.7:51622", kAlice}};
    bench.book.setClients(0, ClientDirectory(clients), kStart);
    bench.seeToken(kAlice, 30s, kStart);
    QVERIFY(namesOf(diagnosisOf(*bench.row(), kStart + 1s)).empty());
    const std::vector<ClientEntry> others = {{"10.0.0.8:1", "somebody else"}};
    bench.book.setClients(0, ClientDirectory(others), kStart + 1s);
    const Diagnosis diagnosis = diagnosisOf(*bench.row(), kStart + 2s);
    QCOMPARE(namesOf(diagnosis), std::vector{"holder-gone medium"s});
    const std::string& evidence = diagnosis.findings.front().evidence;
    QVERIFY2(evidence.ends_with("That client was 10.0.0.7:51622, found because the token names the "
                                "client."),
             evidence.c_str());
}

void TestDiagnosis::aLockHeldFarLongerThanBeforeIsSilent()
{
    Holds holds;
    for (int i = 0; i < 6; ++i) {
        holds.hold(1s, 1h);
    }
    holds.begin(1h);
    QVERIFY(namesOf(diagnosisOf(holds.row(), holds.now + 3s)).empty()); // three times as long
    const Diagnosis late = diagnosisOf(holds.row(), holds.now + 4s);
    QCOMPARE(namesOf(late), std::vector{"silent-past-usual high"s});
    QCOMPARE(
        late.findings.front().evidence,
        "Held for 4 s so far; the last 6 holds that were watched took at most 1.0 s. It was not "
        "renewed."s);
    QCOMPARE(namesOf(diagnosisOf(holds.row(), holds.now + 10min)),
             std::vector{"silent-past-usual medium"s});
}

void TestDiagnosis::aLongHoldThatIsRenewedIsNotSilent()
{
    Holds holds;
    for (int i = 0; i < 6; ++i) {
        holds.hold(1s, 30s);
    }
    holds.begin(30s);
    const Bytes owner = holds.row().holders.front().owner;
    Instant now = holds.now;
    for (int i = 1; i <= 4; ++i) {
        now = holds.now + i * 10s;
        holds.bench.seeToken(owner, 30s, now);
    }
    QVERIFY(namesOf(diagnosisOf(holds.row(), now + 1s)).empty());
    QCOMPARE(namesOf(diagnosisOf(holds.row(), now + 29s)), // two renewals are missing
             std::vector{"silent-past-usual medium"s});
}

void TestDiagnosis::whatIsUsualIsNotRenewedForever()
{
    Holds holds;
    for (int i = 0; i < 5; ++i) {
        holds.hold(10min, 1h);
    }
    holds.begin(1h);
    LockRecord record = holds.row();
    record.flags.add(Flag::RenewedForever);
    record.renewals = 20;
    record.lastRenewal = holds.now + 15min;
    QVERIFY(namesOf(diagnosisOf(record, holds.now + 15min)).empty());
    record.lastRenewal = holds.now + 25min;
    QCOMPARE(namesOf(diagnosisOf(record, holds.now + 25min)),
             std::vector{"renewed-forever medium"s});
    record.seldom->history.reset();
    QCOMPARE(namesOf(diagnosisOf(record, holds.now + 15min)), std::vector{"renewed-forever high"s});
}

void TestDiagnosis::leasesThatRunOutAreTooShort()
{
    Holds holds;
    for (int i = 0; i < 3; ++i) {
        holds.hold(500ms, 500ms);
    }
    holds.hold(100ms, 500ms);
    holds.hold(100ms, 500ms);
    holds.begin(500ms);
    const Diagnosis diagnosis = diagnosisOf(holds.row(), holds.now);
    QCOMPARE(namesOf(diagnosis), std::vector{"lease-too-short medium"s});
    QCOMPARE(diagnosis.findings.front().evidence,
             "3 of the last 5 holds that were watched ran out instead of being released; the last "
             "lease was 500 ms."s);
    holds.bench.see(missing("order:lock", holds.now + 100ms)); // now half of six did
    holds.now += 1s;
    holds.hold(100ms, 500ms);
    holds.begin(500ms); // and of these seven fewer
    QVERIFY(namesOf(diagnosisOf(holds.row(), holds.now)).empty());
}

void TestDiagnosis::aLeaseShorterThanTheHoldsBeforeIsTooShort()
{
    Holds holds;
    for (int i = 0; i < 5; ++i) {
        holds.hold(4s, 30s);
    }
    holds.begin(30s);
    QVERIFY(namesOf(diagnosisOf(holds.row(), holds.now)).empty());
    holds.bench.see(missing("order:lock", holds.now + 4s));
    holds.now += 5s;
    holds.begin(2s);
    const Diagnosis diagnosis = diagnosisOf(holds.row(), holds.now);
    QCOMPARE(namesOf(diagnosis), std::vector{"lease-too-short medium"s});
    QVERIFY(diagnosis.findings.front().evidence.find("took longer than its lease of 2.0 s")
            != std::string::npos);
}

void TestDiagnosis::readersWhoseLeaseIsOverAreDead()
{
    const Diagnosis diagnosis = diagnosisOf(readLock({kAlice + ":7"}));
    QCOMPARE(namesOf(diagnosis), std::vector{"dead-readers medium"s});
    QCOMPARE(
        diagnosis.findings.front().evidence,
        "The reader " + kBob
            + ":8 is still counted, but its lease is over; other readers keep the lock alive.");
    QVERIFY(namesOf(diagnosisOf(readLock({kAlice + ":7", kBob + ":8"}))).empty());
    // A version that keeps no leases of readers.
    QVERIFY(namesOf(diagnosisOf(readLock({}))).empty());
}

void TestDiagnosis::theHeadOfAQueueThatDoesNotListenIsSilent()
{
    const Diagnosis diagnosis = diagnosisOf(fairLock(0));
    QCOMPARE(namesOf(diagnosis), std::vector{"silent-queue-head medium"s});
    QVERIFY(diagnosis.findings.front().evidence.starts_with(kBob + ":8 is the next in its queue"));
    QVERIFY(diagnosis.findings.front().evidence.ends_with("It loses its place in 40.0 s."));
    QVERIFY(namesOf(diagnosisOf(fairLock(1))).empty());
}

void TestDiagnosis::whatMayBeEvictedIsAHazard()
{
    const LockRecord record = heldToken();
    ServerFacts facts = soundServer();
    facts.evictionPolicy = "allkeys-lru";
    QVERIFY(namesOf(diagnosisOf(record, kStart, {facts})).empty()); // there is no limit
    facts.memoryLimit = 100'000'000;
    const Diagnosis possible = diagnosisOf(record, kStart, {facts});
    QCOMPARE(namesOf(possible), std::vector{"eviction high"s});
    QCOMPARE(possible.findings.front().evidence,
             "maxmemory is 100 MB, of which 2 MB are used; the policy allkeys-lru may then throw "
             "away this key. 0 keys were evicted since the server started."s);
    facts.memoryUsed = 95'000'000;
    QCOMPARE(namesOf(diagnosisOf(record, kStart, {facts})), std::vector{"eviction medium"s});
    facts.evictedKeys = 12;
    QCOMPARE(namesOf(diagnosisOf(record, kStart, {facts})), std::vector{"eviction low"s});
    facts.server = 1; // it is on another one
    QVERIFY(namesOf(diagnosisOf(record, kStart, {facts})).empty());
    facts.server = 0;
    facts.evictionPolicy = "volatile-ttl";
    QCOMPARE(namesOf(diagnosisOf(record, kStart, {facts})), std::vector{"eviction low"s});
    LockRecord lasting = record;
    lasting.expiresAt.reset();
    QVERIFY(namesOf(diagnosisOf(lasting, kStart, {facts})).empty());
}

void TestDiagnosis::clocksThatAreApartAreToldOfASet()
{
    LockRecord record = heldToken(10s); // Redlock allows for 102 ms
    record.id.server = LockId::kWholeSet;
    record.seldom->quorum = {3, 3};
    std::vector<ServerFacts> servers = {soundServer(0), soundServer(1), soundServer(2)};
    servers[1].clockAhead = 3ms + 104ms;
    QVERIFY(namesOf(diagnosisOf(record, kStart, servers)).empty()); // within the error
    servers[1].clockAhead = 3ms + 250ms;
    const Diagnosis diagnosis = diagnosisOf(record, kStart, servers);
    QCOMPARE(namesOf(diagnosis), std::vector{"clocks-apart medium"s});
    QCOMPARE(diagnosis.findings.front().evidence,
             "The clocks of its servers are 250 ms apart, measured to within 3 ms; with its lease, "
             "Redlock allows for 102 ms."s);
    servers[1].clockAhead.reset();
    servers[2].clockAhead.reset();
    const Diagnosis open = diagnosisOf(record, kStart, servers);
    QVERIFY(namesOf(open).empty());
    QVERIFY(std::ranges::count(openOf(open), "clocks-apart") == 1);
}

void TestDiagnosis::aReplicaThatLagsBehindByMoreThanTheLease()
{
    const LockRecord record = heldToken(5s);
    ServerFacts facts = soundServer();
    facts.replicas = {{"10.0.0.6:6379", true, 1s}, {"10.0.0.7:6379", true, 5s}};
    QVERIFY(namesOf(diagnosisOf(record, kStart, {facts})).empty());
    facts.replicas[1].lag = 6s;
    const Diagnosis diagnosis = diagnosisOf(record, kStart, {facts});
    QCOMPARE(namesOf(diagnosis), std::vector{"replica-lag medium"s});
    QVERIFY(diagnosis.findings.front().evidence.starts_with("The replica 10.0.0.7:6379"));
    facts.replicas.clear();
    facts.info.role = store::ServerInfo::Role::Replica;
    facts.info.isMasterLinkUp = true;
    QVERIFY(namesOf(diagnosisOf(record, kStart, {facts})).empty());
    facts.info.isMasterLinkUp = false;
    facts.info.masterSilentFor = 34s;
    QCOMPARE(namesOf(diagnosisOf(record, kStart, {facts})), std::vector{"replica-lag low"s});
}

void TestDiagnosis::whatWasNotSeenIsNotKnown()
{
    Bench firstLook(1, false);
    firstLook.seeToken(kAlice, 30s, kStart);
    QCOMPARE(openOf(diagnosisOf(*firstLook.row(), kStart, {})),
             (std::vector{"count-only-grows"s, "renewed-forever"s, "holder-gone"s, "growing-lease"s,
                          "silent-past-usual"s, "lease-too-short"s, "eviction"s, "replica-lag"s}));
    // A server that may not be asked is as good as none.
    QCOMPARE(openOf(diagnosisOf(heldToken(), kStart + 2s, {ServerFacts()})),
             (std::vector{"holder-gone"s, "silent-past-usual"s, "lease-too-short"s, "eviction"s,
                          "replica-lag"s}));
    LockRecord vote = heldToken();
    vote.seldom->quorum = {1, 3, 1};
    QVERIFY(std::ranges::count(openOf(diagnosisOf(vote, kStart + 2s)), "minority") == 1);
    for (const ReasonInfo& info : allReasons()) {
        const bool mayBeOpen = std::ranges::count(openOf(diagnosisOf(*firstLook.row(), kStart, {})),
                                                  std::string(info.id))
                               > 0;
        QVERIFY2(!mayBeOpen || info.unknown, std::string(info.id).c_str());
    }
}

void TestDiagnosis::theMostProbableComesFirst()
{
    LockRecord record = heldToken();
    record.confidence = Confidence::High;
    record.flags.add(Flag::RenewedForever);
    record.flags.add(Flag::NoExpiry);
    record.flags.add(Flag::Stale);
    ServerFacts facts = soundServer();
    facts.evictionPolicy = "allkeys-lru";
    facts.memoryLimit = 1;
    facts.evictedKeys = 1;
    QCOMPARE(namesOf(diagnosisOf(record, kStart + 2s, {facts})),
             (std::vector{"no-expiry low"s, "stale medium"s, "renewed-forever high"s,
                          "eviction low"s}));
}

void TestDiagnosis::eachPartJudgesAlone()
{
    LockRecord record = heldToken();
    record.confidence = Confidence::High;
    record.flags.add(Flag::NoExpiry);
    const Observed observed{.record = record, .now = kStart + 2s};
    Judge ofServers(observed);
    ofServers.judgeServers();
    const Diagnosis open = ofServers.takeDiagnosis();
    QCOMPARE(namesOf(open), std::vector<std::string>());
    QCOMPARE(openOf(open), (std::vector{"eviction"s, "replica-lag"s}));
    Judge ofFlags(observed);
    ofFlags.judgeFlags();
    QCOMPARE(namesOf(ofFlags.takeDiagnosis()), std::vector{"no-expiry low"s});
}

void TestDiagnosis::dataIsNotStuck()
{
    LockRecord record = heldToken();
    record.flags.add(Flag::ProbablyData);
    record.flags.add(Flag::NoExpiry);
    QVERIFY(namesOf(diagnosisOf(record, kStart)).empty());
}

void TestDiagnosis::aThousandHealthyLocksHaveNoReason()
{
    RandomInput input;
    Rng& rng = input.rng();
    for (int i = 0; i < 1000; ++i) {
        Bench bench;
        Instant now = kStart;
        const Bytes name = "job:lock:" + std::to_string(i);
        const Duration lease = std::chrono::seconds(2 + rng.below(60));
        const auto kind = rng.below(3);
        const int holdCount = i % 10 == 0 ? 6 : 1; // six are enough to know what is usual
        for (int hold = 0; hold < holdCount; ++hold) {
            const Bytes owner = std::to_string(10 + hold) + kAlice.substr(2);
            const auto see = [&](Duration left) {
                switch (kind) {
                case 0: bench.see(stringKey(name, owner, left, now)); break;
                case 1: bench.see(hashKey(name, owner + ":7", 1, left, now)); break;
                default:
                    bench.see(hashKey(name, {{"mode", "write"}, {owner + ":7:write", "1"}}, left,
                                      now));
                }
            };
            see(lease);
            const std::uint64_t renewals = rng.below(3);
            for (std::uint64_t r = 0; r < renewals; ++r) {
                now += lease / 3;
                see(lease);
                QCOMPARE(namesOf(diagnosisOf(*bench.row(name), now)), std::vector<std::string>());
            }
            now += lease / 10 * (4 + rng.below(4)); // none is thrice as long as another
            const std::vector<std::string> found = namesOf(diagnosisOf(*bench.row(name), now));
            QVERIFY2(found.empty(), input.recipe(found.empty() ? "" : found.front()).c_str());
            bench.see(missing(name, now));
            now += 1s;
        }
    }
}

/// Everything at once, as the window shows it: the row, the headline, and what is found below it.
void TestDiagnosis::theHeadlineIsNeverBetterThanAFinding()
{
    ServerFacts facts = soundServer();
    facts.evictionPolicy = "allkeys-lru";
    facts.memoryLimit = 1;
    facts.replicas = {{"10.0.0.7:6379", true, 1h}};
    const auto check = [&facts](const LockRecord& record, Instant now,
                                const DecodedLock* decoded = nullptr) {
        const Diagnosis diagnosis = diagnosisOf(record, now, {facts}, decoded);
        const int headline = report::verdictOf(record, now).severity;
        QCOMPARE(headline, severityOf(record));
        for (const Finding& finding : diagnosis.findings) {
            QVERIFY2(finding.severity <= headline, std::string(infoOf(finding.reason).id).c_str());
            QVERIFY(!infoOf(finding.reason).isHazard || finding.severity == 0);
        }
    };
    for (const LockSnapshot& snapshot : {fairLock(0), readLock({kAlice + ":7"})}) {
        Bench bench;
        bench.book.see(snapshot, kStart, LockBook::Absence::Unknown);
        const DecodedLock decoded = decodedLocksOf(snapshot).at(0);
        check(*bench.row(snapshot.name), kStart, &decoded);
        QCOMPARE(severityOf(*bench.row(snapshot.name)), 1);
    }
    for (int flag = 0; flag < static_cast<int>(Flag::FlagCount); ++flag) {
        LockRecord record = heldToken();
        record.flags.add(static_cast<Flag>(flag));
        check(record, kStart + 2s);
    }
}

void TestDiagnosis::itIsToldInWordsAndInJson()
{
    LockRecord record = heldToken();
    record.confidence = Confidence::High;
    QVERIFY(nothingFoundText(diagnosisOf(record, kStart + 2s)).ends_with("as far as is known."));
    record.flags.add(Flag::NoExpiry);
    const Diagnosis diagnosis = diagnosisOf(record, kStart + 2s);
    QVERIFY(nothingFoundText(diagnosis).empty());
    const FindingText text = textsOf(diagnosis).at(0);
    QCOMPARE(text.title, "No expiry"s);
    QCOMPARE(text.risk, "Risk of a false alarm: low. May be wrong if it is removed manually on "
                        "purpose."s);
    QCOMPARE(unknownTexts(diagnosis).at(0),
             "Not known whether its holder is still connected: No client in the server's list fits "
             "its owner: neither an address nor the name of a client is in the token."s);
    const report::Json json = diagnosisJson(diagnosis);
    QCOMPARE(json["reasons"][0]["id"].get<std::string>(), "no-expiry"s);
    QCOMPARE(json["reasons"][0]["risk"].get<std::string>(), "low"s);
    QCOMPARE(json["reasons"][0]["hazard"].get<bool>(), false);
    QCOMPARE(json["notKnown"][0]["reason"].get<std::string>(), "holder-gone"s);
}

LOCKSCOPE_TEST(TestDiagnosis, Core)

} // namespace lockscope::tst_diagnosis

#include "tst_diagnosis.moc"
