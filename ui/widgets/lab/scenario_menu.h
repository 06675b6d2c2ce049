#pragma once

#include "core/kernel/report/run/scenario_file.h"

#include <QMenu>

namespace lockscope::widgets {

class Prompter;
struct Settings;

/// Scenarios in files: opened, saved, opened again, and the ones that come with the program.
class ScenarioMenu : public QMenu {
    Q_OBJECT
public:
    ScenarioMenu(Prompter& prompter, Settings& settings, QWidget* parent);

    /// Reads the file; what is wrong with it is said with its place.
    void open(const QString& path);
    /// Asks for a file and writes the text. `name` is proposed, without an ending.
    void saveAs(const QString& text, const QString& name);

Q_SIGNALS:
    /// `path` is empty for an example: it is no file of the user's.
    void opened(const lockscope::report::ScenarioFile& scenario, const QString& path);
    void saveRequested();
    void saved(const QString& text, const QString& path);

private:
    void choose();
    void showRecent();
    void addExamples();
    void write(const QString& text, const QString& path);
    void complain(const QString& sentence, const QString& detail);

    Prompter& m_prompter;
    Settings& m_settings;
    QMenu* m_recent = nullptr;
    QMenu* m_examples = nullptr;
};

/// The examples: their files in the program's resources, in their order.
QStringList exampleScenarios();

} // namespace lockscope::widgets
