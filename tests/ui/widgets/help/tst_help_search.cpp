#include "tests/support/test_program.h"
#include "ui/widgets/help/help_search.h"

#include <QTest>

namespace lockscope::tst_help_search {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestHelpSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPageHasWhatItsReaderSees_data()
    {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("a word") << u"LEASE"_s << true;
        QTest::newRow("words in any order") << u"honest lease"_s << true;
        QTest::newRow("one of two") << u"lease nonsense"_s << false;
        QTest::newRow("across a bold word") << u"租约如实"_s << true;
        QTest::newRow("across a link") << u"看门狗续期"_s << true;
        QTest::newRow("without the space") << u"redis锁"_s << true;
        QTest::newRow("with a space more") << u"看门狗 续期"_s << true;
        QTest::newRow("wide space") << u"租约　看门狗"_s << true;
        QTest::newRow("no such phrase") << u"续期看门狗"_s << false;
        QTest::newRow("marks of a filter") << u"key~order:*"_s << true;
        QTest::newRow("target of a link") << u"watchdog.md"_s << true;
        QTest::newRow("no letter of ours") << u"😀"_s << false;
        QTest::newRow("what an expression would mean") << u"l.*e"_s << false;
    }

    void aPageHasWhatItsReaderSees()
    {
        QFETCH(QString, wanted);
        const QString page =
            u"# A lease that is honest\n\n**租约**如实，由[看门狗](watchdog.md)续期的"
            "Redis 锁：`key~order:*`。\n"_s;
        QTEST(hasWords(page, searchWords(wanted)), "isFound");
    }

    void aPhraseIsMarkedAsAWhole()
    {
        const QString text = u"Jain's index, 看门狗 为 Redis 锁续期"_s;
        QCOMPARE(searchPattern(u"jain's index"_s, text).match(text).captured(), u"Jain's index"_s);
        QCOMPARE(searchPattern(u"index jain's"_s, text).match(text).captured(), u"Jain's"_s);
        QCOMPARE(searchPattern(u"redis锁续期"_s, text).match(text).captured(), u"Redis 锁续期"_s);
        QVERIFY(searchPattern(u"😀"_s, text).isValid());
    }
};

LOCKSCOPE_TEST(TestHelpSearch, Core)

} // namespace lockscope::tst_help_search

#include "tst_help_search.moc"
