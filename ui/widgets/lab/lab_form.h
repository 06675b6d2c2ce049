#pragma once

#include "core/kernel/report/run/scenario_file.h"
#include "ui/models/lab/lab_draft.h"
#include "ui/models/lab/lab_form_state.h"
#include "ui/models/lab/scenario_draft.h"

#include <QWidget>

#include <functional>
#include <map>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QVBoxLayout;

namespace lockscope::widgets {

class CommandBox;
class FaultList;
class OptionRow;
class Prompter;
class ProtocolEditor;
class ProtocolPicker;
class ScenarioMenu;
struct Settings;

/// What is to be searched: the protocol, who does what with it, what may go wrong, how far to look.
/// Short for a first look: the usual workload asks for nothing more.
class LabForm : public QWidget {
    Q_OBJECT
public:
    struct Context {
        models::ProtocolListModel& protocols;
        Prompter& prompter;
        Settings& settings; // for the recent scenarios
    };

    explicit LabForm(Context context, QWidget* parent = nullptr);

    /// False while something is wrong with what was typed; the form says what.
    bool isReady() const;
    /// What is wrong has its usual value in it.
    models::LabDraft draft() const;

    /// What explores the same on the command line; empty as long as what was typed is in no file.
    QString command() const;
    /// The same for random runs.
    QString simulateCommand() const;

    ProtocolPicker& picker() { return *m_picker; }

    /// Whether nothing that is open would be lost; otherwise asks, and calls `close` when the user
    /// has decided.
    bool mayClose(const std::function<void()>& close);

    /// What is on the form and in the editors, to be there again in a later run of the program.
    models::LabFormState state() const;
    /// Editors with changes open when the form is shown.
    void restore(const models::LabFormState& state);

    /// Shows the scenario and what it says of the protocol. `path`: the file it is in; empty: none.
    void showScenario(const report::ScenarioFile& scenario, const QString& path);

    /// Shows the scenario of a file, or says why it cannot.
    void openScenario(const QString& path);

Q_SIGNALS:
    void changed();

protected:
    void showEvent(QShowEvent* event) override;

private:
    enum class Workload { UsualShapes, Own };

    void createProtocol(QVBoxLayout& layout);
    void createScenario(QVBoxLayout& layout);
    void createFaults(QVBoxLayout& layout);
    void createBounds(QVBoxLayout& layout);
    void createFoot(QVBoxLayout& layout);
    void createFields(QVBoxLayout& layout, models::ScenarioFieldInfo::Group group);
    QSpinBox* addNumber(QVBoxLayout& layout, const QString& name, const QString& label);
    void connectParts();

    Workload workload() const;
    void takeProtocol();
    void takeText(models::ScenarioField field, const QString& text);
    void rewriteClients();
    void adoptProtocol(const report::SavedProtocol& saved);
    report::ScenarioFile scenarioFile() const;
    QString scenarioText() const;
    void showDraft();
    void refresh();
    void refreshClients();
    void refreshFoot();
    void showScripts();
    void showEditor();
    ProtocolEditor& createEditor(const protocol::LockProtocol& beginning);
    void showKeptEditors();

    const protocol::ProtocolInfo& info() const;

    Context m_context;
    models::ScenarioDraft m_scenario;
    models::ScenarioDraft m_defaults; // what the draft had before anything was typed
    models::ParsedScenario m_parsed;
    QString m_savedText; // what is in the file
    QString m_file;      // empty: it is in none

    QList<ProtocolEditor*> m_keptEditors; // that were not shown yet

    ProtocolPicker* m_picker = nullptr;
    ScenarioMenu* m_menu = nullptr;
    QComboBox* m_workload = nullptr;
    QLabel* m_name = nullptr;
    QWidget* m_ownClients = nullptr; // what they do, where no fields can say it
    QLabel* m_clientLines = nullptr;
    std::map<models::ScenarioField, OptionRow*> m_rows;
    std::map<models::ScenarioField, QLineEdit*> m_edits;
    FaultList* m_faults = nullptr;
    QLabel* m_faultNote = nullptr;
    QSpinBox* m_clients = nullptr;
    QSpinBox* m_bound = nullptr;
    QSpinBox* m_runs = nullptr;
    QLabel* m_complaints = nullptr;
    CommandBox* m_command = nullptr;
    QLabel* m_commandNote = nullptr;
};

} // namespace lockscope::widgets
