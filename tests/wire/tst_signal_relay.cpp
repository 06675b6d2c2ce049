#include "core/wire/signal_relay.h"
#include "tests/support/test_program.h"

#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace lockscope::tst_signal_relay {

using namespace Qt::StringLiterals;
using wire::SignalRelay;

class TestSignalRelay final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void signalsAreReportedInTheirOrder()
    {
        const SignalRelay relay({SIGTERM, SIGUSR1});
        QSignalSpy received(&relay, &SignalRelay::received);
        QCOMPARE(::raise(SIGUSR1), 0);
        QCOMPARE(::raise(SIGTERM), 0);
        QTRY_COMPARE(received.count(), 2);
        QCOMPARE(received[0][0].toInt(), SIGUSR1);
        QCOMPARE(received[1][0].toInt(), SIGTERM);
    }

    void afterwardsSignalsDoWhatTheyDid()
    {
        const auto before = ::signal(SIGTERM, SIG_IGN);
        {
            const SignalRelay relay({SIGTERM});
        }
        QCOMPARE(::raise(SIGTERM), 0); // would end this program
        QVERIFY(::signal(SIGTERM, before) == SIG_IGN);
    }

    void aHangupThatTheCallerIgnoresStaysIgnored()
    {
        const auto before = ::signal(SIGHUP, SIG_IGN);
        {
            const SignalRelay relay({SIGHUP, SIGUSR1});
            QSignalSpy received(&relay, &SignalRelay::received);
            QCOMPARE(::raise(SIGHUP), 0);
            QCOMPARE(::raise(SIGUSR1), 0);
            QTRY_COMPARE(received.count(), 1);
            QCOMPARE(received[0][0].toInt(), SIGUSR1);
        }
        ::signal(SIGHUP, before);
    }

    void startedProgramsAreNotAffected()
    {
        const SignalRelay relay({SIGTERM});
        QProcess program;
        program.start(u"sh"_s, {u"-c"_s, u"kill -TERM $$; sleep 60"_s});
        QVERIFY(program.waitForFinished(30'000));
        QCOMPARE(program.exitStatus(), QProcess::CrashExit);
    }

    void signalsOfAForkedProcessAreNotOurs()
    {
        const SignalRelay relay({SIGTERM, SIGUSR1});
        QSignalSpy received(&relay, &SignalRelay::received);
        const pid_t process = ::fork();
        if (process == 0) {
            ::raise(SIGTERM);
            ::_exit(0);
        }
        ::waitpid(process, nullptr, 0);
        QCOMPARE(::raise(SIGUSR1), 0);
        QTRY_COMPARE(received.count(), 1);
        QCOMPARE(received[0][0].toInt(), SIGUSR1);
    }
};

LOCKSCOPE_TEST(TestSignalRelay, Core)

} // namespace lockscope::tst_signal_relay

#include "tst_signal_relay.moc"
