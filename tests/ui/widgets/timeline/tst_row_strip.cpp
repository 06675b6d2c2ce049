#include "tests/support/test_program.h"
#include "ui/widgets/timeline/row_strip.h"

#include <QImage>
#include <QPainter>
#include <QTest>

namespace lockscope::tst_row_strip {

using namespace lockscope::widgets;

class TestRowStrip : public QObject {
    Q_OBJECT

    static constexpr QRgb kRed = qRgb(255, 0, 0);
    static constexpr QRgb kBlue = qRgb(0, 0, 255);
    static constexpr QRgb kWhite = qRgb(255, 255, 255);

    /// The pixels of a row that is painted, from the left.
    static QList<QRgb> painted(RowStrip& strip, int width = 8)
    {
        QImage image(width, 4, QImage::Format_RGB32);
        image.fill(kWhite);
        QPainter painter(&image);
        strip.paint(painter, 1, 2);
        painter.end();
        QList<QRgb> pixels;
        for (int x = 0; x < image.width(); ++x) {
            pixels += image.pixel(x, 1);
            if (image.pixel(x, 2) != image.pixel(x, 1)) {
                qWarning("the lines differ at %d", x);
            }
            if (image.pixel(x, 0) != kWhite || image.pixel(x, 3) != kWhite) {
                qWarning("painted outside of the row at %d", x);
            }
        }
        return pixels;
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }

    void whatIsNarrowHasAPixel()
    {
        RowStrip strip(8);
        strip.fill(1.2, 1.3, kRed);
        strip.fill(3.9, 6.1, kBlue);
        QCOMPARE(painted(strip),
                 (QList<QRgb>{kWhite, kRed, kWhite, kBlue, kBlue, kBlue, kWhite, kWhite}));
    }

    void theLaterLieOnTop()
    {
        RowStrip strip(8);
        strip.fill(0, 8, kRed);
        strip.fill(2, 4, kBlue);
        strip.clear(5, 7);
        QCOMPARE(painted(strip),
                 (QList<QRgb>{kRed, kRed, kBlue, kBlue, kRed, kWhite, kWhite, kRed}));
    }

    void whatLiesOutsideIsLeftOut()
    {
        RowStrip strip(7.5); // eight pixels
        strip.fill(-20, -10, kRed);
        strip.fill(-5, 1, kRed);
        strip.fill(7, 100, kBlue);
        strip.fill(9, 10, kBlue);
        QCOMPARE(painted(strip),
                 (QList<QRgb>{kRed, kWhite, kWhite, kWhite, kWhite, kWhite, kWhite, kBlue}));
    }

    void aCopyHasTheSame()
    {
        RowStrip strip(8);
        RowStrip copy(8);
        copy.copy(strip);
        QCOMPARE(painted(copy), QList<QRgb>(8, kWhite));
        strip.fill(2, 4, kRed);
        copy.copy(strip);
        strip.fill(2, 3, kBlue);
        QCOMPARE(painted(copy),
                 (QList<QRgb>{kWhite, kWhite, kRed, kRed, kWhite, kWhite, kWhite, kWhite}));
    }

    void itIsPaintedUntilItIsCleared()
    {
        RowStrip strip(8);
        strip.fill(0, 8, kRed);
        painted(strip);
        QCOMPARE(painted(strip), QList<QRgb>(8, kRed));
        strip.clear();
        QCOMPARE(painted(strip), QList<QRgb>(8, kWhite));
        RowStrip none(0);
        none.fill(0, 5, kRed);
        QCOMPARE(painted(none), QList<QRgb>(8, kWhite));
    }

    /// Few rectangles are painted one by one, many as a picture: the difference must not show.
    void manyLookAsFewDo()
    {
        constexpr int kWidth = 300;
        RowStrip strip(kWidth);
        QList<QRgb> expected(kWidth, kWhite);
        for (int x = 20; x < kWidth - 7; x += 3) {
            const QRgb color = x % 2 == 0 ? kRed : kBlue;
            strip.fill(x, x + 1, color);
            expected[x] = color;
        }
        QCOMPARE(painted(strip, kWidth), expected);
        strip.clear();
        strip.fill(5, 6, kBlue); // and nothing is left of the picture
        expected.fill(kWhite);
        expected[5] = kBlue;
        QCOMPARE(painted(strip, kWidth), expected);
    }
};

LOCKSCOPE_TEST(TestRowStrip, Widgets)

} // namespace lockscope::tst_row_strip

#include "tst_row_strip.moc"
