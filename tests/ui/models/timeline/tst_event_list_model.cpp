#include "tests/support/test_program.h"
#include "ui/models/timeline/event_list_model.h"
#include "ui/models/timeline/event_rows.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_event_list_model {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using trace::Chronicle;
using trace::Mark;
using trace::Span;
using trace::SpanEnd;

namespace {

TimelineNames names()
{
    return {[](trace::ContenderId id) { return u"Client %1"_s.arg(QChar(u'A' + char16_t(id))); },
            [](trace::LockId) { return u"k"_s; }};
}

std::shared_ptr<Chronicle> story()
{
    using enum Span::Kind;
    auto chronicle = std::make_shared<Chronicle>();
    chronicle->spans = {{Instant(0s), Instant(10s), 0, 0, Holding, SpanEnd::Expired, false},
                        {Instant(2s), Instant(8s), 1, 0, Waiting, SpanEnd::Granted, false},
                        {Instant(8s), Instant(20s), 1, 0, Holding, SpanEnd::Open, false}};
    chronicle->marks = {{Instant(3s), 1, 0, Mark::Kind::Refused}};
    chronicle->overlaps = {{Instant(8s), Instant(10s), 0, 0, 1}};
    chronicle->serverHolds = {{Instant(0s), Instant(8s), 0, 0, SpanEnd::Expired}};
    chronicle->messages = {{Instant(2500ms), Instant(2750ms), Instant(3s), 1, 0, "SET k 1: nil"},
                           {Instant(9s), std::nullopt, std::nullopt, 0, 1, "DEL k"}};
    chronicle->end = Instant(20s);
    return chronicle;
}

QStringList linesOf(const EventListModel& model)
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row) {
        lines += model.lineAt(row).replace(u'\t', u'|');
    }
    return lines;
}

} // namespace

class TestEventListModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatHappensIsListedByTime()
    {
        EventListModel model;
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.rowCount(), 0);
        model.show(story(), names());
        QCOMPARE(
            linesOf(model),
            (QStringList{
                u"0.000 s|Server|lists Client A as holder|k|for 8 s"_s,
                u"0.000 s|Client A|holds|k|for 10 s, then expired"_s,
                u"2.000 s|Client B|waits|k|for 6 s, then granted"_s,
                u"2.500 s|Client B|SET k 1: nil||applied after 250 ms, answered after 500 ms"_s,
                u"3.000 s|Client B|is refused|k|"_s,
                u"8.000 s|Server|no longer lists Client A|k|expired"_s,
                u"8.000 s|Client B|holds|k|for 12 s, until the record ends"_s,
                u"8.000 s|Client B|also believes it holds the lock|k|together with Client A, for 2 s"_s,
                u"9.000 s|Client A|DEL k||never arrived, server 2"_s,
                u"10.000 s|Client A|expired|k|after 10 s"_s}));
        QVERIFY(model.index(7, 0).data(EventListModel::IsViolationRole).toBool());
        QVERIFY(!model.index(6, 0).data(EventListModel::IsViolationRole).toBool());
        QCOMPARE(model.index(8, 0).data(EventListModel::MessageRole).toInt(), 1);
        QVERIFY(!model.index(7, 0).data(EventListModel::MessageRole).isValid());
        QCOMPARE(model.headerData(EventListModel::WhoColumn, Qt::Horizontal, Qt::DisplayRole),
                 QVariant(u"Who"_s));
        model.clear();
        QCOMPARE(model.rowCount(), 0);
    }

    void whatAProgramWroteIsAnEvent()
    {
        EventListModel model;
        const auto noted = story();
        noted->notes = {{Instant(8s), 1, "got it"}};
        model.show(noted, names());
        QCOMPARE(model.rowCount(), 11);
        QCOMPARE(model.lineAt(8), u"8.000 s\tClient B\twrites: got it\t\t"_s);
        QVERIFY(!model.index(8, 0).data(EventListModel::IsViolationRole).toBool());
    }

    void aRangeLimitsIt()
    {
        EventListModel model;
        const QAbstractItemModelTester tester(&model);
        model.show(story(), names());
        model.setRange(VisibleRange{Instant(2500ms), Instant(8s)});
        QCOMPARE(model.rowCount(), 5); // both ends are within
        QCOMPARE(model.timeAt(0), Instant(2500ms));
        QCOMPARE(model.timeAt(4), Instant(8s));
        QCOMPARE(model.rowAt(Instant(2s)), -1);
        QCOMPARE(model.rowAt(Instant(3500ms)), 1);
        QCOMPARE(model.rowAt(Instant(30s)), 4);
        model.setRange(VisibleRange{Instant(15s), Instant(16s)});
        QCOMPARE(model.rowCount(), 0);
        model.setRange(std::nullopt);
        QCOMPARE(model.rowCount(), 10);
    }

    void timesCountFromTheReference()
    {
        EventListModel model;
        model.show(story(), names());
        QSignalSpy changed(&model, &EventListModel::dataChanged);
        model.setTimeReference(Instant(3s));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(model.index(0, 0).data().toString(), u"-3.000 s"_s);
        QCOMPARE(model.index(9, 0).data().toString(), u"+7.000 s"_s);
    }

    /// Nothing but the order is made beforehand, and a range costs nothing.
    void aMillionEventsAreNoBurden()
    {
        auto chronicle = std::make_shared<Chronicle>();
        constexpr int kSpans = 500'000;
        chronicle->spans.reserve(kSpans);
        for (int i = 0; i < kSpans; ++i) {
            chronicle->spans.push_back({Instant(1ms * i), Instant(1ms * i + 2500us),
                                        static_cast<unsigned>(i) % 50, 0, Span::Kind::Holding,
                                        SpanEnd::Released, false});
        }
        chronicle->end = Instant(1ms * kSpans + 3ms);
        int asked = 0;
        EventListModel model;
        model.show(chronicle, {[&asked](trace::ContenderId) {
                                   ++asked;
                                   return u"x"_s;
                               },
                               [](trace::LockId) { return u"k"_s; }});
        QCOMPARE(model.rowCount(), 2 * kSpans);
        QCOMPARE(model.rowAt(Instant(1ms)), 1);
        model.setRange(VisibleRange{Instant(100s), Instant(100'010ms)});
        QVERIFY(model.rowCount() >= 20 && model.rowCount() <= 22);
        QCOMPARE(asked, 0);
        model.index(3, EventListModel::WhoColumn).data();
        QCOMPARE(asked, 1);
    }
};

LOCKSCOPE_TEST(TestEventListModel, Core)

} // namespace lockscope::tst_event_list_model

#include "tst_event_list_model.moc"
