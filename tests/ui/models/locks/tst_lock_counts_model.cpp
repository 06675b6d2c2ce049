#include "core/kernel/base/rng.h"
#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/lock_counts_model.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QTest>

#include <map>

namespace lockscope::tst_lock_counts_model {

using namespace lockscope::models;
using inspect::LockPtr;
using test::MadeLock;

namespace {

struct Fixture {
    LockCountsModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};

    void add(const LockPtr& lock) { model.apply({{nullptr, lock}}); }
    void replace(const LockPtr& before, const LockPtr& after) { model.apply({{before, after}}); }
    void remove(const LockPtr& lock) { model.apply({{lock, nullptr}}); }
};

/// "state:held=3 format:token=3 key:order:*=2": the lines that count something.
QString countsOf(const LockCountsModel& model)
{
    QStringList words;
    for (int row = 0; row < model.rowCount(); ++row) {
        const QModelIndex index = model.index(row);
        const qint64 count = index.data(LockCountsModel::CountRole).toLongLong();
        if (count != 0) {
            words.append(index.data(LockCountsModel::FilterRole).toString() + u'='
                         + QString::number(count));
        }
    }
    return words.join(u' ');
}

} // namespace

class TestLockCountsModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void prefixesEndAtTheFirstSeparator_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("prefix");
        QTest::newRow("colon") << QStringLiteral("order:42:lock") << QStringLiteral("order:");
        QTest::newRow("dot") << QStringLiteral("a.b:c") << QStringLiteral("a.");
        QTest::newRow("slash") << QStringLiteral("jobs/nightly") << QStringLiteral("jobs/");
        QTest::newRow("none") << QStringLiteral("lockkey") << QString();
        QTest::newRow("late") << QString(60, u'x') + u':' << QString();
        QTest::newRow("at once") << QStringLiteral(":a") << QStringLiteral(":");
    }
    void prefixesEndAtTheFirstSeparator()
    {
        QFETCH(QString, key);
        QFETCH(QString, prefix);
        QCOMPARE(QString::fromStdString(std::string(prefixOf(key.toStdString()))), prefix);
    }

    void whatIsProbablyDataIsNotCounted()
    {
        Fixture f;
        inspect::LockRecord data = *MadeLock("user:1:locked").ptr();
        data.flags.add(inspect::Flag::ProbablyData);
        const auto aside = makeShared<const inspect::LockRecord>(data);
        f.add(aside);
        QCOMPARE(countsOf(f.model), QString());
        f.remove(aside);
        f.add(MadeLock("order:1").ptr());
        QVERIFY(countsOf(f.model).startsWith(QStringLiteral("state:held=1 ")));
    }

    void aFormatOfTheUserHasItsTitle()
    {
        auto format = std::get<inspect::FormatFile>(inspect::readFormatFile(R"({
            "id": "acme-job", "library": "Acme", "title": "Acme job runner", "summary": "A job.",
            "keys": ["acme:*"], "values": ["{text}"], "confidence": "high"})"));
        Fixture f;
        f.add(MadeLock("acme:1").format("acme-job").ptr());
        const auto titles = [&f] {
            QStringList all;
            for (int row = 0; row < f.model.rowCount(); ++row) {
                all += f.model.index(row).data().toString();
            }
            return all;
        };
        QVERIFY(titles().contains(QStringLiteral("acme-job")));
        f.model.setFormats(std::make_shared<const inspect::FormatTable>(
            std::vector<inspect::FormatFile>{std::move(format)}, std::vector<inspect::Treatment>(),
            nullptr));
        QVERIFY(titles().contains(QStringLiteral("Acme job runner")));
    }

    void countsFollowTheLocks()
    {
        Fixture f;
        const LockPtr calm = MadeLock("order:1").ptr();
        const LockPtr busy = MadeLock("order:1").waiters(2).ptr();
        f.add(calm);
        f.add(MadeLock("job:1").format("flag").flag(inspect::Flag::NoExpiry).ptr());
        QCOMPARE(countsOf(f.model), QStringLiteral("state:suspicious=1 state:held=1 format:flag=1 "
                                                   "format:token=1 key:job:*=1 key:order:*=1"));
        f.replace(calm, busy);
        QVERIFY(countsOf(f.model).contains(u"state:contended=1"));
        QVERIFY(!countsOf(f.model).contains(u"state:held"));
        f.remove(busy);
        QCOMPARE(countsOf(f.model), QStringLiteral("state:suspicious=1 format:flag=1 key:job:*=1"));
    }

    void headingsCannotBeSelected()
    {
        Fixture f;
        QVERIFY(f.model.index(0).data(LockCountsModel::IsHeadingRole).toBool());
        QVERIFY(!f.model.flags(f.model.index(0)).testFlag(Qt::ItemIsSelectable));
        QVERIFY(f.model.flags(f.model.index(1)).testFlag(Qt::ItemIsSelectable));
    }

    void aLineThatMovesUpKeepsItsIndex()
    {
        Fixture f;
        f.add(MadeLock("a:1").ptr());
        f.add(MadeLock("a:2").ptr());
        f.add(MadeLock("b:1").ptr());
        const QPersistentModelIndex b = f.model.index(f.model.rowCount() - 1);
        QCOMPARE(b.data().toString(), QStringLiteral("b:"));
        f.add(MadeLock("b:2").ptr());
        f.add(MadeLock("b:3").ptr());
        QCOMPARE(b.row(), f.model.rowCount() - 2);
        QCOMPARE(b.data(LockCountsModel::CountRole).toInt(), 3);
    }

    void onlyTheLargestPrefixesAreShown()
    {
        Fixture f;
        for (int prefix = 0; prefix < 30; ++prefix) {
            for (int i = 0; i <= prefix; ++i) {
                f.add(MadeLock(std::to_string(prefix) + ":" + std::to_string(i)).ptr());
            }
        }
        QCOMPARE(countsOf(f.model).count(u"key:"), LockCountsModel::kPrefixesAtMost);
        QVERIFY(countsOf(f.model).contains(u"key:29:*=30"));
        QVERIFY(!countsOf(f.model).contains(u"key:1:*"));
    }

    void aPrefixWithSpacesIsQuoted()
    {
        Fixture f;
        f.add(MadeLock("my lock:1").ptr());
        QVERIFY2(countsOf(f.model).contains(u"key:\"my lock:\"*=1"), qPrintable(countsOf(f.model)));
    }

    void anyHistoryCountsWhatIsThere()
    {
        Rng rng(test::announcedSeed(5));
        Fixture f;
        std::map<std::string, LockPtr> held;
        for (int step = 0; step < 400; ++step) {
            const std::string key = std::to_string(rng.below(15)) + ":"
                                    + std::to_string(rng.below(4));
            const LockPtr before = held.contains(key) ? held[key] : nullptr;
            if (before != nullptr && rng.below(2) == 0) {
                f.remove(before);
                held.erase(key);
                continue;
            }
            const LockPtr after = MadeLock(key)
                                      .waiters(static_cast<int>(rng.below(2)))
                                      .format(rng.below(2) == 0 ? "token" : "flag")
                                      .ptr();
            f.replace(before, after);
            held[key] = after;
        }
        Fixture fresh;
        for (const auto& [key, lock] : held) {
            fresh.add(lock);
        }
        QCOMPARE(countsOf(f.model), countsOf(fresh.model));
    }
};

LOCKSCOPE_TEST(TestLockCountsModel, Core)

} // namespace lockscope::tst_lock_counts_model

#include "tst_lock_counts_model.moc"
