// What `replay --live` says of servers that went another way, or could not be asked.

#include "app/cli/exit_code.h"
#include "app/cli/output/live_replay.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_live_replay_text {

using namespace lockscope::cli;
using wire::MirrorDifference;
using wire::MirrorResult;
using Status = MirrorResult::Status;

namespace {

MirrorResult different()
{
    MirrorResult result;
    result.status = Status::Differs;
    result.speedFactor = 5;
    result.exchangeCount = 7;
    MirrorDifference difference;
    difference.step = 2;
    difference.client = 1;
    difference.command = store::Command("GET", "k");
    difference.simulated = store::Reply::ofBulk("1");
    result.differences.push_back(difference);
    MirrorDifference left;
    left.command = store::Command("GET", "k2");
    left.simulated = store::Reply::ofBulk("1");
    left.real = store::Reply::ofBulk("2");
    result.differences.push_back(left);
    return result;
}

MirrorResult gaveUp(Status status)
{
    MirrorResult result;
    result.status = status;
    result.reason = "Because.";
    return result;
}

} // namespace

class TestLiveReplayText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyDifferenceIsTold();
    void scriptsGetTheSame();
    void theReasonIsGiven();
    void onlyARealViolationEndsWithTen();
};

void TestLiveReplayText::everyDifferenceIsTold()
{
    const std::string text = liveReplayText(different());
    QVERIFY(text.find("gave different answers, with all times divided by 5:\n")
            != std::string::npos);
    QVERIFY(text.find("  step 3, B, GET k: ") != std::string::npos);
    QVERIFY(text.find(", the real one nothing\n") != std::string::npos);
    QVERIFY(text.find("  the end, GET k2: ") != std::string::npos);
}

void TestLiveReplayText::scriptsGetTheSame()
{
    const report::Json json = liveReplayJson(different());
    QCOMPARE(json["status"].get<std::string>(), std::string("differs"));
    QCOMPARE(json["differences"].size(), std::size_t(2));
    QCOMPARE(json["differences"][0]["step"].get<int>(), 3);
    QCOMPARE(json["differences"][0]["client"].get<std::string>(), std::string("B"));
    QCOMPARE(json["differences"][0]["real"].get<std::string>(), std::string("nothing"));
    QVERIFY(json["differences"][1]["step"].is_null());
    QVERIFY(json["differences"][1]["client"].is_null());
}

void TestLiveReplayText::theReasonIsGiven()
{
    for (const Status status : {Status::NotRepeatable, Status::NoServer}) {
        const MirrorResult result = gaveUp(status);
        QVERIFY(liveReplayText(result).find("Because.") != std::string::npos);
        QCOMPARE(liveReplayJson(result)["reason"].get<std::string>(), std::string("Because."));
    }
}

void TestLiveReplayText::onlyARealViolationEndsWithTen()
{
    QCOMPARE(exitCodeOf(gaveUp(Status::Agrees), true), int(ExitPromiseBroken));
    QCOMPARE(exitCodeOf(gaveUp(Status::Agrees), false), int(ExitDone));
    QCOMPARE(exitCodeOf(different(), true), int(ExitDone));
    QCOMPARE(exitCodeOf(gaveUp(Status::NotRepeatable), true), int(ExitBadArguments));
    QCOMPARE(exitCodeOf(gaveUp(Status::NoServer), true), int(ExitUnreachable));
}

LOCKSCOPE_TEST(TestLiveReplayText, None)

} // namespace lockscope::tst_live_replay_text

#include "tst_live_replay_text.moc"
