#include "ui/widgets/lab/scenario_menu.h"

#include "core/files/file_limits.h"
#include "core/kernel/base/kernel_text.h"
#include "ui/models/formatting.h"
#include "ui/models/user_files.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/shell/settings.h"

#include <QDir>
#include <QFileInfo>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using report::ScenarioFile;

namespace {

QString filterOfFiles()
{
    return ScenarioMenu::tr("Scenarios (*%1 *.json)")
        .arg(models::toQString(report::kScenarioEnding));
}

std::variant<ScenarioFile, protocol::FileError> scenarioIn(const QByteArray& text)
{
    return report::readScenario({text.constData(), static_cast<std::size_t>(text.size())});
}

QString nameOfExample(const QString& path)
{
    const auto read = scenarioIn(models::resourceBytes(path));
    const auto* const scenario = std::get_if<ScenarioFile>(&read);
    return scenario != nullptr ? models::toQString(KernelText::lookUp(scenario->plan.name)) : path;
}

} // namespace

ScenarioMenu::ScenarioMenu(Prompter& prompter, Settings& settings, QWidget* parent)
    : QMenu(parent),
      m_prompter(prompter),
      m_settings(settings)
{
    setObjectName(u"scenarioMenu"_s);
    connect(addAction(tr("&Open…")), &QAction::triggered, this, &ScenarioMenu::choose);
    connect(addAction(tr("&Save as…")), &QAction::triggered, this, &ScenarioMenu::saveRequested);
    m_recent = addMenu(tr("&Recent"));
    m_recent->setObjectName(u"recentScenariosMenu"_s);
    addSeparator();
    m_examples = addMenu(tr("&Examples"));
    m_examples->setObjectName(u"exampleScenariosMenu"_s);
    addExamples();
    connect(this, &QMenu::aboutToShow, this, &ScenarioMenu::showRecent);
    showRecent();
}

QStringList exampleScenarios()
{
    QStringList paths;
    const QDir examples(u":/scenarios"_s);
    for (const QString& name : examples.entryList(QDir::Files, QDir::Name)) {
        paths += examples.filePath(name);
    }
    return paths;
}

void ScenarioMenu::addExamples()
{
    for (const QString& path : exampleScenarios()) {
        const QAction* const action = m_examples->addAction(nameOfExample(path));
        connect(action, &QAction::triggered, this, [this, path] { open(path); });
    }
}

void ScenarioMenu::showRecent()
{
    m_recent->clear();
    m_recent->setEnabled(!m_settings.recentScenarios.isEmpty());
    for (const QString& path : std::as_const(m_settings.recentScenarios)) {
        QAction* const action = m_recent->addAction(QFileInfo(path).fileName().replace(u'&',
                                                                                       u"&&"_s));
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { open(path); });
    }
    m_recent->setToolTipsVisible(true);
}

void ScenarioMenu::choose()
{
    m_prompter.chooseFile(parentWidget(), {tr("Open a scenario"), filterOfFiles()},
                          [this](const QString& path) { open(path); });
}

void ScenarioMenu::open(const QString& path)
{
    const models::ReadFile file = models::readFile(path, files::kScenarioFileMax);
    const QString sentence = tr("The file is not a valid scenario.");
    if (!file.isRead()) {
        complain(sentence, tr("%1: %2").arg(path, file.problem));
        return;
    }
    const auto read = scenarioIn(file.content);
    if (const auto* const error = std::get_if<protocol::FileError>(&read)) {
        complain(sentence, tr("%1, %2").arg(path, models::toQString(toText(*error))));
        return;
    }
    const bool isExample = path.startsWith(u":/"_s);
    if (!isExample) {
        rememberScenario(m_settings, path);
    }
    Q_EMIT opened(std::get<ScenarioFile>(read), isExample ? QString() : path);
}

void ScenarioMenu::saveAs(const QString& text, const QString& name)
{
    const QString proposed = name + models::toQString(report::kScenarioEnding);
    m_prompter.chooseSaveFile(parentWidget(), {tr("Save the scenario"), filterOfFiles(), proposed},
                              [this, text](const QString& path) { write(text, path); });
}

void ScenarioMenu::write(const QString& text, const QString& path)
{
    if (const QString problem = models::writeFile(path, text.toUtf8()); !problem.isEmpty()) {
        complain(tr("Could not save the scenario."), problem);
        return;
    }
    rememberScenario(m_settings, path);
    Q_EMIT saved(text, path);
}

void ScenarioMenu::complain(const QString& sentence, const QString& detail)
{
    m_prompter.tell(parentWidget(), tr("Scenario"), sentence, detail);
}

} // namespace lockscope::widgets
