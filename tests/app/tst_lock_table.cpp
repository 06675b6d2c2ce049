#include "app/cli/output/lock_table.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_lock_table {

using namespace lockscope::cli;
using namespace std::chrono_literals;
using inspect::Flag;
using inspect::LockPtr;
using inspect::LockRecord;

namespace {

constexpr Instant kNow = Instant(1000s);

LockRecord lock(const Bytes& name, const Bytes& owner)
{
    LockRecord record;
    record.id.name = name;
    record.setFormat("token");
    record.confidence = inspect::Confidence::High;
    record.holders.emplace_back().owner = owner;
    record.expiresAt = kNow + 30s;
    return record;
}

LockRecord flagged(LockRecord record, Flag flag)
{
    record.flags.add(flag);
    return record;
}

template<class... Records>
std::vector<LockPtr> rows(Records... records)
{
    return {makeShared<const LockRecord>(std::move(records))...};
}

std::size_t longestLine(const std::string& text)
{
    qsizetype longest = 0;
    for (const QString& line : QString::fromStdString(text).split(QChar::fromLatin1('\n'))) {
        longest = std::max(longest, line.size());
    }
    return static_cast<std::size_t>(longest);
}

} // namespace

class TestLockTable final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void columnsThatSayNothingAreLeftOut();
    void columnsThatSaySomethingAreThere();
    void aSetOfManyServersIsCounted();
    void noRowsNoTable();
    void urgentLocksComeFirst();
    void equallyUrgentLocksStandInNaturalOrder();
    void longWordsAreCutToTheWidth();
    void foreignBytesCannotDisguiseThemselves();
    void countsHaveSeparators();
    void columnsAlignByCodePoints();
};

void TestLockTable::columnsThatSayNothingAreLeftOut()
{
    QCOMPARE(lockTable(rows(lock("job", "a1"), lock("longer", "b")), {"s"}, kNow),
             std::string("KEY     OWNER  FORMAT  CONFIDENCE  EXPIRES IN\n"
                         "job     a1     token   high        30.0 s\n"
                         "longer  b      token   high        30.0 s\n"));
}

void TestLockTable::columnsThatSaySomethingAreThere()
{
    LockRecord reader = lock("k", "");
    reader.mode = inspect::Mode::Read;
    reader.holders.resize(3);
    reader.waiters = 4;
    reader.id.server = 1;
    LockRecord stuck = flagged(lock("stuck", "me"), Flag::NoExpiry);
    stuck.expiresAt.reset();
    stuck.id.server = inspect::LockId::kWholeSet;
    stuck.seldom->quorum = {2, 2};
    QCOMPARE(
        lockTable(rows(stuck, reader), {"a:1", "b:2"}, kNow),
        std::string(
            "   KEY    OWNER      FORMAT        CONFIDENCE  MODE       HOLDS  EXPIRES IN  WAITERS  "
            "SERVER   WARNINGS\n"
            "!  stuck  me         token 2 of 2  high        exclusive  1      never       ?        "
            "a:1,b:2  no expiry\n"
            "   k      3 holders  token         high        read       3      30.0 s      4        "
            "b:2\n"));
}

void TestLockTable::aSetOfManyServersIsCounted()
{
    LockRecord row = lock("k", "me");
    row.id.server = inspect::LockId::kWholeSet;
    row.seldom->quorum = {2, 3};
    const std::string table = lockTable(rows(row), {"a:1", "b:2", "c:3"}, kNow);
    QVERIFY2(table.find("all 3") != std::string::npos, table.c_str());
    QVERIFY2(table.find("a:1") == std::string::npos, table.c_str());
}

void TestLockTable::noRowsNoTable()
{
    QCOMPARE(lockTable({}, {"s"}, kNow), std::string());
}

void TestLockTable::urgentLocksComeFirst()
{
    std::vector<LockPtr> all = rows(lock("b", ""), flagged(lock("z", ""), Flag::HolderGone),
                                    lock("a", ""), flagged(lock("y", ""), Flag::NoExpiry),
                                    flagged(lock("c", ""), Flag::ProbablyData));
    LockRecord doubtful = flagged(lock("d", ""), Flag::NoExpiry);
    doubtful.confidence = inspect::Confidence::Low;
    all.push_back(makeShared<const LockRecord>(doubtful));
    sortByUrgency(all);
    std::string order;
    for (const LockPtr& row : all) {
        order += row->id.name;
    }
    QCOMPARE(order, std::string("yzdabc"));
}

void TestLockTable::equallyUrgentLocksStandInNaturalOrder()
{
    std::vector<LockPtr> all = rows(lock("flag:10", ""), lock("flag:9", ""), lock("flag:2", ""));
    sortByUrgency(all);
    QCOMPARE(all[0]->id.name, Bytes("flag:2"));
    QCOMPARE(all[1]->id.name, Bytes("flag:9"));
    QCOMPARE(all[2]->id.name, Bytes("flag:10"));
}

void TestLockTable::longWordsAreCutToTheWidth()
{
    const std::string text = lockTable(rows(flagged(lock(Bytes(300, 'k'), Bytes(300, 'o')),
                                                    Flag::NoExpiry)),
                                       {"s"}, kNow);
    QCOMPARE_LE(longestLine(text), 100U);
    QVERIFY(text.find("kk…kk") != std::string::npos);
    const std::string wide = lockTable(rows(lock(Bytes(300, 'k'), "o")), {"s"}, kNow, 1000);
    QVERIFY(wide.find(Bytes(300, 'k')) != std::string::npos);
}

void TestLockTable::foreignBytesCannotDisguiseThemselves()
{
    const std::string text = lockTable(rows(lock("a\n\x1b[31mb", std::string("\xff\0", 2))), {"s"},
                                       kNow);
    QVERIFY(text.find("a\\x0a\\x1b[31mb") != std::string::npos);
    QVERIFY(text.find("\\xff\\x00") != std::string::npos);
    QCOMPARE(std::count(text.begin(), text.end(), '\n'), 2);
    const std::string hidden = lockTable(rows(lock("lo\xe2\x80\x8b"
                                                   "ck:\xf3\xa0\x81\x81",
                                                   "\xcc\x81me")),
                                         {"s"}, kNow);
    QVERIFY2(hidden.find("lo\\xe2\\x80\\x8bck:\\xf3\\xa0\\x81\\x81") != std::string::npos,
             hidden.c_str());
    QVERIFY2(hidden.find("\\xcc\\x81me") != std::string::npos, hidden.c_str());
}

void TestLockTable::countsHaveSeparators()
{
    QCOMPARE(countText(0), std::string("0"));
    QCOMPARE(countText(999), std::string("999"));
    QCOMPARE(countText(1000), std::string("1,000"));
    QCOMPARE(countText(1'000'412), std::string("1,000,412"));
}

void TestLockTable::columnsAlignByCodePoints()
{
    const std::vector<std::vector<std::string>> lines = {{"äöü", "x", "last"}, {"a", "–", ""}};
    QCOMPARE(alignedColumns(lines), std::string("äöü  x  last\na    –\n"));
}

LOCKSCOPE_TEST(TestLockTable, None)

} // namespace lockscope::tst_lock_table

#include "tst_lock_table.moc"
