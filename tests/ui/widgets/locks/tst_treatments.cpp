#include "tests/support/test_program.h"
#include "tests/ui/window_bench.h"
#include "ui/widgets/controls/notice_bar.h"
#include "ui/widgets/locks/data_line.h"
#include "ui/widgets/locks/treatments/own_formats.h"
#include "ui/widgets/locks/treatments/treat_dialog.h"
#include "ui/widgets/locks/treatments/treatments_dialog.h"

#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>

namespace lockscope::tst_treatments {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

namespace {

const std::string kAcme = R"({"id": "acme", "library": "Acme", "summary": "A job of Acme.",
  "keys": ["acme:job:*"], "values": ["{text}"], "confidence": "high"})";

} // namespace

/// In the whole window, with scripted services.
class TestTreatments : public QObject, private test::WindowBench {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        begin();
        showTwoLocks();
    }
    void cleanup() { m_rig.reset(); }

    void namesLikeTheLockAreProposedWithItsFormat()
    {
        TreatDialog* const dialog = open(u"actionTreatAs");
        QCOMPARE(names(*dialog).text(), u"job:*"_s);
        QCOMPARE(formats(*dialog).currentData().toString(), u"flag"_s);
        dialog->reject();
    }

    void aTreatmentIsRememberedAndReachesTheMonitor()
    {
        TreatDialog* const dialog = open(u"actionTreatAs");
        formats(*dialog).setCurrentIndex(formats(*dialog).findData(u"token"_s));
        press(*dialog);
        const auto treatments = m_rig->monitor.formats()->recognisers().treatments;
        QCOMPARE(treatments.size(), 1U);
        QVERIFY((treatments.front() == inspect::Treatment{"job:*", "token"}));
    }

    void whatIsNoLockIsUndoneInTheList()
    {
        press(*open(u"actionNotALock"));
        QVERIFY(m_rig->monitor.formats()->isNoLock("job:7"));
        action(u"actionTreatments")->trigger();
        auto* const dialog = m_rig->window->findChild<TreatmentsDialog*>();
        QVERIFY(dialog);
        auto* const list = dialog->findChild<QTreeWidget*>();
        QCOMPARE(list->topLevelItemCount(), 1);
        QCOMPARE(list->topLevelItem(0)->text(1), u"not a lock"_s);
        list->setCurrentItem(list->topLevelItem(0));
        dialog->findChild<QPushButton*>(u"removeTreatment"_s)->click();
        QCOMPARE(list->topLevelItemCount(), 0);
        QVERIFY(!m_rig->monitor.formats()->isNoLock("job:7"));
        dialog->reject();
    }

    void theNewestTreatmentOfAPatternReplacesTheOlder()
    {
        press(*open(u"actionNotALock"));
        TreatDialog* const dialog = open(u"actionTreatAs");
        press(*dialog);
        const auto treatments = m_rig->monitor.formats()->recognisers().treatments;
        QCOMPARE(treatments.size(), 1U);
        QCOMPARE(treatments.front().format, std::string("flag"));
    }

    void aPatternHasToMatchTheLock()
    {
        TreatDialog* const dialog = open(u"actionNotALock");
        names(*dialog).setText(u"order:*"_s);
        QVERIFY(!choose(*dialog)->isEnabled());
        names(*dialog).setText(u"job:1"_s);
        QVERIFY(choose(*dialog)->isEnabled());
        dialog->reject();
    }

    void formatsAreFoundByAPartOfTheirName()
    {
        TreatDialog* const dialog = open(u"actionTreatAs");
        QComboBox& box = formats(*dialog);
        QCOMPARE(box.itemText(0), u"not a lock"_s);
        for (int i = 3; i < box.count(); ++i) { // behind a separator
            QVERIFY(box.itemText(i - 1).compare(box.itemText(i), Qt::CaseInsensitive) <= 0);
        }
        box.completer()->setCompletionPrefix(u"semaphore"_s);
        QVERIFY(box.completer()->completionCount() > 3);
        box.setEditText(u"shed"_s);
        QVERIFY(!choose(*dialog)->isEnabled());
        box.setEditText(u"shedlock"_s);
        QVERIFY(choose(*dialog)->isEnabled());
        press(*dialog);
        const auto treatments = m_rig->monitor.formats()->recognisers().treatments;
        QCOMPARE(treatments.front().format, std::string("shedlock"));
    }

    void withoutALockThereIsNothingToTreat()
    {
        table().forgetCurrentLock();
        QVERIFY(!action(u"actionTreatAs")->isEnabled());
        QVERIFY(!action(u"actionNotALock")->isEnabled());
        QVERIFY(action(u"actionTreatments")->isEnabled());
    }

    void aNewFormatFileReachesTheMonitorAtOnce()
    {
        m_rig->formats.setFiles({{"acme.json", kAcme}});
        QVERIFY(m_rig->monitor.formats()->recognisers().decoderOf("acme") != nullptr);
        TreatDialog* const dialog = open(u"actionTreatAs");
        QVERIFY(formats(*dialog).findData(u"acme"_s) >= 0);
        dialog->reject();
    }

    void aMistakeIsNoticedUntilItIsMended()
    {
        m_rig->formats.setFiles({{"/formats/acme.json", "{"}});
        QVERIFY(m_rig->window->notice().text().contains(u"/formats/acme.json: line 1"));
        m_rig->formats.setFiles({{"/formats/acme.json", kAcme}});
        QCOMPARE(m_rig->window->notice().text(), QString());
    }

    void anotherNoticeStays()
    {
        m_rig->formats.setFiles({{"/formats/acme.json", "{"}});
        m_rig->window->showNotice(u"something else"_s);
        m_rig->formats.setFiles({});
        QCOMPARE(m_rig->window->notice().text(), u"something else"_s);
    }

    void whatIsProbablyDataIsOneLineAtTheEnd()
    {
        auto* const line = m_rig->window->findChild<QPushButton*>(u"probablyData"_s);
        QVERIFY(!line->isVisible());
        inspect::LockRecord data = test::stuckFlag("feature:lock", now());
        data.flags.add(inspect::Flag::ProbablyData);
        add(data);
        QTRY_VERIFY(line->isVisible());
        QCOMPARE(line->text(), u"▸ 1 key is probably data — Show"_s);
        QCOMPARE(table().model()->rowCount(), 2);
        line->click();
        QCOMPARE(table().model()->rowCount(), 3);
        QCOMPARE(table().model()->index(2, 0).data().toString(), u"feature:lock"_s);
        QCOMPARE(line->text(), u"▾ 1 key is probably data — Hide"_s);
        m_rig->window->close();
        QVERIFY(m_rig->settings.values().showsProbableData);
    }

private:
    TreatDialog* open(const char16_t* name)
    {
        action(name)->trigger();
        const auto dialogs = m_rig->window->findChildren<TreatDialog*>();
        return dialogs.isEmpty() ? nullptr : dialogs.last();
    }
    static QLineEdit& names(TreatDialog& dialog)
    {
        return *dialog.findChild<QLineEdit*>(u"treatedNames"_s);
    }
    static QComboBox& formats(TreatDialog& dialog)
    {
        return *dialog.findChild<QComboBox*>(u"treatedFormat"_s);
    }
    static QPushButton* choose(TreatDialog& dialog)
    {
        return dialog.findChild<QPushButton*>(u"treat"_s);
    }
    static void press(TreatDialog& dialog) { choose(dialog)->click(); }
};

LOCKSCOPE_TEST(TestTreatments, Widgets)

} // namespace lockscope::tst_treatments

#include "tst_treatments.moc"
