#include "tests/support/test_program.h"
#include "ui/widgets/shell/settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>

namespace lockscope::tst_settings_dialog {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestSettingsDialog : public QObject {
    Q_OBJECT

private:
    Settings m_settings;

private Q_SLOTS:
    void init() { m_settings = Settings(); }

    void everySettingHasAControlThatShowsItsValue()
    {
        m_settings.theme = ThemeChoice::Dark;
        m_settings.lockPatterns = {u"job:*"_s, u"cron-?"_s};
        m_settings.showsProbableData = true;
        const SettingsDialog dialog(m_settings, {}, {});
        for (const SettingInfo& info : settingList()) {
            QVERIFY2(dialog.findChild<QWidget*>(info.key) != nullptr, qPrintable(info.key));
        }
        QCOMPARE(dialog.findChild<QComboBox*>(u"theme"_s)->currentText(), u"Dark"_s);
        QCOMPARE(dialog.findChild<QComboBox*>(u"language"_s)->currentText(),
                 u"Follow the system"_s);
        QCOMPARE(dialog.findChild<QLineEdit*>(u"lockPatterns"_s)->text(), u"job:* cron-?"_s);
        QVERIFY(dialog.findChild<QCheckBox*>(u"showsProbableData"_s)->isChecked());
    }

    void everyChoiceHoldsAtOnce()
    {
        SettingsDialog dialog(m_settings, {}, {});
        const QSignalSpy changed(&dialog, &SettingsDialog::changed);
        auto* const times = dialog.findChild<QComboBox*>(u"times"_s);
        dialog.show();
        times->setFocus();
        QTest::keyClick(times, Qt::Key_Down);
        QVERIFY(m_settings.showsUtc);
        QCOMPARE(changed.count(), 1);
        dialog.findChild<QCheckBox*>(u"showsProbableData"_s)->click();
        QVERIFY(m_settings.showsProbableData);
        QCOMPARE(changed.count(), 2);
        auto* const patterns = dialog.findChild<QLineEdit*>(u"lockPatterns"_s);
        patterns->setText(u" job:*   a\\ b "_s);
        QTest::keyClick(patterns, Qt::Key_Return);
        QCOMPARE(m_settings.lockPatterns, (QStringList{u"job:*"_s, u"a\\ b"_s}));
        QCOMPARE(changed.count(), 3);
        QTest::keyClick(patterns, Qt::Key_Return); // the same again
        QCOMPARE(changed.count(), 3);
    }

    void aPageBringsItsTabAndFilesAreNamed()
    {
        const SettingsTab tab{u"Rules"_s, [](QWidget* parent, std::function<void()> changed) {
                                  auto* const box = new QCheckBox(parent);
                                  box->setObjectName(u"ofThePage"_s);
                                  connect(box, &QCheckBox::toggled, parent, std::move(changed));
                                  return box;
                              }};
        SettingsDialog dialog(m_settings, {tab}, {{u"Audit"_s, u"/nowhere/audit.jsonl"_s}});
        const auto* const tabs = dialog.findChild<QTabWidget*>(u"settingsTabs"_s);
        QCOMPARE(tabs->count(), 3);
        QCOMPARE(tabs->tabText(1), u"Rules"_s);
        QCOMPARE(tabs->widget(2)->findChild<QLineEdit*>()->text(), u"/nowhere/audit.jsonl"_s);
        const QSignalSpy changed(&dialog, &SettingsDialog::changed);
        dialog.findChild<QCheckBox*>(u"ofThePage"_s)->click();
        QCOMPARE(changed.count(), 1);
    }
};

LOCKSCOPE_TEST(TestSettingsDialog, Widgets)

} // namespace lockscope::tst_settings_dialog

#include "tst_settings_dialog.moc"
