#include "core/kernel/base/sha1.h"
#include "core/kernel/conduct/deviation.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::tst_deviation {

using namespace lockscope::testing;
using conduct::Deviation;
using conduct::Interference;
using conduct::Leap;
using conduct::messageKindOf;
using store::Command;
using world::FaultKind;

namespace {

constexpr int kKindCount = static_cast<int>(Interference::InterferenceCount);

Deviation someDeviation(Interference kind, Leap leap)
{
    Deviation deviation;
    deviation.kind = kind;
    deviation.message.process = 2;
    if (isAtMessage(kind)) {
        deviation.message.kind = "EVALSHA 1a2b3c4d";
        deviation.message.occurrence = 3;
    }
    deviation.act = 5;
    deviation.untilAct = 12;
    deviation.leap = leap;
    return deviation;
}

} // namespace

class TestDeviation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMessageIsKnownByItsCommand();
    void aScriptIsKnownByItsDigest();
    void keysAndTimesAreNoPartOfAName();
    void aNameIsDescribedWithItsNumber();
    void everyKindIsReadAsItWasWritten();
    void writtenTextsStayTheSame();
    void otherTextsAreNone_data();
    void otherTextsAreNone();
    void whateverComesIsReadOrNot();
    void aSecondStepIsForTheLease();
    void faultsAreThoseOfTheWorld();
    void whatDriversSayForThemselvesIsKnown();
    void oneOfSeveralServersIsNamed();
    void everyKindHasItsOwnWords();
};

void TestDeviation::aMessageIsKnownByItsCommand()
{
    QCOMPARE(messageKindOf(Command("set", "k", "v")), std::string("SET"));
    QCOMPARE(messageKindOf(Command("PING")), std::string("PING"));
    QCOMPARE(messageKindOf(Command("client", "setname", "x")), std::string("CLIENT SETNAME"));
    QCOMPARE(messageKindOf(Command("script", "load", "return 1")), std::string("SCRIPT LOAD"));
    QCOMPARE(messageKindOf(Command()), std::string());
}

void TestDeviation::aScriptIsKnownByItsDigest()
{
    const std::string digest = sha1Hex("return 1");
    const std::string shown = digest.substr(0, 8);
    QCOMPARE(messageKindOf(Command("EVAL", "return 1", 0)), "EVAL " + shown);
    QCOMPARE(messageKindOf(Command("evalsha", digest, 0)), "EVALSHA " + shown);
    QVERIFY(messageKindOf(Command("EVAL", "return 2", 0)) != "EVAL " + shown);
}

void TestDeviation::keysAndTimesAreNoPartOfAName()
{
    QCOMPARE(messageKindOf(Command("SET", "lock:1", "token", "NX", "PX", 2000)),
             messageKindOf(Command("SET", "lock:2", "other", "NX", "PX", 1999)));
}

void TestDeviation::aNameIsDescribedWithItsNumber()
{
    QCOMPARE(describe(conduct::MessageName{0, "SET", 1}), std::string("A's SET"));
    QCOMPARE(describe(conduct::MessageName{1, "SET", 4}), std::string("B's SET (number 4)"));
}

void TestDeviation::everyKindIsReadAsItWasWritten()
{
    for (int i = 0; i < kKindCount; ++i) {
        for (const Leap leap : {Leap::None, Leap::AtBegin, Leap::AtEnd}) {
            const Deviation deviation = someDeviation(static_cast<Interference>(i), leap);
            const auto read = conduct::parseDeviation(toText(deviation));
            QVERIFY2(read == deviation, toText(deviation).c_str());
        }
    }
}

/// They are in files.
void TestDeviation::writtenTextsStayTheSame()
{
    QCOMPARE(toText(someDeviation(Interference::DelayRequest, Leap::AtBegin)),
             std::string("delay-request C 5 12 past-lease 3 EVALSHA 1a2b3c4d"));
    QCOMPARE(toText(someDeviation(Interference::Pause, Leap::None)),
             std::string("pause C 5 12 in-time"));
    QCOMPARE(toText(someDeviation(Interference::DelayRequest, Leap::AtEnd)),
             std::string("delay-request C 5 12 late 3 EVALSHA 1a2b3c4d"));
}

void TestDeviation::otherTextsAreNone_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* const text :
         {"", "delay-request", "delay A 5 12 in-time 1 SET", "pause AB 5 12 in-time",
          "pause a 5 12 in-time", "pause A five 12 in-time", "pause A 5 12 sometime",
          "delay-request A 5 12 in-time", "delay-request A 5 12 in-time 1",
          "delay-request A 5 12 in-time 0 SET", "delay-request A 5 12 in-time SET"}) {
        QTest::newRow(text) << QByteArray(text);
    }
}

void TestDeviation::otherTextsAreNone()
{
    QFETCH(const QByteArray, text);
    QVERIFY(!conduct::parseDeviation(text.toStdString()));
}

void TestDeviation::whateverComesIsReadOrNot()
{
    static constexpr std::array<std::string_view, 13> kPieces{
        " late", "pause",    "kill-after",  "delay-reply", " A", " Z", " 1",
        " -4",   " in-time", " past-lease", " SET",        " ",  "\n"};
    RandomInput input;
    for (int i = 0; i < 5'000; ++i) {
        const Bytes text = i % 2 == 0 ? input.assembled(kPieces, 8) : input.bytes(40);
        if (const auto read = conduct::parseDeviation(text)) {
            QVERIFY2(conduct::parseDeviation(toText(*read)) == read, input.recipe(text).c_str());
        }
    }
}

