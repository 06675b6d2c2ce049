#include "tests/support/test_program.h"
#include "ui/widgets/locks/table/filter_line.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"

#include <QPushButton>
#include <QTest>

namespace lockscope::tst_filter_line {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestFilterLine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itSaysWhatIsWrongAndWhatIsShown()
    {
        LockFilterEdit edit;
        FilterLine line;
        line.follow(edit);
        QVERIFY(line.isHidden());
        edit.apply(u"waiters>x"_s);
        QCOMPARE(line.text(), u"Filter not applied: \"x\" is not a whole number · The table shows "
                              "all locks."_s);
        edit.apply(u"held>1m"_s);
        QVERIFY(line.isHidden());
        edit.apply(u"held>1m waiters>x"_s);
        QCOMPARE(line.text(), u"Filter not applied: \"x\" is not a whole number · The table still "
                              "shows: held>1m"_s);
        edit.apply({});
        QVERIFY(line.isHidden());
    }

    void whatMayBeMeantIsOneClickAway()
    {
        LockFilterEdit edit;
        FilterLine line;
        line.follow(edit);
        auto* mend = line.findChild<QPushButton*>(u"mendFilter"_s);
        edit.apply(u"waiters>x"_s);
        QVERIFY(mend->isHidden());
        edit.apply(u"order:42"_s);
        QVERIFY(!mend->isHidden());
        QCOMPARE(mend->text(), u"Use \"order:42\""_s);
        mend->click();
        QCOMPARE(edit.text(), u"\"order:42\""_s);
        QCOMPARE(edit.condition(), LockFilterEdit::Condition::Valid);
        QVERIFY(line.isHidden());
    }
};

LOCKSCOPE_TEST(TestFilterLine, Widgets)

} // namespace lockscope::tst_filter_line

#include "tst_filter_line.moc"
