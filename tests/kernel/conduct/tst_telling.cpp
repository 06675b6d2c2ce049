#include "core/kernel/conduct/telling.h"
#include "tests/kernel/conduct/scripted_stage.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace lockscope::tst_telling {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using conduct::Breach;
using conduct::Deviation;
using conduct::Find;
using conduct::Interference;
using conduct::Word;
using search::StoryLine;
using world::ViolationKind;
using Answers = conduct::Answer::Kind;

namespace {

constexpr int kA = 0;
constexpr int kB = 1;

Find found(const WrittenLog& log, std::vector<Deviation> deviations)
{
    Find find;
    find.workload = handOver();
    find.deviations = std::move(deviations);
    find.log = log.log();
    const auto breaches = conduct::judge(find.log, find.workload, find.deviations);
    if (!breaches.empty()) {
        find.breach = breaches.front();
    }
    return find;
}

Deviation at(Interference kind, const std::string& message = {})
{
    Deviation deviation;
    deviation.kind = kind;
    deviation.message = {kA, message, message.empty() ? 0 : 1};
    return deviation;
}

std::vector<std::string> textsOf(const Find& find)
{
    std::vector<std::string> texts;
    for (const StoryLine& line : tellFind(find)) {
        texts.push_back(line.text);
    }
    return texts;
}

bool tells(const Find& find, const std::string& text)
{
    const auto texts = textsOf(find);
    return std::ranges::find(texts, text) != texts.end();
}

} // namespace

class TestTelling : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunIsToldFromItsCallsToItsBreach();
    void whatComesAfterTheBreachIsLeftOut();
    void deviationsAreNumbered();
    void theEndOfADeviationIsTold();
    void aKillIsToldOnce();
    void aDeathOfItsOwnIsTold();
    void outputIsToldUpToALimit();
    void aPollIsToldOnceWithItsNumber();
    void aShortPollIsToldAsItIs();
    void ownEndsAreDescribed();
    void everyAnswerIsTold();
    void everyBreachHasItsOwnSentence();
    void whatIsMissingIsTold();
    void errorsAreTold();
    void traitsAreDescribed();
};

void TestTelling::aRunIsToldFromItsCallsToItsBreach()
{
    WrittenLog log(kScriptedLease);
    log.acquire(kA).pass(1s).acquire(kB);
    const std::vector<std::string> expected{
        "A asks for the lock",
        "A sends SET lock:1a token NX PX 2000: 1",
        "A says that it holds the lock",
        "B asks for the lock",
        "B sends SET lock:1a token NX PX 2000: 1",
        "B says that it holds the lock",
        "B got the lock while A held it, and nothing had hindered A"};
    const Find find = found(log, {});
    QCOMPARE(textsOf(find), expected);
    const auto story = tellFind(find);
    QCOMPARE(story.front().at, Instant(0s));
    QCOMPARE(story.back().at, Instant(1s));
    QCOMPARE(std::ranges::count_if(story, &StoryLine::isViolation), 1);
    QVERIFY(story.back().isViolation);
}

void TestTelling::whatComesAfterTheBreachIsLeftOut()
{
    WrittenLog log(kScriptedLease);
    log.acquire(kA).acquire(kB);
    const auto before = textsOf(found(log, {}));
    log.release(kA).release(kB);
    QCOMPARE(textsOf(found(log, {})), before);
}

void TestTelling::deviationsAreNumbered()
{
    WrittenLog log(kScriptedLease);
    log.call(kA, Word::Acquire).interfere(kA, 1).make(kA).answer(kA, Word::Acquire);
    log.interfere(kA, 0).acquire(kB);
    const auto story = tellFind(found(log, {at(Interference::PassTime),
                                            at(Interference::LoseReply, "SET")}));
    std::vector<std::pair<int, int>> numbers; // with the step
    for (const StoryLine& line : story) {
        if (line.number > 0) {
            numbers.emplace_back(line.number, line.step);
        }
    }
    // In the order in which they happen.
    QCOMPARE(numbers, (std::vector<std::pair<int, int>>{{1, 1}, {2, 0}}));
}