void TestDeviation::aSecondStepIsForTheLease()
{
    const Deviation inTime = someDeviation(Interference::DelayRequest, Leap::None);
    const Deviation past = someDeviation(Interference::DelayRequest, Leap::AtBegin);
    QCOMPARE(stepsOf(inTime), 1);
    QCOMPARE(stepsOf(past), 2);
    QCOMPARE(stepsOf(someDeviation(Interference::InterruptBefore, Leap::None)), 3);
    QCOMPARE(stepsOf(std::vector{inTime, past}), 3);
    QCOMPARE(stepsOf(std::vector<Deviation>{}), 0);
}

void TestDeviation::faultsAreThoseOfTheWorld()
{
    QVERIFY(faultOf(Interference::DelayReply) == FaultKind::MessageDelay);
    QVERIFY(faultOf(Interference::LoseRequest) == FaultKind::ConnectionLoss);
    QVERIFY(faultOf(Interference::KillIdle) == FaultKind::Crash);
    QVERIFY(faultOf(Interference::Pause) == FaultKind::Pause);
    QVERIFY(faultOf(Interference::Isolate) == FaultKind::Partition);
    for (const auto kind : {Interference::DelayRequest, Interference::DelayReply,
                            Interference::Pause, Interference::Isolate}) {
        QVERIFY(lasts(kind));
    }
    for (const auto kind : {Interference::LoseReply, Interference::KillAfter,
                            Interference::PassTime, Interference::InterruptAfter}) {
        QVERIFY(!lasts(kind));
    }
    for (const auto kind :
         {Interference::ForgetScripts, Interference::RestartServer, Interference::ServerDown,
          Interference::FailOver, Interference::LagReplicas}) {
        QVERIFY(isOfServer(kind));
    }
    QVERIFY(!isOfServer(Interference::Isolate));
    QVERIFY(isAtMessage(Interference::KillAfter));
    QVERIFY(!isAtMessage(Interference::KillIdle));
    QVERIFY(!isAtMessage(Interference::PassTime));
}

void TestDeviation::whatDriversSayForThemselvesIsKnown()
{
    for (const char* const kind : {"PING", "CLIENT SETNAME", "HELLO"}) {
        QVERIFY2(conduct::isHousekeeping(kind), kind);
    }
    for (const char* const kind : {"SET", "EVALSHA 1a2b3c4d", "WAIT", "CLIENTS"}) {
        QVERIFY2(!conduct::isHousekeeping(kind), kind);
    }
}

void TestDeviation::oneOfSeveralServersIsNamed()
{
    Deviation deviation = someDeviation(Interference::DelayRequest, Leap::None);
    deviation.message.server = 2;
    QCOMPARE(describe(deviation.message),
             std::string("C's EVALSHA 1a2b3c4d to server 2 (number 3)"));
    QVERIFY(toText(deviation).starts_with("delay-request C@2 "));
    QVERIFY(conduct::parseDeviation(toText(deviation)) == deviation);
    Deviation down = someDeviation(Interference::ServerDown, Leap::AtBegin);
    down.message = {0, {}, 0, 3};
    QCOMPARE(describe(down), std::string("server 3 is down for longer than the lease"));
    QVERIFY(conduct::parseDeviation(toText(down)) == down);
    for (const char* const text : {"pause A@0 5 12 in-time", "pause A@x 5 12 in-time",
                                   "pause A@ 5 12 in-time", "pause A2 5 12 in-time"}) {
        QVERIFY2(!conduct::parseDeviation(text), text);
    }
}

void TestDeviation::everyKindHasItsOwnWords()
{
    std::set<std::string> texts;
    std::set<std::string_view> ids;
    std::size_t expected = 0;
    for (int i = 0; i < kKindCount; ++i) {
        const auto kind = static_cast<Interference>(i);
        ids.insert(idOf(kind));
        texts.insert(describe(someDeviation(kind, Leap::None)));
        ++expected;
        if (lasts(kind) && kind != Interference::FailOver && kind != Interference::LagReplicas) {
            texts.insert(describe(someDeviation(kind, Leap::AtBegin)));
            ++expected;
        }
    }
    QCOMPARE(texts.size(), expected);
    QCOMPARE(ids.size(), static_cast<std::size_t>(kKindCount));
    QCOMPARE(describe(someDeviation(Interference::DelayRequest, Leap::AtBegin)),
             std::string("C's EVALSHA 1a2b3c4d (number 3) is under way for longer than the lease"));
    QCOMPARE(describe(someDeviation(Interference::Isolate, Leap::None)),
             std::string("C is cut off for a while"));
    QCOMPARE(describe(someDeviation(Interference::DelayRequest, Leap::AtEnd)),
             std::string("C's EVALSHA 1a2b3c4d (number 3) is delayed until long after the others "
                         "are done"));
}

LOCKSCOPE_TEST(TestDeviation, None)

} // namespace lockscope::tst_deviation

#include "tst_deviation.moc"
