#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/watch/hold_tracking.h"
#include "core/kernel/report/wording.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/seen_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

// Values that are bare numbers: owners, instants, counts and data look alike, so little is claimed.
namespace lockscope::tst_numbers {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

/// The recipe that ends the best decoded lock.
ReleaseRecipe recipeOf(const LockSnapshot& snapshot)
{
    const DecodedLock decoded = decodedLocksOf(snapshot).at(0);
    return decoderOfFormat(decoded.format)->release(snapshot, decoded, HolderChoice::all());
}

} // namespace

class TestNumbers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStampIsADeadlineOnlyWhereTheExpiryAgrees();
    void aLoneNumberIsAnOwnerAndIsDeleted();
    void aNumberIsCountedDownOnlyByDecision();
    void whatIsOnlyAskedForIsProbablyData();
};

void TestNumbers::aStampIsADeadlineOnlyWhereTheExpiryAgrees()
{
    const std::int64_t now = toEpochMs(kServerTime);
    const auto bestOf = [](std::int64_t stamp, std::optional<Duration> ttl) {
        return decodedLocksOf(of(stringKey("lock:x", std::to_string(stamp), ttl))).at(0);
    };
    const DecodedLock agreeing = bestOf(now + 30'000, 29s);
    QCOMPARE(agreeing.format, std::string_view("expiry-stamp"));
    QVERIFY(agreeing.confidence == Confidence::High && agreeing.deadline);

    const DecodedLock taken = bestOf(now - 1000, 10min);
    QCOMPARE(taken.format, std::string_view("number"));
    QVERIFY(!taken.deadline && !taken.flags.has(Flag::Stale));
    QVERIFY(taken.acquiredAt == wallTimeOfMs(now - 1000));
    QVERIFY(!bestOf(now + 30'000, 10min).acquiredAt);

    // Without an expiry, nothing but a deadline is in the future; the past may be either.
    QVERIFY(bestOf(now + 30'000, std::nullopt).confidence == Confidence::Medium);
    const DecodedLock past = bestOf(now - 1000, std::nullopt);
    QVERIFY(past.confidence == Confidence::Low && past.flags.has(Flag::Stale));
    const LockRecord record =
        recordOf(of(stringKey("lock:x", std::to_string(now - 1000), std::nullopt)), past);
    const report::Verdict verdict = report::verdictOf(record, Instant());
    QVERIFY2(verdict.headline.starts_with("Unknown whether it is held"), verdict.headline.c_str());
    QVERIFY2(verdict.reason.find("It is unknown whether the next client may take it over")
                 != std::string::npos,
             verdict.reason.c_str());
}

void TestNumbers::aLoneNumberIsAnOwnerAndIsDeleted()
{
    for (const Bytes value : {"2", "17", "42", "4711", "10000", "104233", "1795164858000000"}) {
        const LockSnapshot snapshot = of(stringKey("lock:seat", value, 5min));
        const DecodedLock decoded = decodedLocksOf(snapshot).at(0);
        QVERIFY(decoded.mode == Mode::Exclusive);
        QCOMPARE(decoded.holders.size(), 1U);
        QCOMPARE(decoded.holders[0].owner, value);
        QCOMPARE(decoded.holders[0].holds, 1U);
        QVERIFY(decoded.ownerScope == OwnerScope::None); // it does not identify its holder
        const ReleaseRecipe recipe = recipeOf(snapshot);
        QVERIFY(recipe.script == ReleaseRecipe::Script::Plain && recipe.steps.empty());
        QCOMPARE(recipe.checks.at(0).value, value);
        QVERIFY(recipe.checks[0].comparesExpiry);
    }
    QCOMPARE(formatsOf(of(stringKey("lock:seat", "42", std::nullopt))), ""s);
    QCOMPARE(formatsOf(of(stringKey("app/lock/files/import", "42", 5min))), "number flag"s);
}

void TestNumbers::aNumberIsCountedDownOnlyByDecision()
{
    const LockSnapshot snapshot = of(stringKey("lock:mailer", "3", 5min));
    const std::vector<Treatment> decision = {{"lock:mailer", "holder-count"}};
    const DecodedLock counted = decode(snapshot, {builtinDecoders(), decision}).at(0);
    QCOMPARE(counted.format, std::string_view("holder-count"));
    QCOMPARE(counted.holders.at(0).holds, 3U);
    const Decoder& decoder = *decoderOfFormat("holder-count");
    const ReleaseRecipe one = decoder.release(snapshot, counted, HolderChoice::oneHoldOf(0));
    QCOMPARE(one.steps.size(), 1U);
    QCOMPARE(one.steps[0].number, 1);
    // A count of 0 that stays would block clients that acquire by SET NX.
    const ReleaseRecipe all = decoder.release(snapshot, counted, HolderChoice::all());
    QVERIFY(all.script == ReleaseRecipe::Script::Plain && all.steps.empty());
}

void TestNumbers::whatIsOnlyAskedForIsProbablyData()
{
    LockSnapshot snapshot = of(stringKey("config:mode", "production", std::nullopt));
    QVERIFY(decodedLocksOf(snapshot).empty());
    snapshot.isPointedAt = true;
    const DecodedLock asked = decodedLocksOf(snapshot).at(0);
    QVERIFY(asked.flags.has(Flag::ProbablyData));
    QVERIFY(!asked.flags.has(Flag::NoExpiry));
    snapshot.isNamedByUser = true;
    QVERIFY(!decodedLocksOf(snapshot).at(0).flags.has(Flag::ProbablyData));
}

LOCKSCOPE_TEST(TestNumbers, None)

} // namespace lockscope::tst_numbers

#include "tst_numbers.moc"
