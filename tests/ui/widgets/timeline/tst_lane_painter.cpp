#include "tests/support/test_program.h"
#include "ui/widgets/timeline/lane_painter.h"

#include <QImage>
#include <QPainter>
#include <QTest>

namespace lockscope::tst_lane_painter {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using trace::Chronicle;

namespace {

constexpr int kWidth = 1000; // of 20 s
constexpr int kLaneHeight = 50;
constexpr trace::ContenderId kWriter = 0;

Chronicle written(std::vector<trace::Note> notes)
{
    Chronicle chronicle;
    trace::Span& waiting = chronicle.spans.emplace_back();
    waiting.to = Instant(20s);
    waiting.contender = kWriter;
    waiting.kind = trace::Span::Kind::Waiting;
    chronicle.notes = std::move(notes);
    chronicle.end = Instant(20s);
    return chronicle;
}

/// Its second row, which has what was written.
QImage outputRowOf(Chronicle written)
{
    const auto chronicle = std::make_shared<const Chronicle>(std::move(written));
    const models::TimelineNames names{[](trace::ContenderId) { return u"A"_s; },
                                      [](trace::LockId) { return u"k"_s; }};
    const models::TimelineIndex index(chronicle, models::Grouping::ByContender, names);
    models::TimelineFrame frame;
    frame.range = {Instant(0s), Instant(20s)};
    frame.width = kWidth;
    frame.laneHeight = kLaneHeight;
    const models::TimelineLayout layout(index, frame);
    QImage image(kWidth, 2 * kLaneHeight, QImage::Format_RGB32);
    image.fill(qApp->palette().color(QPalette::Base));
    QPainter painter(&image);
    LanePainter(painter, layout, *chronicle, names, qApp->palette()).paint();
    return image.copy(0, kLaneHeight, kWidth, kLaneHeight);
}

/// Whether anything is painted between two places.
bool hasInk(const QImage& row, int from, int to)
{
    for (int x = from; x < to; ++x) {
        for (int y = 0; y < row.height(); ++y) {
            if (row.pixelColor(x, y) != row.pixelColor(0, 0)) {
                return true;
            }
        }
    }
    return false;
}

} // namespace

class TestLanePainter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLineIsWrittenWhereItWasWritten()
    {
        const QImage row = outputRowOf(written({{Instant(6s), kWriter, "connection lost"}}));
        const QColor blue = stateColorsOf(qApp->palette()).blue;
        QVERIFY(!hasInk(row, 0, 299));
        QCOMPARE(row.pixel(300, kLaneHeight / 2), blue.rgb());
        QVERIFY(hasInk(row, 305, 340));
    }

    void aLineEndsBeforeTheNextOne()
    {
        const std::string much(200, 'x');
        const QImage row = outputRowOf(written({{Instant(6s), kWriter, much},
                                                {Instant(12s), kWriter, ""}}));
        QVERIFY(hasInk(row, 305, 590));
        QVERIFY(!hasInk(row, 595, 599));
        QVERIFY(!hasInk(row, 605, kWidth));
    }

    void whereThereIsNoRoomThereIsAMarkAlone()
    {
        const QImage row = outputRowOf(written({{Instant(6s), kWriter, "one"},
                                                {Instant(6200ms), kWriter, "two"}}));
        QVERIFY(!hasInk(row, 303, 309));
        QVERIFY(hasInk(row, 310, 340));
    }
};

LOCKSCOPE_TEST(TestLanePainter, Widgets)

} // namespace lockscope::tst_lane_painter

#include "tst_lane_painter.moc"
