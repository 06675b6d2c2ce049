#include "core/kernel/base/kernel_text.h"
#include "tests/support/test_program.h"
#include "ui/models/ui_text.h"
#include "ui/widgets/shell/language.h"

#include <QCoreApplication>
#include <QFile>
#include <QTest>
#include <QTranslator>

namespace lockscope::tst_language {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestLanguage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The other tests of the program expect English.
    void cleanup()
    {
        qDeleteAll(QCoreApplication::instance()->findChildren<QTranslator*>());
        KernelText::translateWith(nullptr);
    }

    void theSystemsLanguageIsTaken_data()
    {
        QTest::addColumn<QStringList>("preferred");
        QTest::addColumn<QString>("taken");
        QTest::newRow("mainland") << QStringList{u"zh-Hans-CN"_s, u"zh"_s} << u"zh_CN"_s;
        QTest::newRow("Singapore") << QStringList{u"zh-SG"_s} << u"zh_CN"_s;
        QTest::newRow("Taiwan") << QStringList{u"zh-Hant-TW"_s} << u"en"_s;
        QTest::newRow("Germany") << QStringList{u"de-DE"_s, u"de"_s} << u"en"_s;
        QTest::newRow("English first") << QStringList{u"en-GB"_s, u"zh-Hans"_s} << u"en"_s;
        QTest::newRow("second choice") << QStringList{u"ja-JP"_s, u"zh-Hans-CN"_s} << u"zh_CN"_s;
        QTest::newRow("none") << QStringList{} << u"en"_s;
    }

    void theSystemsLanguageIsTaken()
    {
        QFETCH(QStringList, preferred);
        QTEST(languageFor(preferred), "taken");
    }

    void everyLanguageButEnglishIsThere()
    {
        for (const QString& language : knownLanguages()) {
            QCOMPARE(QFile::exists(u":/translations/lockscope_%1.qm"_s.arg(language)),
                     language != u"en"_s);
        }
    }

    void windowAndKernelSpeakIt()
    {
        speak(u"zh_CN"_s);
        QVERIFY(UiText::tr("unknown") != u"unknown"_s);
        QVERIFY(KernelText::tr("Released.") != "Released.");
    }

    void englishIsLeftAsItIs()
    {
        speak(u"en"_s);
        QCOMPARE(UiText::tr("unknown"), u"unknown"_s);
        QCOMPARE(KernelText::tr("Released."), std::string("Released."));
    }
};

LOCKSCOPE_TEST(TestLanguage, Core)

} // namespace lockscope::tst_language

#include "tst_language.moc"
