#include "core/kernel/report/held_wording.h"
#include "core/kernel/report/wording.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QTest>

#include <set>

Q_DECLARE_METATYPE(lockscope::inspect::LockPtr)
Q_DECLARE_METATYPE(lockscope::inspect::ReleaseReport)
Q_DECLARE_METATYPE(lockscope::inspect::NextHold)

namespace lockscope::tst_wording {

using namespace lockscope::inspect;
using namespace lockscope::report;
using namespace std::chrono_literals;
using namespace std::string_literals;

class TestWording : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void healthyLocksSayHowTheyAre_data();
    void healthyLocksSayHowTheyAre();
    void whatWasThereBeforeUsIsHeldForAtLeastThatLong();
    void aFirstLookClaimsNothingAboutTheTimeBefore();
    void waitersAreMentionedWhenTheyAreKnown();
    void aRedlockRowSaysOnHowManyServersItIs();
    void aRedlockRowThatCannotBeCountedIsNotCalledHeld();
    void everyFlagHasItsOwnWords();
    void aStuckLockSaysWhyAndHowItCouldBeWrong();
    void whatMayBeNoLockIsOnlyPossiblyStuck();
    void aNewHoldThatNeverExpiresIsHeld();
    void dataIsCalledSoWhateverElseItIs();
    void theMostUrgentFlagComesFirst();
    void sentencesNameTheNumbersBehindThem_data();
    void sentencesNameTheNumbersBehindThem();
    void anUnconfirmedSuspicionSaysSo();
    void resultsSayWhatWasDone_data();
    void resultsSayWhatWasDone();
    void everyResultHasItsOwnWordsWithEveryProblem();
    void cappingSaysWhatWasDone();
    void theNextHoldIsSaid_data();
    void theNextHoldIsSaid();
    void modesAndStatesHaveWords();
    void theCommandLineDoesTheSame_data();
    void theCommandLineDoesTheSame();
    void theCommandLineNeverContainsThePassword();
    void aCapHasNoCommandLine();
    void theShellReadsQuotedWordsBack();
};