void TestTelling::theEndOfADeviationIsTold()
{
    const auto isTold = [](const Deviation& deviation, const std::string& text) {
        WrittenLog log(kScriptedLease);
        log.acquire(kA).interfere(kA).pass(1s).letGo(kA).acquire(kB);
        return tells(found(log, {deviation}), text);
    };
    QVERIFY(isTold(at(Interference::DelayRequest, "SET"), "A's SET arrives"));
    QVERIFY(isTold(at(Interference::DelayReply, "SET"), "the answer to A's SET arrives"));
    QVERIFY(isTold(at(Interference::Pause), "A goes on"));
    QVERIFY(isTold(at(Interference::Isolate), "A may connect again"));
}

void TestTelling::aKillIsToldOnce()
{
    WrittenLog log(kScriptedLease);
    log.call(kA, Word::Acquire).makeForEver(kA).interfere(kA).end(kA);
    log.pass(3s).acquireInVain(kB);
    const Find find = found(log, {at(Interference::KillAfter, "SETNX")});
    QVERIFY(tells(find, "A is killed as soon as A's SETNX is carried out"));
    QVERIFY(!tells(find, "A has ended"));
    QVERIFY(find.breach.violation.kind == ViolationKind::PermanentLock);
}

void TestTelling::aDeathOfItsOwnIsTold()
{
    WrittenLog log(kScriptedLease);
    log.call(kA, Word::Acquire).makeForEver(kA).end(kA).pass(3s).acquireInVain(kB);
    QVERIFY(tells(found(log, {}), "A has ended"));
}

void TestTelling::outputIsToldUpToALimit()
{
    WrittenLog log(kScriptedLease);
    log.acquire(kA).say(kA, "");
    for (int i = 0; i < 30; ++i) {
        log.say(kA, "reconnecting");
    }
    log.acquire(kB);
    const auto texts = textsOf(found(log, {}));
    QVERIFY(std::ranges::count(texts, "A writes: reconnecting") > 5);
    QVERIFY(std::ranges::count(texts, "A writes: reconnecting") < 15);
    QCOMPARE(std::ranges::count(texts, "A writes: "), 0);
}

void TestTelling::aPollIsToldOnceWithItsNumber()
{
    WrittenLog log(kScriptedLease);
    log.acquire(kA).call(kB, Word::Acquire).look(kB);
    for (int i = 0; i < 6; ++i) {
        log.pass(100ms).look(kB);
    }
    log.renew(kA).look(kB).pass(100ms).make(kB).answer(kB, Word::Acquire);
    const Find find = found(log, {});
    const std::vector<std::string> expected{
        "A asks for the lock",
        "A sends SET lock:1a token NX PX 2000: 1",
        "A says that it holds the lock",
        "B asks for the lock",
        "B sends GET lock:1a: 1",
        "A sends PEXPIRE lock:1a 2000: 1",
        "B repeats that 7 times and always gets 1: GET lock:1a",
        "B sends SET lock:1a token NX PX 2000: 1",
        "B says that it holds the lock",
        "B got the lock while A held it, and nothing had hindered A"};
    QCOMPARE(textsOf(find), expected);
    const auto story = tellFind(find);
    QVERIFY(std::ranges::is_sorted(story, {}, &StoryLine::at));
    QCOMPARE(story[6].at, Instant(600ms)); // of the latest one
}

void TestTelling::aShortPollIsToldAsItIs()
{
    WrittenLog log(kScriptedLease);
    log.acquire(kA).call(kB, Word::Acquire).look(kB).look(kB).renew(kA).look(kB).acquire(kB);
    const auto texts = textsOf(found(log, {}));
    const std::vector<std::string> expected{"B sends GET lock:1a: 1", "B sends GET lock:1a: 1",
                                            "A sends PEXPIRE lock:1a 2000: 1",
                                            "B sends GET lock:1a: 1"}; // in this order, though all
                                                                       // at the same time
    QVERIFY(std::ranges::search(texts, expected).begin() != texts.end());
}

void TestTelling::ownEndsAreDescribed()
{
    conduct::OwnEnd end;
    end.process = kB;
    QCOMPARE(describe(end), std::string("B ended by itself although nothing was done to it"));
    end.deviations = {at(Interference::LoseReply, "SET")};
    QCOMPARE(describe(end), "B ended by itself (" + describe(end.deviations.front()) + ")");
}

