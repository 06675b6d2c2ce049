#include "tests/support/test_program.h"
#include "ui/models/timeline/event_list_model.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/timeline/event_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QImage>
#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_event_table {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using models::EventListModel;
using trace::Chronicle;
using trace::Span;
using trace::SpanEnd;

class TestEventTable : public QObject {
    Q_OBJECT

private:
    /// Three holds in turn, and a message in the second.
    static void fill(EventListModel& model, const std::string& command = "GET k")
    {
        auto chronicle = std::make_shared<Chronicle>();
        for (unsigned i = 0; i < 3; ++i) {
            chronicle->spans.push_back({Instant(2s * i), Instant(2s * i + 1s), i, 0,
                                        Span::Kind::Holding, SpanEnd::Released, false});
        }
        chronicle->messages = {{Instant(2500ms), Instant(2600ms), Instant(2700ms), 1, 0, command}};
        chronicle->end = Instant(10s);
        model.show(chronicle, {[](trace::ContenderId id) { return u"Client %1"_s.arg(id); },
                               [](trace::LockId) { return u"k"_s; }});
    }

    static void open(EventTable& table)
    {
        table.resize(900, 300);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
    }

    static QPoint placeOf(const EventTable& table, int row)
    {
        return table.visualRect(table.model()->index(row, 1)).center();
    }

private Q_SLOTS:
    void init() { applyTheme(*qApp, ThemeChoice::Light); }

    void aRowThatIsChosenTellsItsTime()
    {
        EventListModel model;
        fill(model);
        EventTable table(model);
        open(table);
        QSignalSpy times(&table, &EventTable::timeChosen);
        QSignalSpy messages(&table, &EventTable::messageChosen);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, placeOf(table, 1));
        QCOMPARE(times.takeFirst().at(0).value<Instant>(), Instant(1s));
        QVERIFY(messages.isEmpty());
        QTest::keyClick(&table, Qt::Key_Down);
        QTest::keyClick(&table, Qt::Key_Down);
        QCOMPARE(times.count(), 2);
        QCOMPARE(times.last().at(0).value<Instant>(), Instant(2500ms));
        QCOMPARE(messages.count(), 1);
        QCOMPARE(messages.first().at(0).toInt(), 0);
    }

    void aTimeSelectsItsRowWithoutAnEcho()
    {
        EventListModel model;
        fill(model);
        EventTable table(model);
        open(table);
        QSignalSpy times(&table, &EventTable::timeChosen);
        table.selectTime(Instant(3500ms));
        QCOMPARE(table.currentIndex().row(), 4); // the last that is not later
        QVERIFY(table.selectionModel()->isRowSelected(4));
        table.selectTime(Instant(-1s));
        QVERIFY(!table.selectionModel()->hasSelection());
        QCOMPARE(times.count(), 0);
    }

    /// What is painted of a command in the column of locks, which it does not have a text for.
    void aCommandHasTheColumnOfLocksAsWell()
    {
        EventListModel model;
        fill(model, "EVALSHA acquire 1 lock:report 914296a2-7fa0-42f7-9311-d30f168f9347 30000");
        EventTable table(model);
        open(table);
        const int row = model.rowAt(Instant(2500ms));
        const auto inkOf = [&table](const QModelIndex& index) {
            const QImage cell = table.viewport()->grab(table.visualRect(index)).toImage();
            int count = 0;
            for (int y = 0; y < cell.height(); ++y) {
                for (int x = 0; x < cell.width(); ++x) {
                    count += cell.pixelColor(x, y).lightness() < 128 ? 1 : 0;
                }
            }
            return count;
        };
        QVERIFY(model.data(model.index(row, EventListModel::LockColumn)).toString().isEmpty());
        QVERIFY(inkOf(model.index(row, EventListModel::LockColumn)) > 50);
        QVERIFY(inkOf(model.index(row, EventListModel::WhatColumn)) > 50);
    }

    void rowsAreCopiedInTheirOrder()
    {
        EventListModel model;
        fill(model);
        EventTable table(model);
        open(table);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, placeOf(table, 2));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, Qt::ControlModifier, placeOf(table, 0));
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 u"0.000 s\tClient 0\tholds\tk\tfor 1 s, then released\n"
                 "2.000 s\tClient 1\tholds\tk\tfor 1 s, then released\n"_s);
    }

    void withoutEventsItSaysSo()
    {
        EventListModel model;
        EventTable table(model);
        open(table);
        const QImage empty = table.viewport()->grab().toImage();
        bool hasInk = false;
        for (int x = 0; x < empty.width(); ++x) {
            hasInk = hasInk || empty.pixelColor(x, 20) != empty.pixelColor(0, 0);
        }
        QVERIFY(hasInk);
        QCOMPARE(table.accessibleName(), u"Events"_s);
        QTest::keyClick(&table, Qt::Key_Down);
        table.selectTime(Instant(1s));
        QVERIFY(!table.currentIndex().isValid());
    }
};

LOCKSCOPE_TEST(TestEventTable, Widgets)

} // namespace lockscope::tst_event_table

#include "tst_event_table.moc"
