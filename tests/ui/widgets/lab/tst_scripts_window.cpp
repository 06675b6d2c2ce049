#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/own_protocol.h"
#include "tests/support/test_program.h"
#include "ui/models/user_files.h"
#include "ui/widgets/lab/scripts_window.h"

#include <QDir>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTest>
#include <QTextBrowser>

#include <algorithm>

namespace lockscope::tst_scripts_window {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestScriptsWindow : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyProtocolHasItsPage()
    {
        for (const auto* const builtin : protocol::builtinProtocols()) {
            const QString page = pageOf(builtin->info());
            QVERIFY2(page.contains(u"## Where it breaks"_s) || page.contains(u"## Promises"_s),
                     builtin->info().id.c_str());
        }
    }

    void everyScriptIsShownSomewhere()
    {
        QStringList shown;
        for (const auto* const builtin : protocol::builtinProtocols()) {
            for (const NamedScript& script : scriptsOf(builtin->info(), {})) {
                QVERIFY2(!script.text.isEmpty(), qPrintable(script.name));
                shown += script.name + u".lua"_s;
            }
        }
        for (const QString& name : QDir(u":/scripts"_s).entryList()) {
            QVERIFY2(shown.contains(name), qPrintable(name));
        }
    }

    void scriptsStandInTheOrderOfTheSteps()
    {
        const auto scripts = scriptsOf(protocol::findProtocol("reentrant-hash")->info(), {});
        QCOMPARE(scripts.size(), std::size_t(3));
        QCOMPARE(scripts[0].name, u"reentrant_hash_lock"_s);
        QCOMPARE(scripts[2].name, u"reentrant_hash_unlock"_s);
    }

    void anOwnProtocolShowsItsFile()
    {
        const QString text = models::resourceText(u":/protocols/counted-lock.json"_s);
        auto read = protocol::readProtocol(text.toStdString());
        const auto& own = std::get<std::unique_ptr<protocol::LockProtocol>>(read);
        const ScriptsWindow window(*own, text);
        auto* const tabs = window.findChild<QTabWidget*>();
        QCOMPARE(tabs->count(), 4);
        QVERIFY(window.findChild<QTextBrowser*>()->toPlainText().contains(
            QString::fromStdString(own->info().summary)));
        const auto* const renew = window.findChild<QPlainTextEdit*>(u"renew"_s);
        QVERIFY(renew->isReadOnly());
        QVERIFY(renew->toPlainText().contains(u"hexists"_s));
    }

    void htmlInAnOwnProtocolStaysText()
    {
        QString text = models::resourceText(u":/protocols/counted-lock.json"_s);
        text.replace(u"\"summary\": \""_s, u"\"summary\": \"<b>bold</b> "_s);
        auto read = protocol::readProtocol(text.toStdString());
        const auto& own = std::get<std::unique_ptr<protocol::LockProtocol>>(read);
        const ScriptsWindow window(*own, text);
        QVERIFY(window.findChild<QTextBrowser*>()->toPlainText().contains(u"<b>bold</b>"_s));
    }
};

LOCKSCOPE_TEST(TestScriptsWindow, Widgets)

} // namespace lockscope::tst_scripts_window

#include "tst_scripts_window.moc"
