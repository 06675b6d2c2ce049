#include "core/kernel/diagnosis/key_capture.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_key_capture {

using namespace lockscope::diagnosis;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

KeyCapture captured(std::initializer_list<const char*> lines)
{
    KeyCapture capture(0, {"job:lock"}, {"alice", ""});
    for (const char* line : lines) {
        capture.take(line);
    }
    return capture;
}

} // namespace

class TestKeyCapture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoSendsTheTokenComesFirst();
    void onlyTheKeysOfTheLockCount();
    void whatScriptsDoIsTheirCallers();
    void channelsOfTheLockCount();
    void silenceIsSaid();
    void theEndIsSaid();
    void theSameCallNamesTheServerOfTheLock();
};

void TestKeyCapture::whoSendsTheTokenComesFirst()
{
    const KeyCapture capture =
        captured({R"(1.0 [0 b:2] "set" "job:lock" "bob" "PX" "30000" "nx")",
                  R"(1.1 [0 b:2] "SET" "job:lock" "bob" "NX" "PX" "30000")",
                  R"(1.2 [0 a:1] "evalsha" "0123" "1" "job:lock" "alice" "30000")"});
    const std::vector<KeyVisitor> visitors = capture.visitors();
    QCOMPARE(visitors.size(), std::size_t(2));
    QVERIFY((visitors[0] == KeyVisitor{"a:1", {{"EVALSHA", 1}}, {"alice"}}));
    QVERIFY((visitors[1] == KeyVisitor{"b:2", {{"SET NX", 2}}, {}}));
    const std::vector<inspect::ClientEntry> clients{{"a:1", "billing-3", false}};
    QCOMPARE(captureText(capture, {CaptureEnd::Kind::TimeOver, 5s, 200}, clients),
             "Listened for 5.0 s: 3 commands of all clients, 200 bytes.\n"
             "a:1 (billing-3): EVALSHA ×1\n"
             "    sent the token of the owner alice\n"
             "b:2: SET NX ×2\n"s);
    QCOMPARE(captureJson(capture, {CaptureEnd::Kind::TimeOver, 5s, 200}, clients).dump(),
             R"({"end":"time","spanMs":5000,"bytes":200,"commands":3,"owners":["alice"],)"
             R"("clients":[{"address":"a:1","name":"billing-3","owners":["alice"],)"
             R"("commands":{"EVALSHA":1}},{"address":"b:2","name":null,"owners":[],)"
             R"("commands":{"SET NX":2}}]})"s);
}

void TestKeyCapture::onlyTheKeysOfTheLockCount()
{
    const KeyCapture capture = captured({R"(1.0 [0 a:1] "get" "job:lock:2")",
                                         R"(1.0 [1 a:1] "get" "job:lock")",
                                         R"(1.0 [0 a:1] "set" "other" "alice")"});
    QVERIFY(capture.visitors().empty());
    QCOMPARE(capture.commandCount(), std::uint64_t(3));
}

void TestKeyCapture::whatScriptsDoIsTheirCallers()
{
    const KeyCapture capture = captured({R"(1.0 [0 a:1] "eval" "…" "1" "job:lock" "alice")",
                                         R"(1.0 [0 lua] "del" "job:lock")"});
    QCOMPARE(capture.commandCount(), std::uint64_t(1));
    QCOMPARE(capture.visitors().size(), std::size_t(1));
}

void TestKeyCapture::channelsOfTheLockCount()
{
    const KeyCapture capture =
        captured({R"(1.0 [0 b:2] "subscribe" "redisson_lock__channel:{job:lock}")"});
    QCOMPARE(capture.visitors().size(), std::size_t(1));
}

void TestKeyCapture::silenceIsSaid()
{
    const CaptureEnd end{CaptureEnd::Kind::TimeOver, 5s, 0};
    const std::string nobody = captureText(captured({}), end, {});
    QVERIFY(nobody.find("No client sent a command about the keys of this lock.")
            != std::string::npos);
    const std::string others = captureText(captured({R"(1.0 [0 b:2] "get" "job:lock")"}), end, {});
    QVERIFY(others.find("No client sent the token of the owner") != std::string::npos);
}

void TestKeyCapture::theEndIsSaid()
{
    const auto textOf = [](CaptureEnd::Kind kind) {
        return captureText(captured({}), {kind, 1s, 5}, {});
    };
    QVERIFY(textOf(CaptureEnd::Kind::BytesOver).find("stopped early") != std::string::npos);
    QVERIFY(textOf(CaptureEnd::Kind::ConnectionLost).find("ended early") != std::string::npos);
    QVERIFY(textOf(CaptureEnd::Kind::Stopped).find("as asked") != std::string::npos);
    QCOMPARE(captureJson(captured({}), {CaptureEnd::Kind::Stopped, 1s, 5}, {})["end"].dump(),
             "\"stopped\""s);
}

void TestKeyCapture::theSameCallNamesTheServerOfTheLock()
{
    using inspect::LockId;
    std::vector<store::Endpoint> servers(2);
    servers[1].host = "10.0.0.6";
    servers[1].password = "s3cret";
    QCOMPARE(captureCommandLine(servers, {1, "job:lock"}, 5s),
             "lockscope-cli who --for 5s --url redis://10.0.0.6:6379 job:lock"s);
    QCOMPARE(captureCommandLine(servers, {LockId::kWholeSet, "job:lock"}, 10s),
             "lockscope-cli who --for 10s --url redis://127.0.0.1:6379 job:lock"s);
    QCOMPARE(captureCommandLine({}, {0, "my lock"}, 5s), "lockscope-cli who --for 5s 'my lock'"s);
    QCOMPARE(captureCommandLine({}, {0, "--help"}, 5s), "lockscope-cli who --for 5s -- --help"s);
}

LOCKSCOPE_TEST(TestKeyCapture, Core)

} // namespace lockscope::tst_key_capture

#include "tst_key_capture.moc"
