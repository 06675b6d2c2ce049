#include "core/kernel/protocol/builtin/builtin.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>

namespace lockscope::tst_setnx_getset {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;
using store::Outcome;
using store::Reply;

namespace {

const LockProtocol& theProtocol = builtin::setnxGetset();

/// Eight bytes, the greatest first.
Bytes stampOf(WallTime at)
{
    const std::int64_t ms = toEpochMs(at);
    Bytes bytes;
    for (int shift = 56; shift >= 0; shift -= 8) {
        bytes += static_cast<char>(ms >> shift & 0xff);
    }
    return bytes;
}

/// A server with one string key, some of whose commands answer something else.
class PretendServer {
public:
    std::optional<Bytes> value;
    std::optional<Bytes> meanwhile; // what another client writes between GET and GETSET
    std::map<std::string, Outcome> instead;

    Outcome answer(const store::Command& command)
    {
        const std::string& name = command.words.front();
        if (const auto found = instead.find(name); found != instead.end()) {
            return found->second;
        }
        if (name == "SETNX") {
            const bool isFree = !value;
            value = isFree ? command.words[2] : *value;
            return number(isFree ? 1 : 0);
        }
        const Outcome before = value ? Reply::ofBulk(*value) : Reply();
        if (name == "GETSET") {
            value = command.words[2];
        } else if (name == "GET" && meanwhile) {
            value = meanwhile;
        } else if (name == "EXPIRE" || name == "DEL") {
            return number(value ? 1 : 0);
        }
        return before;
    }
};

class StampBench : public ContenderBench {
public:
    StampBench() : ContenderBench(scriptOf(server)) {}

    PretendServer server;

    WallTime wallNow() { return loop().clock().wallNow(); }
    /// The commands without their arguments.
    std::string asked()
    {
        std::string names;
        for (const std::string& command : store().asked()) {
            names += (names.empty() ? "" : " ") + command.substr(0, command.find(' '));
        }
        return names;
    }

private:
    static ScriptedStore::Script scriptOf(PretendServer& server)
    {
        return [&server](const store::Command& command) { return server.answer(command); };
    }
};

} // namespace

class TestSetnxGetset : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theValueIsTheEndOfTheHoldByTheClientsClock();
    void aFreeLockGetsAnExpiryAsWell();
    void theExpiryIsAWholeSecond();
    void aStampThatIsStillToComeIsRefused();
    void aStampThatIsPastIsTakenOver();
    void aStampOfThisMillisecondIsNotPast();
    void whoComesSecondOverwritesTheStampOfTheFirst();
    void aKeyThatVanishedMeansTryAgain();
    void aKeyThatVanishesBeforeTheTakeoverIsNotTaken();
    void aClockThatIsAheadTakesOverALiveLock();
    void whatIsNoStampIsLeftAlone();
    void everyStepMayFail_data();
    void everyStepMayFail();
    void theLeaseCountsFromBeforeTheStamp();
    void theReleaseDeletesBlindly();
};

void TestSetnxGetset::theValueIsTheEndOfTheHoldByTheClientsClock()
{
    StampBench bench;
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QCOMPARE(bench.server.value, std::optional(stampOf(bench.wallNow() + 10s + 1s)));
    QCOMPARE(grant.token, *bench.server.value);
}

void TestSetnxGetset::aFreeLockGetsAnExpiryAsWell()
{
    StampBench bench;
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "granted"s);
    QCOMPARE(bench.asked(), "SETNX EXPIRE"s);
    QCOMPARE(bench.store().asked().back(), "EXPIRE k 10"s);
}

void TestSetnxGetset::theExpiryIsAWholeSecond()
{
    StampBench bench;
    LockRequest request = bench.request();
    request.lease = 300ms;
    const auto grant = takeGrant(attempt(bench, theProtocol, request));
    QCOMPARE(bench.store().asked().back(), "EXPIRE k 1"s);
    QCOMPARE(bench.server.value, std::optional(stampOf(bench.wallNow() + 2s)));
    QCOMPARE(grant.trustedUntil, std::optional(bench.loop().now() + 1s));
}

void TestSetnxGetset::aStampThatIsStillToComeIsRefused()
{
    StampBench bench;
    bench.server.value = stampOf(bench.wallNow() + 4s);
    const auto refused = std::get<Refused>(attempt(bench, theProtocol));
    QCOMPARE(refused.remaining, std::optional<Duration>(4s));
    QCOMPARE(bench.asked(), "SETNX GET"s);
}

void TestSetnxGetset::aStampThatIsPastIsTakenOver()
{
    StampBench bench;
    bench.server.value = stampOf(bench.wallNow() - 1ms);
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QCOMPARE(bench.asked(), "SETNX GET GETSET EXPIRE"s);
    QCOMPARE(bench.server.value, std::optional(grant.token));
    QCOMPARE(grant.token, stampOf(bench.wallNow() + 11s));
}

