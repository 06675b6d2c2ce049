#include "core/kernel/inspect/watch/scan_loop_check.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

namespace lockscope::tst_scan_loop_check {

using inspect::ScanLoopCheck;

namespace {

constexpr std::uint64_t kPage = 500;

/// The page at which the walk is stopped when it goes on as `cursorAt` says; `pages` when it is
/// not.
template<class CursorAt>
std::uint64_t stoppedAt(ScanLoopCheck loopCheck, std::uint64_t pages, std::uint64_t keysPerPage,
                        CursorAt cursorAt)
{
    for (std::uint64_t page = 0; page < pages; ++page) {
        if (loopCheck.sawPage(std::to_string(cursorAt(page)), keysPerPage, kPage)) {
            return page;
        }
    }
    return pages;
}

} // namespace

class TestScanLoopCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWalkThroughAMillionKeysIsLetGo();
    void aTableThatWasJustEmptiedIsLetGo();
    void aCursorThatStaysIsStopped();
    void aCursorThatCirclesIsStopped_data();
    void aCursorThatCirclesIsStopped();
    void cursorsThatNeverEndAreStopped();
    void aClaimOfMoreKeysThanRedisCanHaveBuysNoMore();
    void aCursorIsANumber();
};

void TestScanLoopCheck::aWalkThroughAMillionKeysIsLetGo()
{
    const auto walked = stoppedAt(ScanLoopCheck(1'000'000), 2000, kPage,
                                  [](auto i) { return i + 1; });
    QCOMPARE(walked, std::uint64_t(2000));
}

void TestScanLoopCheck::aTableThatWasJustEmptiedIsLetGo()
{
    // 134 million buckets, of which an empty page visits ten times COUNT.
    const std::uint64_t pages = (std::uint64_t{1} << 27U) / (10 * kPage);
    QCOMPARE(stoppedAt(ScanLoopCheck(0), pages, 0, [](auto i) { return i + 1; }), pages);
}

void TestScanLoopCheck::aCursorThatStaysIsStopped()
{
    QVERIFY(stoppedAt(ScanLoopCheck(100), 1000, 0, [](auto) { return 7; }) <= 2);
}

void TestScanLoopCheck::aCursorThatCirclesIsStopped_data()
{
    QTest::addColumn<quint64>("before");
    QTest::addColumn<quint64>("length");
    QTest::newRow("two") << quint64(0) << quint64(2);
    QTest::newRow("a hundred, from the beginning") << quint64(0) << quint64(100);
    QTest::newRow("a hundred, later") << quint64(1000) << quint64(100);
    QTest::newRow("ten thousand") << quint64(17) << quint64(10'000);
}

void TestScanLoopCheck::aCursorThatCirclesIsStopped()
{
    QFETCH(const quint64, before);
    QFETCH(const quint64, length);
    const auto cursorAt = [&](std::uint64_t i) {
        return i < before ? i + 1 : before + 1 + (i - before) % length;
    };
    const auto stopped = stoppedAt(ScanLoopCheck(), 1'000'000, 0, cursorAt);
    QVERIFY2(stopped < 4 * (before + length), std::to_string(stopped).c_str());
}

void TestScanLoopCheck::cursorsThatNeverEndAreStopped()
{
    const auto next = [](auto i) { return i + 1; };
    QVERIFY(stoppedAt(ScanLoopCheck(1000), 1'000'000, 0, next) < 300'000);
    QVERIFY(stoppedAt(ScanLoopCheck(1000), 1'000'000, 100'000, next) < 2'000);
}

void TestScanLoopCheck::aClaimOfMoreKeysThanRedisCanHaveBuysNoMore()
{
    const auto next = [](auto i) { return i + 1; };
    const auto ofClaim = [&](std::uint64_t total) {
        return stoppedAt(ScanLoopCheck(total), 1'000'000, 1'000'000, next);
    };
    QCOMPARE(ofClaim(std::uint64_t{1} << 62U), ofClaim(std::uint64_t{1} << 32U));
    QVERIFY(ofClaim(std::uint64_t{1} << 62U) < 100'000);
}

void TestScanLoopCheck::aCursorIsANumber()
{
    ScanLoopCheck loopCheck;
    QVERIFY(!loopCheck.sawPage("18446744073709551615", 1, kPage));
    QVERIFY(loopCheck.sawPage(std::string(1'000'000, '1'), 1, kPage));
}

LOCKSCOPE_TEST(TestScanLoopCheck, Core)

} // namespace lockscope::tst_scan_loop_check

#include "tst_scan_loop_check.moc"
