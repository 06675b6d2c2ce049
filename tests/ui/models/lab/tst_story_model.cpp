#include "tests/support/test_program.h"
#include "ui/models/lab/story_model.h"

#include <QAbstractItemModelTester>
#include <QTest>

namespace lockscope::tst_story_model {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

std::vector<search::StoryLine> sampleStory()
{
    return {{Instant(0s), 0, "A sends SET k 1", false, 1},
            {Instant(1s), 1, "A is paused", false, 2},
            {Instant(1s), 2, "the key expires", false, 0},
            {Instant(12345ms), 3, "A and B both hold k", true, 3}};
}

} // namespace

class TestStoryModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesHaveTimesAndTheViolationIsMarked();
    void aTimeFindsTheLastLineThatIsNotLater();
    void theTextIsNumbered();
    void theTurningPointIsMarkedUntilTheNextStory();
};

void TestStoryModel::linesHaveTimesAndTheViolationIsMarked()
{
    StoryModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.show(sampleStory());
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.index(3).data().toString(), u"A and B both hold k"_s);
    QCOMPARE(model.index(3).data(StoryModel::TimeRole).toString(), u"12.345 s"_s);
    QVERIFY(model.index(3).data(StoryModel::IsViolationRole).toBool());
    QVERIFY(!model.index(0).data(StoryModel::IsViolationRole).toBool());
    QCOMPARE(model.index(1).data(Qt::AccessibleTextRole).toString(),
             u"2. At 1.000 s: A is paused"_s);
    QVERIFY(model.timeAt(3) == Instant(12345ms));
    model.show({});
    QCOMPARE(model.rowCount(), 0);
}

void TestStoryModel::aTimeFindsTheLastLineThatIsNotLater()
{
    StoryModel model;
    QCOMPARE(model.rowAt(Instant(1s)), -1);
    model.show(sampleStory());
    QCOMPARE(model.rowAt(Instant(0s)), 0);
    QCOMPARE(model.rowAt(Instant(1s)), 2);
    QCOMPARE(model.rowAt(Instant(99s)), 3);
    QCOMPARE(model.rowAt(Instant(-1s)), -1);
}

void TestStoryModel::theTextIsNumbered()
{
    StoryModel model;
    model.show(sampleStory());
    const QStringList lines = model.text().trimmed().split(u'\n');
    QCOMPARE(lines.size(), 4);
    QVERIFY2(lines[0].trimmed().startsWith(u"1. "_s), qPrintable(lines[0]));
    QVERIFY(lines[3].contains(u"A and B both hold k"_s));
}

void TestStoryModel::theTurningPointIsMarkedUntilTheNextStory()
{
    StoryModel model;
    const QAbstractItemModelTester tester(&model);
    model.show(sampleStory());
    model.setTurningPoint({1, 100, 10});
    QVERIFY(model.index(0).data(StoryModel::TurningPointRole).toString().isEmpty());
    const QString text = model.index(1).data(StoryModel::TurningPointRole).toString();
    QVERIFY(text.contains(u"all of 100 random continuations"_s) && text.contains(u"10 of 100"_s));
    QVERIFY(model.index(1).data(Qt::ToolTipRole).toString().endsWith(text));
    model.setTurningPoint({7, 100, 10}); // of another story
    QVERIFY(!model.index(1).data(StoryModel::TurningPointRole).toString().isEmpty());
    model.show(sampleStory());
    QVERIFY(model.index(1).data(StoryModel::TurningPointRole).toString().isEmpty());
}

LOCKSCOPE_TEST(TestStoryModel, Core)

} // namespace lockscope::tst_story_model

#include "tst_story_model.moc"
