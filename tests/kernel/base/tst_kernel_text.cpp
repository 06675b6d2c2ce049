#include "core/kernel/base/kernel_text.h"
#include "core/kernel/base/listed.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_kernel_text {

class TestKernelText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { KernelText::translateWith(nullptr); }

    void withoutATranslatorTextsAreEnglish();
    void argumentsTakeTheirPlaces();
    void whatAnArgumentContainsIsNoPlace();
    void aTranslationMayTurnTheArgumentsRound();
    void aMarkedTextIsTranslatedWhenItIsLookedUp();
    void aListHasTheCommaOfTheLanguage();
};

void TestKernelText::withoutATranslatorTextsAreEnglish()
{
    QCOMPARE(KernelText::tr("Released."), std::string("Released."));
    QCOMPARE(KernelText::tr("100 % of %1", "all"), std::string("100 % of all"));
}

void TestKernelText::argumentsTakeTheirPlaces()
{
    QCOMPARE(KernelText::tr("%1 of %2, again %1", 3, std::string("five")),
             std::string("3 of five, again 3"));
    QCOMPARE(KernelText::tr("%2", 1), std::string("%2")); // has no argument: stays to be seen
}

void TestKernelText::whatAnArgumentContainsIsNoPlace()
{
    QCOMPARE(KernelText::tr("%1 and %2", "%2", "b"), std::string("%2 and b"));
}

void TestKernelText::aTranslationMayTurnTheArgumentsRound()
{
    KernelText::translateWith([](const char* source) {
        return std::string(source) == "%1 of %2" ? std::string("von %2 nur %1")
                                                 : std::string(source);
    });
    QCOMPARE(KernelText::tr("%1 of %2", 1, 3), std::string("von 3 nur 1"));
    QCOMPARE(KernelText::tr("Released."), std::string("Released."));
}

void TestKernelText::aMarkedTextIsTranslatedWhenItIsLookedUp()
{
    const std::string_view kept = QT_TRANSLATE_NOOP("KernelText", "two at once");
    QCOMPARE(KernelText::lookUp(kept), std::string("two at once"));
    KernelText::translateWith([](const char* source) {
        return std::string(source) == "two at once" ? std::string("zwei zugleich")
                                                    : std::string(source);
    });
    QCOMPARE(KernelText::lookUp(kept), std::string("zwei zugleich"));
    QCOMPARE(KernelText::lookUp("a text of the user's"), std::string("a text of the user's"));
}

void TestKernelText::aListHasTheCommaOfTheLanguage()
{
    const std::vector<std::string> words{"one", "two", "three"};
    QCOMPARE(listed(words), std::string("one, two, three"));
    QCOMPARE(listed(std::vector<std::string>()), std::string());
    KernelText::translateWith([](const char* source) {
        return std::string(source) == ", " ? std::string("、") : std::string(source);
    });
    QCOMPARE(listed(words), std::string("one、two、three"));
}

LOCKSCOPE_TEST(TestKernelText, None)

} // namespace lockscope::tst_kernel_text

#include "tst_kernel_text.moc"
