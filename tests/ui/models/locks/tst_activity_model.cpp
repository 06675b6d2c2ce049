#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/activity_model.h"

#include <QAbstractItemModelTester>
#include <QTest>

namespace lockscope::tst_activity_model {

using namespace lockscope::models;
using namespace std::chrono_literals;
using inspect::ChangeKind;
using test::columnTexts;
using test::deltaOf;
using test::MadeLock;

namespace {

struct Fixture {
    ActivityModel model{[](Instant instant) {
        return WallTime(
            std::chrono::duration_cast<std::chrono::milliseconds>(instant.time_since_epoch()));
    }};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};

    QStringList kinds() const { return columnTexts(model, ActivityModel::KindColumn); }
};

ActivityEntry entry(int number)
{
    ActivityEntry entry;
    entry.kind = ActivityKind::Connection;
    entry.text = QString::number(number);
    return entry;
}

} // namespace

class TestActivityModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsWhatHappenedToALock()
    {
        Fixture f;
        const Instant at(1h);
        f.model.apply(deltaOf(ChangeKind::Appeared,
                              {MadeLock("a").owner("x").firstSeen(at).takenWhileWatching().ptr()},
                              at));
        f.model.apply(deltaOf(
            ChangeKind::Changed,
            {MadeLock("a").owner("y").firstSeen(at + 2s).takenWhileWatching().ptr()}, at + 2s));
        f.model.apply(deltaOf(
            ChangeKind::Released,
            {MadeLock("a").owner("y").firstSeen(at + 2s).takenWhileWatching().ptr()}, at + 5s));
        f.model.apply(deltaOf(ChangeKind::Expired, {MadeLock("b").owner("z").firstSeen(at).ptr()},
                              at + 5s));
        QCOMPARE(f.kinds(), QStringList({QStringLiteral("taken"), QStringLiteral("handed over"),
                                         QStringLiteral("released"), QStringLiteral("expired")}));
        QCOMPARE(columnTexts(f.model, ActivityModel::TextColumn),
                 QStringList({QStringLiteral("by x"), QStringLiteral("to y"),
                              QStringLiteral("by y, held 3.0 s"),
                              QStringLiteral("of z, held ≥ 5.0 s")}));
        QCOMPARE(f.model.entryAt(2).at, wallTimeOfMs(3'605'000));
        QCOMPARE(f.model.index(0, 0).data(ActivityModel::LockIdRole).value<inspect::LockId>().name,
                 std::string("a"));
    }

    void theLatestLinesOfOneLockAreItsHistory()
    {
        Fixture f;
        const Instant at(1h);
        const auto a = MadeLock("a").owner("x").firstSeen(at).takenWhileWatching().ptr();
        f.model.apply(deltaOf(ChangeKind::Appeared, {a}, at));
        f.model.apply(deltaOf(ChangeKind::Expired, {MadeLock("b").owner("z").ptr()}, at + 1s));
        f.model.apply(deltaOf(ChangeKind::Released, {a}, at + 2s));
        const QStringList lines = f.model.linesOf(a->id, 10);
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines[0].endsWith(u"  taken  by x"), qPrintable(lines[0]));
        QVERIFY2(lines[1].endsWith(u"  released  by x, held 2.0 s"), qPrintable(lines[1]));
        QCOMPARE(f.model.linesOf(a->id, 1), lines.mid(1));
        QVERIFY(f.model.linesOf(MadeLock("c").ptr()->id, 10).isEmpty());
    }

    void whatIsNotWatchedAnyMoreWasNotReleased()
    {
        Fixture f;
        f.model.apply(deltaOf(ChangeKind::Unwatched,
                              {MadeLock("a").owner("x").takenWhileWatching().ptr()}, Instant(1h)));
        QVERIFY(f.kinds().isEmpty());
    }

    void renewalsAndTheFirstLookAreNoNews()
    {
        Fixture f;
        const Instant at(1h);
        f.model.apply(deltaOf(ChangeKind::Appeared, {MadeLock("a").firstSeen(at).ptr()}, at));
        f.model.apply(deltaOf(ChangeKind::Renewed,
                              {MadeLock("a").firstSeen(at).takenWhileWatching().ptr()}, at));
        f.model.apply(deltaOf(ChangeKind::Changed,
                              {MadeLock("a").firstSeen(at - 1s).takenWhileWatching().ptr()}, at));
        QCOMPARE(f.model.rowCount(), 0);
    }

    void whatConcernsNoLockNamesItsServer()
    {
        Fixture f;
        ActivityEntry lost = entry(1);
        lost.place = QStringLiteral("10.0.0.5:6379");
        f.model.append(lost);
        QCOMPARE(columnTexts(f.model, ActivityModel::KeyColumn),
                 QStringList{QStringLiteral("10.0.0.5:6379")});
    }

    void theOldestEntriesMakeRoom()
    {
        Fixture f;
        std::vector<ActivityEntry> entries;
        for (int i = 0; i < ActivityModel::kEntriesAtMost; ++i) {
            entries.push_back(entry(i));
        }
        f.model.append(std::move(entries));
        QCOMPARE(f.model.rowCount(), ActivityModel::kEntriesAtMost);
        f.model.append(entry(ActivityModel::kEntriesAtMost));
        QVERIFY(f.model.rowCount() < ActivityModel::kEntriesAtMost);
        QCOMPARE(f.model.entryAt(f.model.rowCount() - 1).text,
                 QString::number(ActivityModel::kEntriesAtMost));
        QCOMPARE(f.model.entryAt(0).text.toInt(),
                 ActivityModel::kEntriesAtMost + 1 - f.model.rowCount());
    }

    void ofTooManyAtOnceTheLatestStay()
    {
        Fixture f;
        f.model.append(entry(-1));
        std::vector<ActivityEntry> entries;
        for (int i = 0; i < ActivityModel::kEntriesAtMost + 5; ++i) {
            entries.push_back(entry(i));
        }
        f.model.append(std::move(entries));
        QCOMPARE(f.model.rowCount(), ActivityModel::kEntriesAtMost);
        QCOMPARE(f.model.entryAt(0).text, QStringLiteral("5"));
        f.model.clear();
        QCOMPARE(f.model.rowCount(), 0);
    }
};

LOCKSCOPE_TEST(TestActivityModel, Core)

} // namespace lockscope::tst_activity_model

#include "tst_activity_model.moc"
