// Scenarios in files. The examples have to do what their names say.

#include "core/kernel/report/run/world_plan_json.h"
#include "core/kernel/search/explorer.h"
#include "core/kernel/search/random_search.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/scripted_prompter.h"
#include "ui/models/user_files.h"
#include "ui/widgets/lab/scenario_menu.h"
#include "ui/widgets/shell/settings.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

#include <memory>

namespace lockscope::tst_scenario_menu {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using protocol::Promise;
using report::ScenarioFile;

namespace {

constexpr std::uint64_t kBrokenBound = 3000;
constexpr std::uint64_t kHeldBound = 300;

const auto kScenario = u"{\"protocol\": \"redlock\", \"plan\": {\"clients\": [{\"acts\": []}]}}"_s;

QAction* actionOf(const QMenu& menu, const QString& text)
{
    for (QAction* const action : menu.actions()) {
        if (action->text().remove(u'&').startsWith(text)) {
            return action;
        }
    }
    qFatal("there is no %s", qPrintable(text));
}

ScenarioFile readExample(const QString& path)
{
    auto read = report::readScenario(models::resourceText(path).toStdString());
    if (const auto* const error = std::get_if<protocol::FileError>(&read)) {
        qFatal("%s: %s", qPrintable(path), toText(*error).c_str());
    }
    return std::move(std::get<ScenarioFile>(read));
}

} // namespace

class TestScenarioMenu : public QObject {
    Q_OBJECT

    struct Rig {
        QWidget parent;
        lockscope::test::ScriptedPrompter prompter;
        Settings settings;
        ScenarioMenu menu{prompter, settings, &parent};
        ScenarioFile opened;
        QString path = u"none"_s;
        QTemporaryDir directory;
    };
    std::unique_ptr<Rig> m_rig;

    QMenu& submenu(const QString& name) const { return *m_rig->menu.findChild<QMenu*>(name); }

private Q_SLOTS:
    void init()
    {
        m_rig = std::make_unique<Rig>();
        connect(&m_rig->menu, &ScenarioMenu::opened, this,
                [this](const ScenarioFile& scenario, const QString& path) {
                    m_rig->opened = scenario;
                    m_rig->path = path;
                });
    }
    void cleanup() { m_rig.reset(); }

    void filesAreSavedOpenedAndRemembered()
    {
        const QString path = m_rig->directory.filePath(u"one & two.json"_s);
        QSignalSpy saved(&m_rig->menu, &ScenarioMenu::saved);
        m_rig->prompter.willChooseFile(path);
        m_rig->menu.saveAs(kScenario, u"redlock"_s);
        QTRY_COMPARE(saved.size(), 1);
        QCOMPARE(saved.at(0).at(1).toString(), path);
        m_rig->prompter.willChooseFile(path);
        actionOf(m_rig->menu, u"Open"_s)->trigger();
        QTRY_COMPARE(m_rig->path, path);
        QCOMPARE(m_rig->opened.protocol.info().id, std::string("redlock"));
        QCOMPARE(m_rig->settings.recentScenarios, QStringList(path));
        m_rig->path.clear();
        Q_EMIT m_rig->menu.aboutToShow();
        QCOMPARE(submenu(u"recentScenariosMenu"_s).actions().size(), 1);
        submenu(u"recentScenariosMenu"_s).actions().front()->trigger();
        QCOMPARE(m_rig->path, path);
    }

    void whatIsWrongIsSaidWithItsPlace()
    {
        const QString path = m_rig->directory.filePath(u"wrong.json"_s);
        QVERIFY(models::writeFile(path, "{\n  \"plan\": 5\n}").isEmpty());
        m_rig->menu.open(path);
        QCOMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        const QString detail = m_rig->prompter.asked().front().detail;
        QVERIFY2(detail.contains(u"line 2"_s), qPrintable(detail));
        QVERIFY(detail.contains(path));
        m_rig->menu.open(m_rig->directory.filePath(u"missing.json"_s));
        QCOMPARE(m_rig->prompter.asked().size(), std::size_t(2));
        QCOMPARE(m_rig->path, u"none"_s);
        QVERIFY(m_rig->settings.recentScenarios.isEmpty());
    }

    void whatCannotBeWrittenIsSaid()
    {
        QSignalSpy saved(&m_rig->menu, &ScenarioMenu::saved);
        m_rig->prompter.willChooseFile(u"/nowhere/at/all.json"_s);
        m_rig->menu.saveAs(kScenario, u"redlock"_s);
        QTRY_COMPARE(m_rig->prompter.asked().size(), std::size_t(1));
        QVERIFY(saved.isEmpty());
    }

    void examplesAreNoFilesOfTheUser()
    {
        const QMenu& examples = submenu(u"exampleScenariosMenu"_s);
        QCOMPARE(examples.actions().size(), exampleScenarios().size());
        actionOf(examples, u"GC pause"_s)->trigger();
        QVERIFY(m_rig->path.isEmpty());
        QCOMPARE(m_rig->opened.plan.name, std::string("GC pause beyond the lease"));
        QVERIFY(m_rig->settings.recentScenarios.isEmpty());
    }

    void examplesDoWhatTheirNamesSay_data()
    {
        QTest::addColumn<int>("broken");
        const auto add = [](const char* name, std::optional<Promise> broken) {
            QTest::newRow(name) << (broken ? static_cast<int>(*broken) : -1);
        };
        add("1-hot-standby", {});
        add("2-draw", Promise::MutualExclusion);
        add("3-gc-pause", Promise::MutualExclusion);
        add("4-failover", Promise::MutualExclusion);
        add("5-clock-jump", Promise::MutualExclusion);
        add("6-reentry", Promise::ReentryBalance);
        add("7-readers-and-a-writer", Promise::ReadWriteExclusion);
        add("8-redlock-slow-node", {}); // the other two are a majority
        add("9-stuck-after-crash", Promise::NoStuckLock);
    }

    void examplesDoWhatTheirNamesSay()
    {
        QFETCH(int, broken);
        const QString path = u":/scenarios/%1.json"_s.arg(QLatin1String(QTest::currentDataTag()));
        QVERIFY(exampleScenarios().contains(path));
        const ScenarioFile example = readExample(path);
        QVERIFY(!report::complaintAbout(example.plan, example.protocol.info()));
        sim::LuaEngine lua;
        search::Explorer::Setting setting{*example.protocol.protocol, example.plan, lua, {}, {}};
        setting.bounds.schedulesMax = broken >= 0 ? kBrokenBound : kHeldBound;
        if (broken >= 0) {
            setting.goal = search::Goal{static_cast<Promise>(broken), {}};
        }
        const auto result = search::Explorer(setting).run();
        if (broken >= 0) {
            QVERIFY(result.find(static_cast<Promise>(broken)) != nullptr);
        } else {
            QVERIFY(result.findings.empty());
        }
    }

    void theStandbyTakesOver()
    {
        const ScenarioFile example = readExample(u":/scenarios/1-hot-standby.json"_s);
        QVERIFY(example.plan.clients.front().diesHolding);
        sim::LuaEngine lua;
        const std::vector plans{example.plan};
        search::RandomSetting setting{*example.protocol.protocol, plans, lua};
        setting.runCount = 10;
        const auto result = search::searchRandomly(setting);
        QCOMPARE(result.statistics.acquisitions, std::uint64_t(2 * 10));
    }
};

LOCKSCOPE_TEST(TestScenarioMenu, Widgets)

} // namespace lockscope::tst_scenario_menu

#include "tst_scenario_menu.moc"