namespace {

const Instant kNow(240h);

/// A healthy lock that was taken 12 seconds ago while we watched.
LockRecord held()
{
    LockRecord record;
    record.id.name = "order:42";
    record.holders.resize(1);
    record.holders[0].owner = "5f0c:63";
    record.confidence = Confidence::High;
    record.firstSeen = kNow - 12700ms;
    record.isTakenWhileWatching = true;
    record.expiresAt = kNow + 12340ms;
    record.lease = 30s;
    return record;
}

LockPtr shared(LockRecord record)
{
    return makeShared<const LockRecord>(std::move(record));
}

LockRecord renewed()
{
    LockRecord record = held();
    record.renewals = 6;
    record.lastRenewal = kNow - 4s;
    return record;
}

LockRecord flagged(Flag flag)
{
    LockRecord record = held();
    record.isTakenWhileWatching = false;
    record.firstSeen = kNow - 41min - 5s;
    record.seldom->quorum = {2, 5};
    record.flags.add(flag);
    return record;
}

bool has(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

std::vector<Flag> allFlags()
{
    std::vector<Flag> flags;
    for (int i = 0; i < static_cast<int>(Flag::FlagCount); ++i) {
        flags.push_back(static_cast<Flag>(i));
    }
    return flags;
}

ReleasePlan planFor(Bytes key, Bytes owner)
{
    LockRecord record = held();
    record.id.name = std::move(key);
    record.holders[0].owner = std::move(owner);
    ReleasePlan plan;
    plan.lock = shared(record);
    plan.holders = record.holders;
    return plan;
}

} // namespace

void TestWording::healthyLocksSayHowTheyAre_data()
{
    QTest::addColumn<LockPtr>("lock");
    QTest::addColumn<std::string>("headline");
    QTest::addColumn<std::string>("reason");
    QTest::newRow("not renewed") << shared(held()) << "Held, expires in 12.3 s unless renewed"s
                                 << "Held for 12 s. No renewal seen."s;
    QTest::newRow("renewed")
        << shared(renewed()) << "Held, renewed 4 s ago"s
        << "Held for 12 s. Renewed 6 times since it was taken 12 s ago: its holder is alive."s;
    LockRecord once = renewed();
    once.renewals = 1;
    once.lastRenewal = kNow - 20ms;
    QTest::newRow("just renewed")
        << shared(once) << "Held, renewed 20 ms ago"s
        << "Held for 12 s. Renewed 1 time since it was taken 12 s ago: its holder is alive."s;
    LockRecord byTimer = renewed();
    byTimer.lease = 30s;
    byTimer.renewedAtMs = {20'010, 19'990, 20'000};
    QTest::newRow("renewed by a timer")
        << shared(byTimer) << "Held, renewed every 10 s"s
        << "Held for 12 s. A timer of its holder renews it every 10 s: its holder is alive."s;
    LockRecord silent = byTimer;
    silent.lastRenewal = kNow - 17700ms;
    silent.expiresAt = kNow + 12300ms;
    QTest::newRow("silent")
        << shared(silent) << "Held, but silent: expires in 12.3 s"s
        << "Held for 12 s. It was renewed every 10 s, and the last renewal is missing."s;
    LockRecord ending = held();
    ending.expiresAt = kNow - 1s;
    QTest::newRow("expiring") << shared(ending) << "Held, expiring now"s
                              << "Held for 12 s. No renewal seen."s;
    LockRecord readers = held();
    readers.mode = Mode::Read;
    readers.holders.resize(3);
    QTest::newRow("readers") << shared(readers) << "Read by 3, expires in 12.3 s unless renewed"s
                             << "Held for 12 s. No renewal seen."s;
    LockRecord writer = renewed();
    writer.mode = Mode::Write;
    QTest::newRow("writer")
        << shared(writer) << "Held for writing, renewed 4 s ago"s
        << "Held for 12 s. Renewed 6 times since it was taken 12 s ago: its holder is alive."s;
    LockRecord permits = held();
    permits.mode = Mode::Semaphore;
    permits.holders[0].holds = 2;
    permits.expiresAt.reset();
    QTest::newRow("semaphore") << shared(permits) << "2 permits held, never expires"s
                               << "Held for 12 s."s;
    QVERIFY(!endsElsewhere(permits));
    permits.holders[0].expiresAt = kNow + 3s; // the key stays, the permits do not
    QVERIFY(endsElsewhere(permits));
    QCOMPARE(heldHow(permits), "2 permits held"s);
    QTest::newRow("permits that expire") << shared(permits) << "2 permits held"s
                                         << "Held for 12 s."s;
    permits.holders.clear();
    QTest::newRow("free permits") << shared(permits) << "No holder is recorded"s
                                  << "Held for 12 s."s;
    LockRecord stale = held();
    stale.isConfirmed = false;
    QTest::newRow("not confirmed")
        << shared(stale) << "Not confirmed since the connection was lost"s
        << "This is the state before the connection was lost. It will be read again when the server replies."s;
}

void TestWording::healthyLocksSayHowTheyAre()
{
    QFETCH(LockPtr, lock);
    QFETCH(std::string, headline);
    QFETCH(std::string, reason);
    const Verdict verdict = verdictOf(*lock, kNow);
    QCOMPARE(verdict.headline, headline);
    QCOMPARE(verdict.reason, reason);
    QCOMPARE(verdict.doubt, ""s);
    QCOMPARE(verdict.severity, 0);
    QCOMPARE(whyLook(*lock, kNow), ""s);
}

void TestWording::whatWasThereBeforeUsIsHeldForAtLeastThatLong()
{
    LockRecord record = renewed();
    record.isTakenWhileWatching = false;
    record.firstSeen = kNow - 41min - 30s;
    QCOMPARE(
        verdictOf(record, kNow).reason,
        "Held for at least 41 m. Renewed 6 times since we first saw it 41 m ago: its holder is alive."s);
}

void TestWording::aFirstLookClaimsNothingAboutTheTimeBefore()
{
    LockRecord record = held();
    record.isTakenWhileWatching = false;
    record.firstSeen = kNow - 3ms;
    QCOMPARE(verdictOf(record, kNow).reason, "Its age is unknown: this is the first look."s);
    record.expiresAt.reset();
    record.flags.add(Flag::NoExpiry);
    QVERIFY(verdictOf(record, kNow).reason.ends_with("Its age is unknown."));
}

void TestWording::waitersAreMentionedWhenTheyAreKnown()
{
    LockRecord record = held();
    record.waiters = 17;
    QVERIFY(has(verdictOf(record, kNow).reason, "17 clients wait for its release."));
    record.waiters = 1;
    QVERIFY(has(verdictOf(record, kNow).reason, "1 client waits for its release."));
    record.waiters = 0;
    QVERIFY(!has(verdictOf(record, kNow).reason, "listen"));
}

void TestWording::aRedlockRowSaysOnHowManyServersItIs()
{
    LockRecord record = held();
    record.seldom->quorum = {3, 5};
    QCOMPARE(verdictOf(record, kNow).reason,
             "Held for 12 s. No renewal seen. It is on 3 of 5 servers."s);
    record.seldom->quorum.addUnknown(1);
    QVERIFY(verdictOf(record, kNow).headline.starts_with("Held"));
    QVERIFY(has(verdictOf(record, kNow).reason,
                "It is on 3 of 5 servers; the state of 1 other is unknown."));
}

void TestWording::aRedlockRowThatCannotBeCountedIsNotCalledHeld()
{
    LockRecord record = held();
    record.seldom->quorum = {2, 5};
    record.seldom->quorum.addUnknown(0);
    record.seldom->quorum.addUnknown(4);
    const Verdict verdict = verdictOf(record, kNow);
    QCOMPARE(verdict.headline, "Unknown whether it is held"s);
    QCOMPARE(
        verdict.reason,
        "It is unknown whether a majority of the servers has it. It is on 2 of 5 servers; the state of 2 others is unknown, which is decisive."s);
}

void TestWording::everyFlagHasItsOwnWords()
{
    std::set<std::string> seen;
    for (const Flag flag : allFlags()) {
        const Verdict verdict = verdictOf(flagged(flag), kNow);
        QCOMPARE(verdict.severity, severityOf(flag));
        QCOMPARE(verdict.reason, flagSentence(flag, flagged(flag), kNow));
        QCOMPARE(verdict.doubt, flagDoubt(flag));
        QVERIFY2(verdict.doubt.starts_with("May be wrong "), verdict.doubt.c_str());
        QVERIFY2(verdict.reason.ends_with('.'), verdict.reason.c_str());
        QCOMPARE(whyLook(flagged(flag), kNow), flagText(flag));
        for (const std::string& text :
             {verdict.headline, verdict.reason, verdict.doubt, flagText(flag)}) {
            QVERIFY2(!text.empty() && seen.insert(text).second, text.c_str());
        }
    }
}

void TestWording::aStuckLockSaysWhyAndHowItCouldBeWrong()
{
    LockRecord record = flagged(Flag::NoExpiry);
    record.expiresAt.reset();
    const Verdict verdict = verdictOf(record, kNow);
    QCOMPARE(verdict.severity, 2);
    QCOMPARE(verdict.headline, "Stuck: it never expires"s);
    QCOMPARE(
        verdict.reason,
        "Nothing will ever remove it: it has no expiry. It has not been touched since we first saw it 41 m ago."s);
    QCOMPARE(verdict.doubt, "May be wrong if it is removed manually on purpose."s);
}

void TestWording::whatMayBeNoLockIsOnlyPossiblyStuck()
{
    LockRecord record = flagged(Flag::NoExpiry);
    record.confidence = Confidence::Low;
    const Verdict verdict = verdictOf(record, kNow);
    QCOMPARE(verdict.severity, 1);
    QCOMPARE(verdict.headline, "Possibly stuck: it never expires"s);
}

void TestWording::aNewHoldThatNeverExpiresIsHeld()
{
    LockRecord record = held();
    record.isNewHold = true;
    record.expiresAt.reset();
    record.flags.add(Flag::NoExpiry);
    const Verdict verdict = verdictOf(record, kNow);
    QCOMPARE(verdict.severity, 0);
    QCOMPARE(verdict.headline, "Held, never expires"s);
    QCOMPARE(verdict.reason, "Held for 12 s. If its holder dies, nothing will remove it."s);
    QCOMPARE(verdict.doubt, ""s);
    record.isTakenWhileWatching = false;
    record.firstSeen = kNow;
    QVERIFY(verdictOf(record, kNow).reason.starts_with("Taken less than 5 minutes ago"));
}

void TestWording::dataIsCalledSoWhateverElseItIs()
{
    LockRecord record = flagged(Flag::ProbablyData);
    record.flags.add(Flag::Stale);
    record.confidence = Confidence::Low;
    const Verdict verdict = verdictOf(record, kNow);
    QCOMPARE(verdict.severity, 0);
    QCOMPARE(verdict.headline, "Not known to be a lock, probably data"s);
    QVERIFY(verdict.reason.starts_with(flagSentence(Flag::ProbablyData, record, kNow)));
}

void TestWording::theMostUrgentFlagComesFirst()
{
    LockRecord record = flagged(Flag::RenewedForever);
    record.flags.add(Flag::CountOnlyGrows);
    record.flags.add(Flag::HolderGone);
    QCOMPARE(whyLook(record, kNow), "hold count only grows · renewed forever · holder is gone"s);
    const Verdict verdict = verdictOf(record, kNow);
    QCOMPARE(verdict.headline, "Suspicious: acquired again and again, never released"s);
    QCOMPARE(verdict.reason, flagSentence(Flag::CountOnlyGrows, record, kNow) + ' '
                                 + flagSentence(Flag::RenewedForever, record, kNow));
}

void TestWording::sentencesNameTheNumbersBehindThem_data()
{
    QTest::addColumn<LockPtr>("lock");
    QTest::addColumn<int>("flag");
    QTest::addColumn<std::string>("sentence");
    const auto row = [](const char* name, const LockRecord& record, Flag flag,
                        const char* sentence) {
        QTest::newRow(name) << shared(record) << static_cast<int>(flag) << std::string(sentence);
    };
    LockRecord touched = flagged(Flag::NoExpiry);
    touched.renewals = 1;
    touched.lastRenewal = kNow - 5min;
    row("no expiry, but touched", touched, Flag::NoExpiry,
        "Nothing will ever remove it: it has no expiry. It was last renewed 5 m 00 s ago.");
    LockRecord growing = flagged(Flag::CountOnlyGrows);
    growing.holders[0].holds = 4;
    row("hold count only grows", growing, Flag::CountOnlyGrows,
        "Its hold count has only grown, to 4, since we first saw it 41 m ago: it is acquired "
        "repeatedly and never released.");
    LockRecord kept = flagged(Flag::RenewedForever);
    kept.renewals = 246;
    kept.lastRenewal = kNow - 4s;
    row("renewed forever", kept, Flag::RenewedForever,
        "It has been kept alive for at least 41 m by renewing a lease of 30 s (246 renewals seen, "
        "the last 4 s ago).");
    kept.isTakenWhileWatching = true;
    row("renewed forever, from the beginning", kept, Flag::RenewedForever,
        "It has been kept alive for 41 m by renewing a lease of 30 s (246 renewals seen, the last "
        "4 s ago).");
    row("minority", flagged(Flag::Minority), Flag::Minority,
        "Only 2 of 5 servers have this token, fewer than a majority: the lock is not held, but it "
        "blocks others.");
    row("stale", flagged(Flag::Stale), Flag::Stale,
        "The expiry written in its value has passed, so the next client may take it over.");
    LockRecord forEver = flagged(Flag::Stale);
    forEver.expiresAt.reset();
    row("stale without expiry", forEver, Flag::Stale,
        "The expiry written in its value has passed, so the next client may take it over. The key "
        "itself never expires.");
    row("holder gone", flagged(Flag::HolderGone), Flag::HolderGone,
        "The client that its token names is no longer in the server's client list. It expires in "
        "12.3 s.");
}

void TestWording::sentencesNameTheNumbersBehindThem()
{
    QFETCH(LockPtr, lock);
    QFETCH(int, flag);
    QFETCH(std::string, sentence);
    QCOMPARE(flagSentence(static_cast<Flag>(flag), *lock, kNow), sentence);
}

void TestWording::anUnconfirmedSuspicionSaysSo()
{
    LockRecord record = flagged(Flag::Minority);
    record.isConfirmed = false;
    QVERIFY(has(verdictOf(record, kNow).reason, "this is not confirmed yet"));
}

void TestWording::resultsSayWhatWasDone_data()
{
    QTest::addColumn<ReleaseReport>("report");
    QTest::addColumn<std::string>("sentence");
    ReleaseReport report;
    report.result = ReleaseResult::Released;
    QTest::newRow("released") << report << "Released."s;
    report.woken = 1;
    QTest::newRow("released, one woken") << report << "Released; 1 waiter was woken."s;
    report.woken = 3;
    QTest::newRow("released, some woken") << report << "Released; 3 waiters were woken."s;
    report = {};
    report.result = ReleaseResult::ChangedHands;
    QTest::newRow("changed hands") << report << "The lock changed hands; nothing was done."s;
    report.nowThere = shared(held());
    QTest::newRow("changed hands, seen")
        << report << "The lock changed hands; nothing was done. It is now held by 5f0c:63."s;
    LockRecord nameless = held();
    nameless.holders[0].owner.clear();
    report.nowThere = shared(nameless);
    QTest::newRow("changed hands, nameless")
        << report
        << "The lock changed hands; nothing was done. It is now held by an owner that its format does not record."s;
    report = {};
    report.result = ReleaseResult::AlreadyGone;
    QTest::newRow("gone") << report << "The lock was already gone; nothing was done."s;
    report.result = ReleaseResult::Refused;
    QTest::newRow("refused") << report << "Refused; nothing was done."s;
    report.problem.kind = store::Problem::Kind::ReplicaReadOnly;
    QTest::newRow("refused by a replica")
        << report
        << "Refused; nothing was done. This server is a replica and accepts no writes. Connect to its master."s;
    report = {};
    report.result = ReleaseResult::Refused;
    report.ownReason = "There is no room for the audit line.";
    QTest::newRow("refused by ourselves")
        << report << "Refused; nothing was done. There is no room for the audit line."s;
    report = {};
    report.result = ReleaseResult::Unknown;
    const std::string unknown = "It is unknown whether the lock was released: the command was "
                                "sent, but no reply came. Check the lock before you try again.";
    QTest::newRow("unknown") << report << unknown;
    report.problem.kind = store::Problem::Kind::ConnectionLost;
    QTest::newRow("unknown, connection lost")
        << report
        << unknown
               + " The connection was closed. Check whether the server was stopped or restarted.";
}

void TestWording::resultsSayWhatWasDone()
{
    QFETCH(ReleaseReport, report);
    QFETCH(std::string, sentence);
    QCOMPARE(resultSentence(report), sentence);
}

void TestWording::everyResultHasItsOwnWordsWithEveryProblem()
{
    using Kind = store::Problem::Kind;
    for (int kind = 1; kind <= static_cast<int>(Kind::ServerRefused); ++kind) {
        ReleaseReport report;
        report.problem.kind = static_cast<Kind>(kind);
        for (const ReleaseResult result : {ReleaseResult::Refused, ReleaseResult::Unknown}) {
            report.result = result;
            QVERIFY2(resultSentence(report).ends_with(explain(report.problem)),
                     std::to_string(kind).c_str());
        }
        QVERIFY(has(resultSentence(report), "unknown"));
    }
}

void TestWording::cappingSaysWhatWasDone()
{
    ReleaseReport report;
    report.result = ReleaseResult::Released;
    QCOMPARE(resultSentence(report, ReleaseAction::CapTtl), "The lock now has an expiry."s);
    report.result = ReleaseResult::Unknown;
    QVERIFY(has(resultSentence(report, ReleaseAction::CapTtl),
                "unknown whether the expiry was set"));
}

void TestWording::theNextHoldIsSaid_data()
{
    QTest::addColumn<NextHold>("nextHold");
    QTest::addColumn<std::string>("sentence");
    using Kind = NextHold::Kind;
    QTest::newRow("free") << NextHold{Kind::StillFree, nullptr, 3s}
                          << "Still free after 3.0 s: not acquired by any client."s;
    QTest::newRow("other") << NextHold{Kind::TakenByOther, shared(held()), 12ms}
                           << "Acquired after 12 ms by 5f0c:63."s;
    QTest::newRow("unknown client")
        << NextHold{Kind::Taken, shared(held()), 12ms}
        << "Acquired again after 12 ms. Whether by the same client cannot be told: the owner of this lock does not identify its holder."s;
    QTest::newRow("same")
        << NextHold{Kind::TakenBySameOwner, shared(held()), 12ms}
        << "Acquired again by the same owner after 12 ms: the release did not help; stop the holder itself."s;
    QTest::newRow("back")
        << NextHold{Kind::CameBack, shared(held()), 5s}
        << "It came back after 5.0 s: the same token is there again. Its holder is still running and created it again; stop the holder itself."s;
    QTest::newRow("one vote") << NextHold{Kind::StillFree, nullptr, 3s, true}
                              << "Still free on this server after 3.0 s."s;
    QTest::newRow("unknown") << NextHold{} << "It is unknown what happened next."s;
}

void TestWording::theNextHoldIsSaid()
{
    QFETCH(NextHold, nextHold);
    QFETCH(std::string, sentence);
    QCOMPARE(nextHoldSentence(nextHold), sentence);
}

void TestWording::modesAndStatesHaveWords()
{
    QCOMPARE(modeText(Mode::Exclusive), std::string("exclusive"));
    QCOMPARE(stateText(LockState::Suspicious), std::string("Suspicious"));
    QCOMPARE(stateText(LockState::Unconfirmed), std::string("Not confirmed"));
    QCOMPARE(stateText(LockState::Contended), std::string("Held, others wait"));
    QCOMPARE(stateText(LockState::ReadShared), std::string("Read by several"));
    QCOMPARE(stateText(LockState::Held), std::string("Held"));
}

void TestWording::theCommandLineDoesTheSame_data()
{
    QTest::addColumn<std::string>("key");
    QTest::addColumn<std::string>("owner");
    QTest::addColumn<std::string>("url");
    QTest::addColumn<std::string>("line");
    const auto row = [](const char* name, const std::string& key, const std::string& owner,
                        const char* url, const char* line) {
        QTest::newRow(name) << key << owner << std::string(url) << std::string(line);
    };
    row("plain", "order:42", "5f0c:63", "redis://10.0.0.5",
        "lockscope-cli release order:42 --owner 5f0c:63 --url redis://10.0.0.5:6379");
    row("database", "k", "o", "localhost/2",
        "lockscope-cli release k --owner o --url redis://localhost:6379/2");
    row("socket", "k", "o", "unix:///run/redis.sock?db=1",
        "lockscope-cli release k --owner o --url 'unix:///run/redis.sock?db=1'");
    row("spaces and quotes", "it's a key", "o\"o", "h",
        "lockscope-cli release 'it'\\''s a key' --owner 'o\"o' --url redis://h:6379");
    row("binary", "k\xff", "\0"s, "h",
        "lockscope-cli release 'k\\xff' --owner '\\x00' --url redis://h:6379");
    row("looks like an option", "-k", "--o", "h",
        "lockscope-cli release --owner=--o --url redis://h:6379 -- -k");
    row("braces", "{a}*", "$x", "h",
        "lockscope-cli release '{a}*' --owner '$x' --url redis://h:6379");
    row("no url", "k", "o", "", "lockscope-cli release k --owner o");
    row("empty key", "", "o", "h", "lockscope-cli release '' --owner o --url redis://h:6379");
}

void TestWording::theCommandLineDoesTheSame()
{
    QFETCH(std::string, key);
    QFETCH(std::string, owner);
    QFETCH(std::string, url);
    QFETCH(std::string, line);
    QCOMPARE(releaseCommandLine(url, planFor(key, owner), false), line);
    QVERIFY(has(releaseCommandLine(url, planFor(key, owner), true), " --dry-run"));
}

void TestWording::theCommandLineNeverContainsThePassword()
{
    for (const char* url : {"redis://u:secret@h", "redis://:secret@h:99999", "redis://:secret%@h",
                            "unix://u:secret@/s"}) {
        const std::string line = releaseCommandLine(url, planFor("k", "o"), false);
        QVERIFY2(line.starts_with("lockscope-cli release k --owner o") && !has(line, "secret"),
                 line.c_str());
    }
    // Where no owner is recorded, what the release compares is named instead.
    ReleasePlan nameless = planFor("k", "");
    nameless.recipe.checks.resize(1);
    nameless.recipe.checks[0].value = "1";
    QCOMPARE(releaseCommandLine("", nameless, false), "lockscope-cli release k --owner 1"s);
}

void TestWording::aCapHasNoCommandLine()
{
    ReleasePlan plan = planFor("k", "o");
    plan.action = ReleaseAction::CapTtl;
    QCOMPARE(releaseCommandLine("h", plan, false), ""s);
}

void TestWording::theShellReadsQuotedWordsBack()
{
    testing::RandomInput input;
    const std::string_view pieces[] = {"a", " ", "'", "\"", "\\", "$x", "`id`", "*",
                                       "~", "!", "=", "#",  ";",  "é",  "\t"};
    std::string script;
    std::string expected;
    for (int i = 0; i < 300; ++i) {
        const Bytes word = input.assembled(pieces, 8);
        script += "printf '%s\\n' " + shellQuoted(word) + '\n';
        expected += word + '\n';
    }
    QProcess shell;
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-s")});
    shell.write(script.data(), static_cast<qint64>(script.size()));
    shell.closeWriteChannel();
    QVERIFY(shell.waitForFinished());
    QVERIFY2(shell.readAllStandardOutput().toStdString() == expected, input.recipe(script).c_str());
}

LOCKSCOPE_TEST(TestWording, Core)

} // namespace lockscope::tst_wording

#include "tst_wording.moc"
