// What the Lab makes of a file that is opened: by its button, or by a double click on the desktop.

#include "tests/support/test_program.h"
#include "tests/ui/widgets/lab/lab_rig.h"
#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/controls/protocol_picker.h"

#include <QFile>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

namespace lockscope::tst_lab_files {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;

class TestLabFiles : public QObject {
    Q_OBJECT

    struct Rig : test::LabRig {
        QTemporaryDir folder;
    };
    std::unique_ptr<Rig> m_rig;

    int tabCount() const { return m_rig->page.findChild<QTabWidget*>(u"labRuns"_s)->count(); }
    std::string chosenProtocol() const
    {
        return m_rig->page.findChild<ProtocolPicker*>()->protocol()->info().id;
    }
    QString written(const QString& name, const QByteArray& text) const
    {
        QFile file(m_rig->folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName()
                                                                                  : QString();
    }

private Q_SLOTS:
    void init()
    {
        m_rig = std::make_unique<Rig>();
        m_rig->page.resize(1280, 800);
        m_rig->page.show();
    }
    void cleanup() { m_rig.reset(); }

    void aScenarioIsShownInTheForm()
    {
        const QString path = written(
            u"mine.json"_s,
            R"({"protocol": "redlock", "plan": {"name": "mine", "clients": [{"acts": []}]}})");
        m_rig->prompter.willChooseFile(path);
        QTest::keyClick(m_rig->page.findChild<QPushButton*>(u"openRunButton"_s), Qt::Key_Space);
        QTRY_COMPARE(chosenProtocol(), std::string("redlock"));
        QVERIFY(m_rig->prompter.asked().empty());
        QCOMPARE(tabCount(), 0);
        const auto* const command = m_rig->page.findChild<CommandBox*>(u"labCommand"_s);
        QVERIFY2(command->command().contains(path), qPrintable(command->command()));
        QCOMPARE(m_rig->settings.recentScenarios, QStringList(path));
    }

    void aBrokenScenarioIsRefusedAsOne()
    {
        m_rig->page.openFile(written(u"x.scenario.json"_s, "{\"plan\": 5"));
        QCOMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        QCOMPARE(m_rig->prompter.asked().front().text, u"The file is not a valid scenario."_s);
    }

    void aFileThatIsNoRunIsRefused()
    {
        m_rig->page.openFile(written(u"x.json"_s, "{\"format\": 7}"));
        QCOMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        QVERIFY(!m_rig->prompter.asked().front().detail.isEmpty());
        QCOMPARE(tabCount(), 0);
        m_rig->page.openFile(u"/no/such/file"_s);
        QCOMPARE(m_rig->prompter.asked().size(), std::size_t(2));
    }
};

LOCKSCOPE_TEST(TestLabFiles, Widgets)

} // namespace lockscope::tst_lab_files

#include "tst_lab_files.moc"
