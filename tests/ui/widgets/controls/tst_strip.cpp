#include "tests/support/test_program.h"
#include "ui/widgets/controls/strip.h"

#include <QImage>
#include <QProgressBar>
#include <QPushButton>
#include <QTest>

namespace lockscope::tst_strip {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestStrip : public QObject {
    Q_OBJECT

private:
    static QImage pictureOf(Qt::Edge edge)
    {
        Strip strip(edge);
        QPalette palette = strip.palette();
        palette.setColor(QPalette::Mid, Qt::red);
        strip.setPalette(palette);
        strip.resize(8, 6);
        return strip.grab().toImage();
    }

private Q_SLOTS:
    void aStripHasAHairlineAtItsEdge()
    {
        const QImage below = pictureOf(Qt::BottomEdge);
        QCOMPARE(below.pixelColor(3, 5), QColor(Qt::red));
        QVERIFY(below.pixelColor(3, 0) != QColor(Qt::red));
        const QImage above = pictureOf(Qt::TopEdge);
        QCOMPARE(above.pixelColor(3, 0), QColor(Qt::red));
        QVERIFY(above.pixelColor(3, 5) != QColor(Qt::red));
    }

    void itsPartsHaveNames()
    {
        QWidget bar;
        createButton(u"goButton"_s, u"Go"_s, &bar, u"Go on"_s);
        createProgressLine(u"wayLine"_s, u"Way"_s, &bar);
        QCOMPARE(bar.findChild<QPushButton*>(u"goButton"_s)->toolTip(), u"Go on"_s);
        const auto* const line = bar.findChild<QProgressBar*>(u"wayLine"_s);
        QCOMPARE(line->accessibleName(), u"Way"_s);
        QCOMPARE(line->maximum(), kProgressMax);
    }
};

LOCKSCOPE_TEST(TestStrip, Widgets)

} // namespace lockscope::tst_strip

#include "tst_strip.moc"
