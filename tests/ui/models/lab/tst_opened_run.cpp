#include "core/kernel/report/run/counterexample_file.h"
#include "core/kernel/search/default_plans.h"
#include "tests/support/test_program.h"
#include "ui/models/lab/run_record.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_opened_run {

using namespace Qt::StringLiterals;
using models::openedRun;
using world::FaultKind;

class TestOpenedRun : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString written(const std::string& text) const
    {
        const QString path = m_folder.filePath(u"it's a file.json"_s);
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text.data(), qint64(text.size())) >= 0
                   ? path
                   : QString();
    }
    QString complaintAbout(const std::string& text) const
    {
        const auto opened = openedRun(written(text));
        const auto* const complaint = std::get_if<QString>(&opened);
        return complaint != nullptr ? *complaint : QString();
    }

private Q_SLOTS:
    void aRunFileIsRead();
    void aCounterexampleIsReplayed();
    void whatIsNoRunIsRefused();
    void scenariosAreTold();
};

void TestOpenedRun::scenariosAreTold()
{
    QVERIFY(models::isScenarioFile(written(R"({"plan": {"clients": []}})")));
    QVERIFY(!models::isScenarioFile(written(R"({"format": "lockscope-counterexample"})")));
    QVERIFY(!models::isScenarioFile(written("not even JSON")));
    QVERIFY(!models::isScenarioFile(u"/no/such/file.json"_s));
    // What is wrong with one is said by who reads it.
    QVERIFY(models::isScenarioFile(u"/no/such/file.scenario.json"_s));
}

void TestOpenedRun::aRunFileIsRead()
{
    report::RunFile run;
    run.protocol = report::SavedProtocol::builtin("set-nx-ex");
    run.mode = "contend";
    run.labels.contenders = {"A"};
    const auto opened = openedRun(written(report::runFileText(run)));
    const auto* const file = std::get_if<models::OpenedRun>(&opened);
    QVERIFY(file != nullptr);
    QVERIFY(!file->example);
    const report::RunFile* const read = &file->run;
    QCOMPARE(read->labels.contender(0), std::string("A"));
    QVERIFY(read->command.starts_with("lockscope-cli replay '"));
    run.command = "lockscope-cli contend --protocol set-nx-ex";
    const auto known = openedRun(written(report::runFileText(run)));
    QCOMPARE(std::get<models::OpenedRun>(known).run.command, run.command);
}

void TestOpenedRun::aCounterexampleIsReplayed()
{
    report::CounterexampleFile example;
    example.protocol = report::SavedProtocol::builtin("set-nx-px-token");
    example.plan = search::defaultPlans(example.protocol.info(), FaultKind::Interleaving).front();
    example.steps = {world::Step::serve(0, 0, world::LinkRole::Commands)};
    const auto opened = openedRun(written(report::counterexampleText(example)));
    const auto* const replayed = std::get_if<models::OpenedRun>(&opened);
    QVERIFY(replayed != nullptr);
    QVERIFY(replayed->example && replayed->example->steps == example.steps);
    const report::RunFile* const run = &replayed->run;
    QCOMPARE(run->promises.size(), std::size_t(protocol::Promise::PromiseCount));
    QVERIFY(!run->events.empty());
    QVERIFY(run->command.starts_with("lockscope-cli replay '"));
    ++example.engineRevision;
    QVERIFY(complaintAbout(report::counterexampleText(example)).contains(u"revision"_s));
}

void TestOpenedRun::whatIsNoRunIsRefused()
{
    QVERIFY(complaintAbout("not even JSON").contains(u"line 1"_s));
    QVERIFY(!complaintAbout("{}").isEmpty());
    const auto missing = openedRun(u"/no/such/file"_s);
    QVERIFY(std::get<QString>(missing).startsWith(u"Could not read /no/such/file"_s));
}

LOCKSCOPE_TEST(TestOpenedRun, Core)

} // namespace lockscope::tst_opened_run

#include "tst_opened_run.moc"
