#include "core/wire/system_alert_hooks.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_system_alert_hooks {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using service::HookFailure;
using wire::SystemAlertHooks;

namespace {

/// The failures, with the alerts.
struct Heard {
    QStringList alerts;
    std::vector<HookFailure> failures;

    explicit Heard(const SystemAlertHooks& hooks)
    {
        QObject::connect(&hooks, &SystemAlertHooks::failed, &hooks,
                         [this](const QString& alert, const HookFailure& failure) {
                             alerts += alert;
                             failures.push_back(failure);
                         });
    }
};

/// A web server on this machine that takes one request at a time and gives one answer.
class Receiver : public QTcpServer {
public:
    QByteArray request;

    explicit Receiver(const QByteArray& answer)
    {
        listen(QHostAddress::LocalHost);
        connect(this, &QTcpServer::newConnection, this, [this, answer] {
            QTcpSocket* socket = nextPendingConnection();
            connect(socket, &QTcpSocket::readyRead, this, [this, socket, answer] {
                request += socket->readAll();
                if (request.endsWith('}') && !answer.isEmpty()) {
                    socket->write(answer);
                    socket->disconnectFromHost();
                }
            });
        });
    }
    QUrl url() const { return QUrl(u"http://127.0.0.1:%1/hook"_s.arg(serverPort())); }
};

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestSystemAlertHooks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aProgramGetsItsWordsAndVariablesAsTheyAre()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"said"_s);
        SystemAlertHooks hooks;
        const Heard heard(hooks);
        // The key is nasty on purpose: whoever reads it as a shell does more than print it.
        const QString nasty = u"a'; touch \"%1/pwned\" $(id) `id`\nb"_s.arg(folder.path());
        hooks.run(u"queue"_s,
                  {u"/bin/sh"_s, u"-c"_s, u"printf '%s|%s' \"$LOCKSCOPE_KEY\" \"$1\" > \"$2\""_s,
                   u"sh"_s, u"$HOME; id"_s, path},
                  {{u"LOCKSCOPE_KEY"_s, nasty}});
        QTRY_COMPARE(contentOf(path), (nasty + u"|$HOME; id"_s).toUtf8());
        QVERIFY(!QFile::exists(folder.filePath(u"pwned"_s)));
        QVERIFY(heard.failures.empty());
    }

    void whatDoesNotGoWellIsTold()
    {
        SystemAlertHooks hooks({100ms, 10s});
        const Heard heard(hooks);
        hooks.run(u"a"_s, {u"/nowhere/at-all"_s}, {});
        QVERIFY(heard.failures.empty()); // never from within the call
        QTRY_COMPARE(heard.failures.size(), std::size_t(1));
        QCOMPARE(heard.failures[0].kind, HookFailure::Kind::NotStarted);
        QVERIFY(!heard.failures[0].detail.isEmpty());
        hooks.run(u"b"_s, {u"/bin/sh"_s, u"-c"_s, u"exit 3"_s}, {});
        QTRY_COMPARE(heard.failures.size(), std::size_t(2));
        QCOMPARE(heard.failures[1], (HookFailure{HookFailure::Kind::ExitStatus, 3}));
        hooks.run(u"c"_s, {u"/bin/sleep"_s, u"60"_s}, {});
        QTRY_COMPARE(heard.failures.size(), std::size_t(3));
        QCOMPARE(heard.failures[2].kind, HookFailure::Kind::TimedOut);
        QCOMPARE(heard.alerts, (QStringList{u"a"_s, u"b"_s, u"c"_s}));
    }

    void thereIsAnEndToHowManyRun()
    {
        SystemAlertHooks hooks;
        const Heard heard(hooks);
        for (int i = 0; i <= SystemAlertHooks::kAtOnce; ++i) {
            hooks.run(QString::number(i), {u"/bin/sleep"_s, u"60"_s}, {});
        }
        QTRY_COMPARE(heard.failures.size(), std::size_t(1));
        QCOMPARE(heard.failures[0].kind, HookFailure::Kind::TooMany);
        QCOMPARE(heard.alerts, QStringList{QString::number(SystemAlertHooks::kAtOnce)});
    }

    void theJsonIsPosted()
    {
        Receiver receiver("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n");
        SystemAlertHooks hooks;
        const Heard heard(hooks);
        hooks.post(u"queue"_s, receiver.url(), R"({"alert":"queue"})");
        QTRY_VERIFY(receiver.request.endsWith(R"({"alert":"queue"})"));
        QVERIFY(receiver.request.startsWith("POST /hook HTTP/1.1\r\n"));
        QVERIFY(receiver.request.toLower().contains("content-type: application/json"));
        hooks.run(u"last"_s, {u"/nowhere"_s}, {});
        QTRY_COMPARE(heard.alerts, QStringList{u"last"_s}); // and nothing of the request
    }

    void aRefusalASilenceAndAClosedDoorAreTold()
    {
        SystemAlertHooks hooks({30s, 200ms});
        const Heard heard(hooks);
        const Receiver refusing("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n"
                                "Content-Length: 0\r\n\r\n");
        hooks.post(u"a"_s, refusing.url(), "{}");
        QTRY_COMPARE(heard.failures.size(), std::size_t(1));
        QCOMPARE(heard.failures[0], (HookFailure{HookFailure::Kind::HttpStatus, 302}));
        const Receiver silent("");
        hooks.post(u"b"_s, silent.url(), "{}");
        QTRY_COMPARE(heard.failures.size(), std::size_t(2));
        QCOMPARE(heard.failures[1].kind, HookFailure::Kind::TimedOut);
        Receiver closed("");
        const QUrl url = closed.url();
        closed.close();
        hooks.post(u"c"_s, url, "{}");
        QTRY_COMPARE(heard.failures.size(), std::size_t(3));
        QCOMPARE(heard.failures[2].kind, HookFailure::Kind::NotSent);
    }
};

LOCKSCOPE_TEST(TestSystemAlertHooks, Core)

} // namespace lockscope::tst_system_alert_hooks

#include "tst_system_alert_hooks.moc"
