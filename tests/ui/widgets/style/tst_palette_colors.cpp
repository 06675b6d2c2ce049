#include "tests/support/test_program.h"
#include "ui/widgets/style/palette_colors.h"
#include "ui/widgets/style/theme.h"

#include <QTest>

namespace lockscope::tst_palette_colors {

using namespace lockscope::widgets;

namespace {

QPalette plainPalette(const QColor& base, const QColor& text, const QColor& highlight)
{
    QPalette palette;
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::Highlight, highlight);
    return palette;
}

} // namespace

class TestPaletteColors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void contrastIsMeasuredAsWcagDoes()
    {
        QCOMPARE(qRound(contrastRatio(Qt::black, Qt::white)), 21);
        QCOMPARE(contrastRatio(Qt::red, Qt::red), 1.0);
        QVERIFY(qAbs(contrastRatio(QColor(0x77, 0x77, 0x77), Qt::white) - 4.48) < 0.01);
    }

    void everyStateCanBeReadOnEveryPalette_data()
    {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("our light") << lightPalette();
        QTest::newRow("our dark") << darkPalette();
        QTest::newRow("plain light")
            << plainPalette(Qt::white, Qt::black, QColor(0x30, 0x8c, 0xc6));
        QTest::newRow("plain dark")
            << plainPalette(QColor(0x2a, 0x2a, 0x2a), Qt::white, QColor(0x2a, 0x82, 0xda));
        QTest::newRow("black") << plainPalette(Qt::black, Qt::white, Qt::yellow);
    }
    void everyStateCanBeReadOnEveryPalette()
    {
        QFETCH(QPalette, palette);
        const StateColors colors = stateColorsOf(palette);
        for (const QColor& color :
             {colors.red, colors.amber, colors.green, colors.blue, colors.quiet}) {
            QCOMPARE_GE(contrastRatio(color, palette.color(QPalette::Base)), 4.5);
            QCOMPARE_GE(contrastRatio(color, colors.selection), 4.5);
        }
        for (const QColor& tint :
             {colors.redTint, colors.amberTint, colors.greenTint, colors.blueTint}) {
            QCOMPARE_GE(contrastRatio(palette.color(QPalette::Text), tint), 4.5);
        }
    }

    void everyRuleCanBeReadAndLooksDifferent_data() { everyStateCanBeReadOnEveryPalette_data(); }
    void everyRuleCanBeReadAndLooksDifferent()
    {
        QFETCH(QPalette, palette);
        const StateColors colors = stateColorsOf(palette);
        for (const StateColors::Mark& mark : colors.rules) {
            QCOMPARE_GE(contrastRatio(mark.color, palette.color(QPalette::Base)), 4.5);
            QCOMPARE_GE(contrastRatio(mark.color, mark.tint), 4.5);
            QCOMPARE_GE(contrastRatio(palette.color(QPalette::Text), mark.tint), 4.5);
            // What states mean is still seen on it.
            for (const QColor& state : {colors.red, colors.green, colors.quiet}) {
                QCOMPARE_GE(contrastRatio(state, mark.tint), 3.0);
            }
            QVERIFY(mark.tint != palette.color(QPalette::Base));
        }
    }

    /// A palette for a disabled widget is the same one, with another group in force.
    void theGroupInForceCounts()
    {
        QPalette palette = plainPalette(Qt::white, Qt::black, Qt::blue);
        palette.setColor(QPalette::Disabled, QPalette::Base, Qt::black);
        palette.setColor(QPalette::Disabled, QPalette::Text, Qt::white);
        palette.setCurrentColorGroup(QPalette::Active);
        const QColor active = stateColorsOf(palette).red;
        palette.setCurrentColorGroup(QPalette::Disabled);
        const QColor disabled = stateColorsOf(palette).red;
        QVERIFY(disabled != active);
        palette.setCurrentColorGroup(QPalette::Active);
        QCOMPARE(stateColorsOf(palette).red, active);
    }

    void severitiesAreRedAmberGreen()
    {
        const StateColors colors = stateColorsOf(darkPalette());
        QCOMPARE(colors.ofSeverity(2), colors.red);
        QCOMPARE(colors.ofSeverity(1), colors.amber);
        QCOMPARE(colors.ofSeverity(0), colors.green);
        QVERIFY(colors.red != colors.amber && colors.amber != colors.green
                && colors.green != colors.blue);
    }
};

LOCKSCOPE_TEST(TestPaletteColors, Widgets)

} // namespace lockscope::tst_palette_colors

#include "tst_palette_colors.moc"
