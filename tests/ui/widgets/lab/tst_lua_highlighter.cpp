#include "tests/support/test_program.h"
#include "ui/widgets/lab/lua_highlighter.h"
#include "ui/widgets/style/palette_colors.h"
#include "ui/widgets/style/theme.h"

#include <QPlainTextEdit>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>

namespace lockscope::tst_lua_highlighter {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestLuaHighlighter : public QObject {
    Q_OBJECT

    struct Rig {
        QPlainTextEdit edit;
        LuaHighlighter highlighter{edit.document(), &edit};
    };

    /// How the first `part` of the line is painted.
    static QTextCharFormat formatOf(const QPlainTextEdit& edit, int line, const QString& part)
    {
        const QTextBlock block = edit.document()->findBlockByNumber(line);
        const auto at = static_cast<int>(block.text().indexOf(part));
        for (const QTextLayout::FormatRange& range : block.layout()->formats()) {
            if (range.start <= at && at + part.size() <= range.start + range.length) {
                return range.format;
            }
        }
        return {};
    }

    static QColor colorOf(const QPlainTextEdit& edit, int line, const QString& part)
    {
        const QTextCharFormat format = formatOf(edit, line, part);
        return format.hasProperty(QTextFormat::ForegroundBrush) ? format.foreground().color()
                                                                : QColor();
    }

private Q_SLOTS:
    void eachKindHasAColor()
    {
        Rig rig;
        rig.edit.setPlainText(u"if redis.call('get', KEYS[1]) == 15 then -- if so\n"
                              "  iffy = \"an \\\" end\" end"_s);
        const StateColors colors = stateColorsOf(rig.edit.palette());
        const QColor accent = rig.edit.palette().color(QPalette::Link);
        QCOMPARE(colorOf(rig.edit, 0, u"if"_s), accent);
        QCOMPARE(colorOf(rig.edit, 0, u"redis"_s), colors.blue);
        QCOMPARE(colorOf(rig.edit, 0, u"'get'"_s), colors.green);
        QCOMPARE(colorOf(rig.edit, 0, u"KEYS"_s), colors.blue);
        QCOMPARE(colorOf(rig.edit, 0, u"15"_s), colors.amber);
        QCOMPARE(colorOf(rig.edit, 0, u"-- if so"_s), colors.quiet);
        QVERIFY(!colorOf(rig.edit, 0, u"call"_s).isValid());
        QVERIFY(!colorOf(rig.edit, 1, u"iffy"_s).isValid());
        QCOMPARE(colorOf(rig.edit, 1, u"\"an \\\" end\""_s), colors.green);
    }

    void longBracketsGoOnInTheNextLine()
    {
        Rig rig;
        rig.edit.setPlainText(u"--[[ one\ntwo ]] end\nlocal s = [=[ a ]] b\nend ]=] end"_s);
        const StateColors colors = stateColorsOf(rig.edit.palette());
        QCOMPARE(colorOf(rig.edit, 0, u"one"_s), colors.quiet);
        QCOMPARE(colorOf(rig.edit, 1, u"two"_s), colors.quiet);
        QCOMPARE(colorOf(rig.edit, 1, u"end"_s), rig.edit.palette().color(QPalette::Link));
        QCOMPARE(colorOf(rig.edit, 2, u" b"_s), colors.green);
        QCOMPARE(colorOf(rig.edit, 3, u"end ]=]"_s), colors.green);
    }

    void aLineIsMarkedAndKeepsItsColors()
    {
        Rig rig;
        rig.edit.setPlainText(u"return 1\nreturn 2"_s);
        const auto isMarked = [&rig](int line) {
            return formatOf(rig.edit, line, u"return"_s).underlineStyle()
                   == QTextCharFormat::WaveUnderline;
        };
        rig.highlighter.markLine(2);
        QVERIFY(!isMarked(0));
        QVERIFY(isMarked(1));
        QVERIFY(colorOf(rig.edit, 1, u"return"_s).isValid());
        rig.highlighter.markLine(1);
        QVERIFY(isMarked(0));
        QVERIFY(!isMarked(1));
        rig.highlighter.markLine({});
        QVERIFY(!isMarked(0));
    }

    void colorsFollowThePalette()
    {
        Rig rig;
        rig.edit.setPalette(lightPalette());
        rig.edit.setPlainText(u"return 'x'"_s);
        const QColor light = colorOf(rig.edit, 0, u"'x'"_s);
        rig.edit.setPalette(darkPalette());
        const QColor dark = colorOf(rig.edit, 0, u"'x'"_s);
        QVERIFY(light != dark);
        QVERIFY(contrastRatio(dark, rig.edit.palette().color(QPalette::Base)) >= 4.5);
    }
};

LOCKSCOPE_TEST(TestLuaHighlighter, Widgets)

} // namespace lockscope::tst_lua_highlighter

#include "tst_lua_highlighter.moc"
