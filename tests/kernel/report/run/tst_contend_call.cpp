#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/run/contend_call.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_contend_call {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestContendCall : public QObject {
    Q_OBJECT

    static workload::LiveRunOrder order(const char* id)
    {
        workload::LiveRunOrder order;
        const protocol::LockProtocol* protocol = protocol::findProtocol(id);
        order.protocol = std::shared_ptr<const protocol::LockProtocol>(
            std::shared_ptr<const protocol::LockProtocol>(), protocol);
        order.scenario = workload::Scenario::withDefaults(protocol->info());
        return order;
    }

    static QString callOf(const workload::LiveRunOrder& order, const char* protocolFile = "")
    {
        return QString::fromStdString(report::contendCall(order, protocolFile));
    }

private Q_SLOTS:
    void defaultsAreLeftOut()
    {
        QCOMPARE(callOf(order("set-nx-px-token")),
                 u"lockscope-cli contend --protocol set-nx-px-token --clients 10 --for 10s "
                 "--seed 1 --private 1"_s);
    }

    void everythingElseIsSaid()
    {
        workload::LiveRunOrder run = order("redisson-lock");
        workload::Scenario& scenario = run.scenario;
        scenario.kind = workload::Scenario::Kind::HotStandby;
        scenario.contenderCount = 200;
        scenario.keyCount = 3;
        scenario.think = workload::Distribution::constant(1ms);
        scenario.hold = workload::Distribution::uniform(5ms, 20ms);
        scenario.lease = 2s;
        scenario.waitLimit = 5s;
        scenario.retry.interval = 50ms;
        scenario.renewal.period = Duration(0);
        scenario.reentryDepth = 2;
        scenario.crashProbability = 0.01;
        scenario.pauseProbability = 0.05;
        scenario.pauseFor = 3s;
        scenario.duration = 1min;
        scenario.seed = 7;
        run.threadCount = 4;
        run.privateServerCount = 1;
        QCOMPARE(callOf(run),
                 u"lockscope-cli contend --protocol redisson-lock --clients 200 --for 1m "
                 "--kind hot-standby --keys 3 --think 1ms --hold 5ms..20ms --lease 2s --wait 5s "
                 "--retry 50ms --renew off --depth 2 --crash 1% --pause 5% --pause-for 3s "
                 "--seed 7 --threads 4 --private 1"_s);
    }

    void serversAreNamedWithoutTheirPasswords()
    {
        workload::LiveRunOrder run = order("set-nx-px-token");
        store::Endpoint endpoint;
        endpoint.host = "10.0.0.5";
        endpoint.password = "s3cret";
        run.servers = {endpoint};
        const QString command = callOf(run);
        QVERIFY(command.endsWith(u"--seed 1 --url redis://10.0.0.5:6379/0"_s)
                || command.endsWith(u"--seed 1 --url redis://10.0.0.5:6379"_s));
        QVERIFY(!command.contains(u"s3cret"_s));
    }

    void wordsAreQuotedForTheShell()
    {
        workload::LiveRunOrder run = order("set-nx-px-token");
        store::Endpoint endpoint;
        endpoint.transport = store::Endpoint::Transport::UnixSocket;
        endpoint.socketPath = "/tmp/my redis.sock";
        endpoint.database = 2;
        run.servers = {endpoint};
        run.scenario.hold = workload::Distribution::exponential(10ms);
        const QString command = callOf(run);
        QVERIFY2(command.contains(u"--hold '~10ms'"_s), qPrintable(command)); // else a home folder
        QVERIFY2(command.contains(u"--url 'unix:///tmp/my"_s), qPrintable(command));
    }

    void anOwnProtocolIsReadFromItsFile()
    {
        QVERIFY(callOf(order("set-nx-ex"), "/home/me/my lock.json")
                    .startsWith(u"lockscope-cli contend --protocol-file '/home/me/my lock.json' "
                                "--protocol set-nx-ex "_s));
    }

    void retriesAreSaid()
    {
        using protocol::Retry;
        workload::LiveRunOrder run = order("set-nx-px-token");
        QVERIFY(!callOf(run).contains(u"retry"_s));
        Retry& retry = run.scenario.retry;
        retry.kind = Retry::Kind::Exponential;
        retry.interval = 10ms;
        retry.intervalMax = 2s;
        retry.jitter = 5ms;
        retry.triesMax = 7;
        QVERIFY2(callOf(run).contains(u"--retry 10ms --retry-max 2s --jitter 5ms --tries 7 "_s),
                 qPrintable(callOf(run)));
    }

    void whatAProtocolDoesByItselfCanBeSwitchedOff()
    {
        using protocol::Retry;
        for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
            workload::LiveRunOrder run = order(protocol->info().id.c_str());
            Retry& retry = run.scenario.retry;
            const Retry usual = retry;
            retry.kind = usual.kind == Retry::Kind::Fixed ? Retry::Kind::Exponential
                                                          : Retry::Kind::Fixed;
            retry.intervalMax = 2 * retry.interval;
            QVERIFY(callOf(run).contains(u"--retry-max "_s));
            retry = usual;
            retry.triesMax.reset();
            QCOMPARE(callOf(run).contains(u"--tries 0"_s), usual.triesMax.has_value());
        }
    }
};

LOCKSCOPE_TEST(TestContendCall, Core)

} // namespace lockscope::tst_contend_call

#include "tst_contend_call.moc"
