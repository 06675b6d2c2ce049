#include "app/cli/output/lock_table.h"
#include "core/kernel/report/lock_fields.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"

#include <QCompleter>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <set>

namespace lockscope::tst_lock_fields {

using namespace std::chrono_literals;
using report::LockField;

namespace {

constexpr Instant kNow = Instant(1000s);

/// Of which every field has something unusual to say.
inspect::LockRecord unusualLock()
{
    inspect::LockRecord record;
    record.id = {inspect::LockId::kWholeSet, "job:1"};
    record.setFormat("redlock");
    record.setLibrary("Redlock");
    record.mode = inspect::Mode::Read;
    record.flags.add(inspect::Flag::Stale);
    record.holders.resize(2);
    record.holders.front().owner = "me";
    record.expiresAt = kNow + 30s;
    record.waiters = 4;
    record.seldom->quorum = {2, 3};
    record.place = makeShared<const inspect::ClusterPlace>(inspect::ClusterPlace{1234,
                                                                                 "10.0.0.7:7000"});
    return record;
}

QString nameOf(const LockField& field)
{
    const std::string title = field.hasColumn() ? field.column.title() : std::string();
    for (const std::string_view name :
         {std::string_view(title), field.filter.name, field.json.name, field.csv.name}) {
        if (!name.empty()) {
            return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
        }
    }
    return {};
}

std::vector<const LockField*> terminalFields()
{
    std::vector<const LockField*> fields;
    for (const LockField& field : report::lockFields()) {
        if (field.hasTerminal()) {
            fields.push_back(&field);
        }
    }
    std::ranges::sort(fields, {}, [](const LockField* f) { return f->terminal.place; });
    return fields;
}

} // namespace

/// Walks over all fields of a lock, so that a new one is proved by being there.
class TestLockFields : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyFieldIsWhereItSays_data()
    {
        QTest::addColumn<int>("index");
        for (int i = 0; i < std::ssize(report::lockFields()); ++i) {
            const LockField& field = report::lockFields()[static_cast<std::size_t>(i)];
            QTest::addRow("%d %s", i, qPrintable(nameOf(field))) << i;
        }
    }

    void everyFieldIsWhereItSays()
    {
        QFETCH(int, index);
        const LockField& field = report::lockFields()[static_cast<std::size_t>(index)];
        const inspect::LockRecord lock = unusualLock();
        if (field.hasColumn()) {
            checkWindow(field, lock);
        }
        if (field.hasTerminal()) {
            const std::string table = cli::lockTable(
                std::vector{makeShared<const inspect::LockRecord>(lock)}, {"a", "b"}, kNow, 500);
            QVERIFY(table.find(field.terminal.title) != std::string::npos);
            QVERIFY(table.find(field.text({lock, "a,b", 0, kNow})) != std::string::npos);
        }
        if (!field.filter.name.empty()) {
            checkFilter(std::string(field.filter.name));
        }
        if (field.json.value != nullptr) {
            QVERIFY(report::lockJson(lock, "a", 0, kNow).contains(std::string(field.json.name)));
        }
        if (!field.csvName().empty()) {
            QVERIFY(("," + report::csvHeader() + ",").find("," + std::string(field.csvName()) + ",")
                    != std::string::npos);
        }
    }

    void everyColumnHasOneField()
    {
        std::multiset<int> columns;
        for (const LockField& field : report::lockFields()) {
            if (field.hasColumn()) {
                columns.insert(field.column.column);
            }
        }
        QCOMPARE(columns.size(), std::size_t(report::ColumnCount));
        for (int column = 0; column < report::ColumnCount; ++column) {
            QCOMPARE(columns.count(column), 1U);
        }
    }

    void everyPlaceOfTheTerminalIsTakenOnce()
    {
        int place = 0;
        for (const LockField* field : terminalFields()) {
            QCOMPARE(field->terminal.place, ++place);
            QVERIFY(field->text != nullptr);
        }
    }

private:
    static void checkWindow(const LockField& field, const inspect::LockRecord& lock)
    {
        models::LockTableModel model([] { return kNow; });
        model.setServers({"a", "b"});
        inspect::LockDelta delta;
        delta.changes.push_back({inspect::ChangeKind::Appeared,
                                 makeShared<const inspect::LockRecord>(lock), kNow});
        model.apply(delta);
        const int column = field.column.column;
        QCOMPARE(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
                 nameOf(field));
        QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
        QVERIFY(!model.index(0, column).data().toString().isEmpty());
        QVERIFY((field.column.sortNumber != nullptr) != (field.column.sortText != nullptr));
        QVERIFY(field.column.width.usual >= field.column.width.least);
        model.sort(column);
    }

    static void checkFilter(const std::string& name)
    {
        widgets::LockFilterEdit edit;
        const QAbstractItemModel* const offered = edit.findChild<QCompleter*>()->model();
        QTest::keyClicks(&edit, QString::fromStdString(name)); // offers what begins like this
        const QString word = QString::fromStdString(name) + u':';
        QCOMPARE(
            offered->match(offered->index(0, 0), Qt::DisplayRole, word, 1, Qt::MatchExactly).size(),
            1);
        QFile file(testing::inSourceTree(QStringLiteral("docs/lockscope-cli.1")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string manual = file.readAll().toStdString();
        const std::string help = manual.substr(manual.find(".SH FILTERS"),
                                               manual.find(".SH JSON")
                                                   - manual.find(".SH FILTERS"));
        QVERIFY2(help.find(name) != std::string::npos, name.c_str());
    }
};

LOCKSCOPE_TEST(TestLockFields, Widgets)

} // namespace lockscope::tst_lock_fields

#include "tst_lock_fields.moc"
