#include "tests/support/test_program.h"
#include "ui/widgets/shell/language.h"
#include "ui/widgets/shell/setting_list.h"

#include <QSet>
#include <QTest>

namespace lockscope::tst_setting_list {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestSettingList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOptionIsReadBackAsItWasWritten()
    {
        for (const SettingInfo& info : settingList()) {
            for (const SettingInfo::Option& option : info.options) {
                Settings settings;
                info.write(settings, option.value);
                QCOMPARE(info.read(settings).toString(), option.value);
            }
        }
    }

    void keysAreDifferentAndChoicesBeginWithTheDefault()
    {
        QSet<QString> keys;
        for (const SettingInfo& info : settingList()) {
            QVERIFY2(!keys.contains(info.key), qPrintable(info.key));
            keys.insert(info.key);
            QCOMPARE(info.options.isEmpty(), info.kind != SettingInfo::Kind::Choice);
            if (!info.options.isEmpty()) {
                QCOMPARE(info.read(Settings()).toString(), info.options.constFirst().value);
            }
        }
    }

    void whatIsNoValueMeansTheDefault()
    {
        for (const SettingInfo& info : settingList()) {
            if (info.key != u"language") { // an unknown one is the business of who speaks it
                Settings settings;
                info.write(settings, QVariant());
                QVERIFY2(settings == Settings(), qPrintable(info.key));
            }
        }
    }

    void everyLanguageCanBeChosen()
    {
        for (const SettingInfo& info : settingList()) {
            QStringList offered;
            for (const SettingInfo::Option& option : info.options) {
                offered += option.value;
            }
            if (info.key == u"language") {
                QCOMPARE(offered, QStringList{QString()} + knownLanguages());
            }
        }
    }
};

LOCKSCOPE_TEST(TestSettingList, Core)

} // namespace lockscope::tst_setting_list

#include "tst_setting_list.moc"
