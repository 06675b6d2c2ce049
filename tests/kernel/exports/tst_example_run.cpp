#include "core/kernel/exports/example_run.h"
#include "core/kernel/search/default_plans.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_example_run {

class TestExampleRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anExampleIsReplayedAndRecorded();
    void whatIsOfAnotherEngineIsRefused();
};

namespace {

/// Steps that break nothing.
report::CounterexampleFile someExample()
{
    report::CounterexampleFile example;
    example.protocol = report::SavedProtocol::builtin("set-nx-px-token");
    example.plan =
        search::defaultPlans(example.protocol.info(), world::FaultKind::Interleaving).front();
    example.steps = {world::Step::serve(0, 0, world::LinkRole::Commands)};
    return example;
}

} // namespace

void TestExampleRun::anExampleIsReplayedAndRecorded()
{
    const auto read = exports::replayed(someExample(), "a.json");
    const auto* const run = std::get_if<report::RunFile>(&read);
    QVERIFY(run != nullptr);
    QCOMPARE(run->mode, std::string("replay"));
    QVERIFY(!run->events.empty() && !run->messages.empty());
    QCOMPARE(run->promises.size(), static_cast<std::size_t>(protocol::Promise::PromiseCount));
    QVERIFY(run->story.empty() || !run->story.back().isViolation); // it did not happen
}

void TestExampleRun::whatIsOfAnotherEngineIsRefused()
{
    report::CounterexampleFile example = someExample();
    ++example.engineRevision;
    const auto read = exports::replayed(example, "a.json");
    QVERIFY(std::get<std::string>(read).starts_with("a.json was saved by revision"));
}

LOCKSCOPE_TEST(TestExampleRun, None)

} // namespace lockscope::tst_example_run

#include "tst_example_run.moc"
