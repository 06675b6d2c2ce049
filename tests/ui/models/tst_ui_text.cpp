#include "core/kernel/base/kernel_text.h"
#include "core/kernel/report/wording.h"
#include "tests/support/test_program.h"
#include "ui/models/ui_text.h"

#include <QTest>
#include <QTranslator>

namespace lockscope::tst_ui_text {

namespace {

/// Knows one text of the kernel.
class German final : public QTranslator {
public:
    QString translate(const char* context, const char* source, const char* /*disambiguation*/,
                      int /*n*/) const override
    {
        const bool isKnown = QByteArray(context) == "KernelText"
                             && QByteArray(source)
                                    == "%1 keys looked like locks but were not recognised";
        return isKnown ? QStringLiteral("%1 Schlüssel") : QString();
    }
    bool isEmpty() const override { return false; }
};

} // namespace

class TestUiText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textsOfTheKernelReachTheTranslator()
    {
        German german;
        QCoreApplication::installTranslator(&german);
        translateKernelTexts();
        QCOMPARE(report::nearMissSentence(3), std::string("3 Schlüssel"));
        QCOMPARE(report::nearMissSentence(1),
                 std::string("1 key looked like a lock but was not recognised"));
        QCoreApplication::removeTranslator(&german);
        KernelText::translateWith(nullptr);
        QCOMPARE(report::nearMissSentence(3),
                 std::string("3 keys looked like locks but were not recognised"));
    }
};

LOCKSCOPE_TEST(TestUiText, Core)

} // namespace lockscope::tst_ui_text

#include "tst_ui_text.moc"
