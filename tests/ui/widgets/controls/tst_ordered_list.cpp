#include "tests/support/test_program.h"
#include "ui/widgets/controls/ordered_list.h"

#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_ordered_list {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestOrderedList : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void buttonsSayWhatIsWanted()
    {
        OrderedList list(u"Things"_s);
        const auto button = [&list](const QString& name) {
            return list.findChild<QPushButton*>(name);
        };
        const QSignalSpy adds(&list, &OrderedList::addRequested);
        const QSignalSpy removals(&list, &OrderedList::removeRequested);
        const QSignalSpy moves(&list, &OrderedList::moveRequested);
        QVERIFY(!button(u"removeEntry"_s)->isEnabled());
        button(u"addEntry"_s)->click();
        QCOMPARE(adds.count(), 1);
        list.showEntries({{u"a"_s}, {u"b"_s}, {u"c"_s}});
        list.setCurrent(0);
        QVERIFY(!button(u"moveEntryUp"_s)->isEnabled());
        button(u"moveEntryDown"_s)->click();
        QCOMPARE(moves.value(0), (QVariantList{0, 1}));
        list.setCurrent(2);
        QVERIFY(!button(u"moveEntryDown"_s)->isEnabled());
        button(u"moveEntryUp"_s)->click();
        QCOMPARE(moves.value(1), (QVariantList{2, 1}));
        button(u"removeEntry"_s)->click();
        QCOMPARE(removals.value(0), QVariantList{2});
    }

    void theCurrentRowStaysAsFarAsThereIsOne()
    {
        OrderedList list(u"Things"_s);
        list.showEntries({{u"a"_s}, {u"b"_s}});
        list.setCurrent(1);
        const QSignalSpy changes(&list, &OrderedList::currentChanged);
        list.showEntries({{u"x"_s}, {u"y"_s}});
        QCOMPARE(list.current(), 1);
        QCOMPARE(changes.count(), 0);
        list.showEntries({{u"x"_s}});
        QCOMPARE(list.current(), 0);
        QCOMPARE(changes.value(0), QVariantList{0});
        list.showEntries({});
        QCOMPARE(list.current(), -1);
    }

    void aTickIsToldOnceAndOnlyWhereAPersonSetsIt()
    {
        OrderedList list(u"Things"_s);
        const QSignalSpy toggles(&list, &OrderedList::toggled);
        list.showEntries({{u"a"_s}, {u"b"_s, false}});
        QCOMPARE(toggles.count(), 0);
        auto* const entries = list.findChild<QListWidget*>(u"orderedEntries"_s);
        QCOMPARE(entries->item(1)->checkState(), Qt::Unchecked);
        entries->item(1)->setCheckState(Qt::Checked);
        QCOMPARE(toggles.count(), 1);
        QCOMPARE(toggles.value(0), (QVariantList{1, true}));
    }
};

LOCKSCOPE_TEST(TestOrderedList, Widgets)

} // namespace lockscope::tst_ordered_list

#include "tst_ordered_list.moc"
