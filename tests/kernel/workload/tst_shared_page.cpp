#include "core/kernel/workload/shared_page.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_shared_page {

using lockscope::workload::SharedPage;

class TestSharedPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoComesAloneMeetsNobody();
    void aSecondWriterIsAConflict();
    void readersMeetOnlyWriters();
    void permitsMayBeInsideTogether();
    void locksAreSeparate();
    void anOldFenceIsRejected();
};

void TestSharedPage::whoComesAloneMeetsNobody()
{
    SharedPage page(1, 1);
    for (int i = 0; i < 2; ++i) {
        QCOMPARE(page.enter(0, false, {}).conflictCount, 0);
        page.leave(0, false);
    }
}

void TestSharedPage::aSecondWriterIsAConflict()
{
    SharedPage page(1, 1);
    page.enter(0, false, {});
    QCOMPARE(page.enter(0, false, {}).conflictCount, 1);
    QCOMPARE(page.enter(0, false, {}).conflictCount, 2);
}

void TestSharedPage::readersMeetOnlyWriters()
{
    SharedPage page(1, 1);
    QCOMPARE(page.enter(0, true, {}).conflictCount, 0);
    QCOMPARE(page.enter(0, true, {}).conflictCount, 0);
    QCOMPARE(page.enter(0, false, {}).conflictCount, 2);
    QCOMPARE(page.enter(0, true, {}).conflictCount, 1);
}

void TestSharedPage::permitsMayBeInsideTogether()
{
    SharedPage page(1, 2);
    QCOMPARE(page.enter(0, false, {}).conflictCount, 0);
    QCOMPARE(page.enter(0, false, {}).conflictCount, 0);
    QCOMPARE(page.enter(0, false, {}).conflictCount, 1);
}

void TestSharedPage::locksAreSeparate()
{
    SharedPage page(2, 1);
    QCOMPARE(page.lockCount(), 2);
    page.enter(0, false, {});
    QCOMPARE(page.enter(1, false, {}).conflictCount, 0);
}

void TestSharedPage::anOldFenceIsRejected()
{
    SharedPage page(1, 1);
    QVERIFY(!page.enter(0, false, 33).isRejected);
    QVERIFY(!page.enter(0, false, 34).isRejected);
    QVERIFY(page.enter(0, false, 33).isRejected);
    QVERIFY(!page.enter(0, false, 34).isRejected); // its own second effect
    QVERIFY(!page.enter(0, false, {}).isRejected);
}

LOCKSCOPE_TEST(TestSharedPage, Core)

} // namespace lockscope::tst_shared_page

#include "tst_shared_page.moc"
