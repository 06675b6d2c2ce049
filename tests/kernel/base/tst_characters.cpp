#include "core/kernel/base/characters.h"
#include "tests/support/test_program.h"

#include <QChar>
#include <QTest>

namespace lockscope::tst_characters {

class TestCharacters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Qt has tables of its own. Those of another version of Unicode may know more of them.
    void marksAreThoseOfUnicode()
    {
        for (char32_t c = 0; c <= 0x10ffff; ++c) {
            const bool isKnown = QChar::unicodeVersion(c) != QChar::Unicode_Unassigned
                                 && QChar::unicodeVersion(c) <= QChar::Unicode_14_0;
            if (isKnown) {
                QVERIFY2(isMark(c) == QChar::isMark(c), qPrintable(QString::number(c, 16)));
            }
        }
    }

    void everyFormatCharacterIsInvisibleUnlessItIsDrawn()
    {
        for (char32_t c = 0; c <= 0x10ffff; ++c) {
            // Signs that enclose Arabic numbers, Kaithi and Egyptian ones, and shorthand.
            const bool isDrawn = (c >= 0x600 && c <= 0x605) || c == 0x6dd || c == 0x70f
                                 || c == 0x890 || c == 0x891 || c == 0x8e2 || c == 0x110bd
                                 || c == 0x110cd || (c >= 0x13430 && c <= 0x1343f);
            if (QChar::category(c) == QChar::Other_Format && !isDrawn) {
                QVERIFY2(isInvisible(c), qPrintable(QString::number(c, 16)));
            }
        }
    }

    void lettersAreNone()
    {
        for (const char32_t c : {U'a', U':', U' ', U'\u00e9', U'\u5206', U'\U0001f512'}) {
            QVERIFY(!isInvisible(c) && !isMark(c) && !isDiacritic(c));
        }
        QVERIFY(isDiacritic(0x301) && !isDiacritic(0xe31));
    }
};

LOCKSCOPE_TEST(TestCharacters, Core)

} // namespace lockscope::tst_characters

#include "tst_characters.moc"