void TestTelling::everyAnswerIsTold()
{
    std::set<std::string> texts;
    constexpr int kAnswers = 2;
    const std::vector words{Word::Acquire, Word::Release, Word::Extend, Word::Held};
    for (const Word word : words) {
        for (const Answers kind : {Answers::Yes, Answers::No}) {
            WrittenLog log(kScriptedLease);
            log.call(kA, word).answer(kA, word, kind);
            Find find;
            find.log = log.log();
            find.breach.entry = find.log.entries.size() - 1;
            const auto story = tellFind(find);
            texts.insert(story.at(story.size() - 2).text);
        }
    }
    QCOMPARE(texts.size(), words.size() * kAnswers);
    WrittenLog log(kScriptedLease);
    log.call(kA, Word::Acquire).answer(kA, Word::Acquire, Answers::Error).tellLoss(kA);
    Find find;
    find.log = log.log();
    find.breach.entry = find.log.entries.size() - 1;
    QVERIFY(tells(find, "A answers with an error"));
    QVERIFY(tells(find, "A's library reports that the lock is lost"));
}

void TestTelling::everyBreachHasItsOwnSentence()
{
    std::set<std::string> texts;
    Breach breach;
    breach.violation.client = kA;
    breach.violation.other = kB;
    const std::vector kinds{ViolationKind::DoubleGrant,   ViolationKind::DishonestLease,
                            ViolationKind::DoubleBelief,  ViolationKind::WrongExtension,
                            ViolationKind::PermanentLock, ViolationKind::ZombieRenewal,
                            ViolationKind::Orphan,        ViolationKind::LostWakeup,
                            ViolationKind::Starvation,    ViolationKind::ReentryImbalance,
                            ViolationKind::FenceDisorder, ViolationKind::FalseLoss};
    for (const ViolationKind kind : kinds) {
        breach.violation.kind = kind;
        texts.insert(describe(breach, testing::emptyWorkload(std::chrono::seconds(2))));
    }
    breach.violation.kind = ViolationKind::DoubleGrant;
    breach.wasHindered = true;
    texts.insert(describe(breach, testing::emptyWorkload(std::chrono::seconds(2))));
    breach.violation.kind = ViolationKind::DoubleBelief;
    breach.isInherent = true;
    texts.insert(describe(breach, testing::emptyWorkload(std::chrono::seconds(2))));
    breach.isByFailOver = true;
    texts.insert(describe(breach, testing::emptyWorkload(std::chrono::seconds(2))));
    QCOMPARE(texts.size(), kinds.size() + 3);
    for (const std::string& text : texts) {
        QVERIFY2(text.find('A') != std::string::npos && !text.ends_with('.'), text.c_str());
    }
}

void TestTelling::whatIsMissingIsTold()
{
    conduct::Proof proof;
    proof.runCount = 3;
    QCOMPARE(shortfallOf(proof), std::string());
    proof.singles = {.planned = 310, .played = 2, .diverged = 1};
    QCOMPARE(shortfallOf(proof),
             std::string("2 of 310 runs with a single deviation were played. 1 of them did not "
                         "meet their message. Give the search more time."));
    proof.singles = {.planned = 2, .played = 2, .unplannedWorkloads = 1};
    QVERIFY(shortfallOf(proof).find("workload") != std::string::npos);
    QVERIFY(shortfallOf(proof).find("more time") == std::string::npos); // that would not help
}

void TestTelling::errorsAreTold()
{
    QCOMPARE(describe(conduct::AnsweredError{1, Word::Extend, "ERR unknown command", 4}),
             std::string("B answered extend 4 times with an error although nothing was done to it: "
                         "ERR unknown command"));
}

void TestTelling::traitsAreDescribed()
{
    conduct::AdapterTraits traits;
    traits.vocabulary.add(Word::Release);
    traits.vocabulary.add(Word::Acquire);
    QCOMPARE(describe(traits),
             std::string("acquire, release; its lock lasts as long as the lease"));
    traits.vocabulary.knowsReaders = true;
    traits.isRenewed = true;
    QCOMPARE(describe(traits), std::string("acquire, release, read; it renews its lock by itself"));
}

LOCKSCOPE_TEST(TestTelling, None)

} // namespace lockscope::tst_telling

#include "tst_telling.moc"