void TestSetnxGetset::aStampOfThisMillisecondIsNotPast()
{
    StampBench bench;
    bench.server.value = stampOf(bench.wallNow());
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "refused"s);
}

void TestSetnxGetset::whoComesSecondOverwritesTheStampOfTheFirst()
{
    StampBench bench;
    bench.server.value = stampOf(bench.wallNow() - 1s);
    bench.server.meanwhile = stampOf(bench.wallNow() + 5s);
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "refused"s);
    QCOMPARE(bench.asked(), "SETNX GET GETSET"s);
    QCOMPARE(bench.server.value, std::optional(stampOf(bench.wallNow() + 11s))); // not the owner's
}

void TestSetnxGetset::aKeyThatVanishedMeansTryAgain()
{
    StampBench bench;
    bench.server.instead = {{"SETNX", number(0)}};
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "refused"s);
    QCOMPARE(bench.asked(), "SETNX GET"s);
}

void TestSetnxGetset::aKeyThatVanishesBeforeTheTakeoverIsNotTaken()
{
    StampBench bench;
    bench.server.value = stampOf(bench.wallNow() - 1s);
    bench.server.instead = {{"GETSET", nil()}};
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "refused"s);
}

void TestSetnxGetset::aClockThatIsAheadTakesOverALiveLock()
{
    StampBench bench;
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "granted"s);
    const WallTime origin = bench.wallNow() - bench.loop().now().time_since_epoch() / 1ms * 1ms;
    bench.loop().clock().setWallOrigin(origin + 12s);
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "granted"s);
}

void TestSetnxGetset::whatIsNoStampIsLeftAlone()
{
    StampBench bench;
    bench.server.value = "1";
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "unavailable"s);
    QCOMPARE(bench.server.value, std::optional("1"s));
}

void TestSetnxGetset::everyStepMayFail_data()
{
    QTest::addColumn<std::string>("step");
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    const auto add = [](const std::string& step, const char* what, const Outcome& answer,
                        const std::string& word) {
        QTest::newRow((step + ": " + what).c_str()) << step << answer << word;
    };
    for (const std::string step : {"SETNX", "GETSET"}) {
        add(step, "no answer", lostReply(), "uncertain");
        add(step, "not sent", notSent(), "unavailable");
        add(step, "error", serverError(), "unavailable");
        add(step, "nonsense", number(7), "uncertain");
    }
    for (const auto& [what, answer] :
         {std::pair("no answer", lostReply()), std::pair("not sent", notSent()),
          std::pair("error", serverError()), std::pair("nonsense", number(7))}) {
        add("GET", what, answer, "unavailable");
    }
    add("EXPIRE", "no answer", lostReply(), "uncertain");
    add("EXPIRE", "not sent", notSent(), "uncertain"); // the lock is taken all the same
    add("EXPIRE", "error", serverError(), "uncertain");
    add("EXPIRE", "nonsense", nonsense(), "uncertain");
    add("EXPIRE", "nothing there", number(0), "granted");
}

void TestSetnxGetset::everyStepMayFail()
{
    QFETCH(const std::string, step);
    QFETCH(const Outcome, answer);
    StampBench bench;
    bench.server.value = stampOf(bench.wallNow() - 1s); // so that all four are sent
    bench.server.instead = {{step, answer}};
    QTEST(wordFor(attempt(bench, theProtocol)), "word");
    QVERIFY(bench.asked().ends_with(step));
}

void TestSetnxGetset::theLeaseCountsFromBeforeTheStamp()
{
    StampBench bench;
    const Instant start = bench.loop().now();
    bench.store().hold();
    const auto task = bench.loop().start(theProtocol.attempt(bench.contender(), bench.request()));
    bench.loop().advance(2s);
    bench.store().answerOne();
    bench.loop().settle();
    bench.loop().advance(1s);
    bench.store().answerOne();
    bench.loop().settle();
    const auto& grant = takeGrant(task.result());
    QCOMPARE(grant.trustedUntil, std::optional(start + 10s));
    QCOMPARE(grant.grantedAt, start + 3s);
}

void TestSetnxGetset::theReleaseDeletesBlindly()
{
    StampBench bench;
    const auto grant = takeGrant(attempt(bench, theProtocol));
    bench.server.value = "another's";
    QCOMPARE(wordFor(release(bench, theProtocol, grant)), "released"s);
    QCOMPARE(bench.store().asked().back(), "DEL k"s);
}

LOCKSCOPE_TEST(TestSetnxGetset, Core)

} // namespace lockscope::tst_setnx_getset

#include "tst_setnx_getset.moc"
