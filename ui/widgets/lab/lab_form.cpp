#include "ui/widgets/lab/lab_form.h"

#include "core/kernel/base/kernel_text.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/option_row.h"
#include "ui/widgets/controls/protocol_picker.h"
#include "ui/widgets/controls/strip.h"
#include "ui/widgets/lab/fault_list.h"
#include "ui/widgets/lab/protocol_editor.h"
#include "ui/widgets/lab/scenario_menu.h"
#include "ui/widgets/lab/scripts_window.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::FaultDrafts;
using models::ScenarioDraft;
using models::ScenarioField;
using FieldGroup = models::ScenarioFieldInfo::Group;

namespace {

constexpr int kNumberCharacters = 20;
constexpr int kEditCharacters = 15;
constexpr int kClientsMin = 2;
constexpr int kClientsMax = 26;
constexpr int kSchedulesMin = 100;
constexpr int kSchedulesMax = 10'000'000;
constexpr int kSchedulesUsual = 3000;
constexpr int kRunsUsual = 10'000;

/// A caption with what can be done about it at the right.
QHBoxLayout* createHead(const QString& title, const std::vector<QToolButton*>& links,
                        QWidget* parent)
{
    auto* head = createRow(kUsualSpacing, {createCaption(title, parent), room()});
    for (QToolButton* link : links) {
        head->addWidget(link);
    }
    return head;
}

QToolButton* createLink(const QString& name, const QString& text, const QString& hint,
                        QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(hint);
    button->setAutoRaise(true);
    return button;
}

/// The same values, however they are laid out.
bool isSameJson(const std::string& one, const std::string& other)
{
    return nlohmann::json::parse(one, nullptr, false)
           == nlohmann::json::parse(other, nullptr, false);
}

QLabel* createNote(const QString& name, QWidget* parent)
{
    QLabel* note = createQuietLabel({}, parent);
    note->setObjectName(name);
    note->setWordWrap(true);
    return note;
}

} // namespace

LabForm::LabForm(Context context, QWidget* parent) : QWidget(parent), m_context(context)
{
    setObjectName(u"labForm"_s);
    auto* layout = createColumn(this, {16, 12, 16, 16}, 6, {});
    createProtocol(*layout);
    layout->addSpacing(10);
    createScenario(*layout);
    layout->addSpacing(10);
    createFaults(*layout);
    layout->addSpacing(10);
    createBounds(*layout);
    createFoot(*layout);
    layout->addStretch(1);
    m_defaults = ScenarioDraft::usual(info());
    m_scenario = m_defaults;
    showDraft();
    connectParts();
    takeProtocol();
}

void LabForm::createProtocol(QVBoxLayout& layout)
{
    m_picker = new ProtocolPicker(m_context.protocols, this); // first: the keyboard begins here
    auto* scripts = createLink(u"scriptsButton"_s, tr("Scripts…"),
                               tr("Show the promises, the known flaw and the Lua scripts"), this);
    auto* edit = createLink(
        u"ownProtocolButton"_s, tr("New protocol…"),
        tr("Write a custom protocol: three scripts and the meaning of their replies"), this);
    connect(scripts, &QToolButton::clicked, this, &LabForm::showScripts);
    connect(edit, &QToolButton::clicked, this, &LabForm::showEditor);
    layout.addLayout(createHead(tr("Protocol"), {scripts, edit}, this));
    layout.addWidget(m_picker);
}

void LabForm::createScenario(QVBoxLayout& layout)
{
    auto* files = createLink(u"scenarioMenuButton"_s, tr("Open or save"),
                             tr("Open or save scenario files, or load an example"), this);
    m_menu = new ScenarioMenu(m_context.prompter, m_context.settings, this);
    files->setMenu(m_menu);
    files->setPopupMode(QToolButton::InstantPopup);
    layout.addLayout(createHead(tr("Scenario"), {files}, this));
    m_workload = new QComboBox(this);
    m_workload->setObjectName(u"workloadCombo"_s);
    m_workload->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_workload->addItem(tr("all default plans"));
    m_workload->addItem(tr("custom"));
    m_workload->setItemData(0,
                            tr("Several plans that suit the protocol: two at once, one behind the "
                               "other's lease, two rounds, nested."),
                            Qt::ToolTipRole);
    m_workload->setItemData(1, tr("Define the clients and the limits of the faults yourself."),
                            Qt::ToolTipRole);
    layout.addWidget(new OptionRow(tr("Workload"), m_workload, this));
    m_name = createNote(u"scenarioName"_s, this);
    layout.addWidget(m_name);
    m_ownClients = new QWidget(this);
    m_clientLines = createWrappedText(u"clientLines"_s, m_ownClients);
    auto* rewrite =
        createButton(u"rewriteClientsButton"_s, tr("Reset the clients"), m_ownClients,
                     tr("Discard the individual steps and use the same workload for all clients."));
    createColumn(m_ownClients, {}, kUsualSpacing, {m_clientLines, aligned(rewrite, Qt::AlignLeft)});
    connect(rewrite, &QPushButton::clicked, this, &LabForm::rewriteClients);
    layout.addWidget(m_ownClients);
    m_clients = addNumber(layout, u"clientsBox"_s, tr("Clients"));
    m_clients->setRange(kClientsMin - 1, kClientsMax);
    m_clients->setSpecialValueText(tr("two or three"));
    m_clients->setToolTip(tr("More clients make every plan larger and the search slower."));
    createFields(layout, FieldGroup::Clients);
    createFields(layout, FieldGroup::Lock);
}

void LabForm::createFaults(QVBoxLayout& layout)
{
    m_faults = new FaultList(this);
    layout.addWidget(m_faults);
    createFields(layout, FieldGroup::Faults);
    m_faultNote = createNote(u"faultNote"_s, this);
    layout.addWidget(m_faultNote);
}

void LabForm::createBounds(QVBoxLayout& layout)
{
    layout.addWidget(createCaption(tr("Search limits"), this));
    m_bound = addNumber(layout, u"boundBox"_s, tr("Schedules per plan"));
    m_bound->setRange(kSchedulesMin, kSchedulesMax);
    m_bound->setValue(kSchedulesUsual);
    m_bound->setToolTip(tr("The shortest schedules come first: a higher limit does not shorten "
                           "what was already found."));
    m_runs = addNumber(layout, u"runsBox"_s, tr("Random runs"));
    m_runs->setRange(1, kSchedulesMax);
    m_runs->setValue(kRunsUsual);
    m_runs->setToolTip(tr("Used by Simulate."));
    createFields(layout, FieldGroup::Bounds);
}

void LabForm::createFields(QVBoxLayout& layout, FieldGroup group)
{
    for (const models::ScenarioFieldInfo& asked : models::scenarioFields()) {
        if (asked.group != group) {
            continue;
        }
        auto* edit = new QLineEdit(this);
        edit->setObjectName(asked.editor());
        edit->setAlignment(Qt::AlignRight);
        edit->setFixedWidth(fontMetrics().averageCharWidth() * kEditCharacters);
        auto* row = new OptionRow(asked.label(), edit, this);
        row->setToolTip(asked.hint());
        layout.addWidget(row);
        m_rows[asked.field] = row;
        m_edits[asked.field] = edit;
        connect(edit, &QLineEdit::textEdited, this,
                [this, field = asked.field](const QString& text) { takeText(field, text); });
    }
}

QSpinBox* LabForm::addNumber(QVBoxLayout& layout, const QString& name, const QString& label)
{
    auto* box = new QSpinBox(this);
    box->setObjectName(name);
    box->setAlignment(Qt::AlignRight);
    box->setGroupSeparatorShown(true);
    box->setFixedWidth(fontMetrics().averageCharWidth() * kNumberCharacters);
    layout.addWidget(new OptionRow(label, box, this));
    return box;
}

void LabForm::createFoot(QVBoxLayout& layout)
{
    m_complaints = createWrappedText(u"labComplaints"_s, this);
    m_command = new CommandBox(this);
    m_command->setObjectName(u"labCommand"_s);
    m_commandNote = createNote(u"labCommandNote"_s, this);
    addParts(layout,
             {m_complaints, gap(10), createCaption(tr("Same as"), this), m_command, m_commandNote});
}

void LabForm::connectParts()
{
    connect(m_picker, &ProtocolPicker::protocolChanged, this, &LabForm::takeProtocol);
    connect(m_workload, &QComboBox::currentIndexChanged, this, &LabForm::refresh);
    connect(m_faults, &FaultList::changed, this, &LabForm::refresh);
    for (const QSpinBox* box : {m_clients, m_bound, m_runs}) {
        connect(box, &QSpinBox::valueChanged, this, &LabForm::refreshFoot);
    }
    connect(m_menu, &ScenarioMenu::opened, this, &LabForm::showScenario);
    connect(m_menu, &ScenarioMenu::saveRequested, this,
            [this] { m_menu->saveAs(scenarioText(), models::toQString(info().id)); });
    connect(m_menu, &ScenarioMenu::saved, this, [this](const QString& text, const QString& path) {
        m_savedText = text;
        m_file = path;
        m_workload->setCurrentIndex(static_cast<int>(Workload::Own)); // that is what was saved
        refresh();
    });
}

const protocol::ProtocolInfo& LabForm::info() const
{
    return m_picker->protocol()->info();
}

LabForm::Workload LabForm::workload() const
{
    return static_cast<Workload>(m_workload->currentIndex());
}

void LabForm::takeProtocol()
{
    const ScenarioDraft defaults = ScenarioDraft::usual(info());
    m_scenario.adoptDefaults(m_defaults, defaults);
    m_defaults = defaults;
    m_faults->offer(models::faultsFor(info()));
    showDraft();
    refresh();
}

void LabForm::takeText(ScenarioField field, const QString& text)
{
    m_scenario.setText(field, text);
    refresh();
}

void LabForm::rewriteClients()
{
    m_scenario.forgetOwnClients();
    refresh();
}

/// A scenario may leave the protocol open.
void LabForm::adoptProtocol(const report::SavedProtocol& saved)
{
    if (!saved.protocol) {
        return;
    }
    const QString known = m_context.protocols.textOf(*saved.protocol);
    if (!saved.ownText.empty() && !isSameJson(known.toStdString(), saved.ownText)) {
        m_context.protocols.addOwn(saved.protocol, {}, models::toQString(saved.ownText));
    }
    m_picker->choose(models::toQString(saved.info().id));
}

void LabForm::openScenario(const QString& path)
{
    m_menu->open(path);
}

void LabForm::showScenario(const report::ScenarioFile& scenario, const QString& path)
{
    adoptProtocol(scenario.protocol);
    FaultDrafts faults;
    m_scenario = ScenarioDraft::of(scenario.planFor(m_picker->protocol()->info()), faults);
    m_faults->setDrafts(faults);
    {
        const QSignalBlocker blocker(m_workload);
        m_workload->setCurrentIndex(static_cast<int>(Workload::Own));
    }
    showDraft();
    refresh();
    m_file = path;
    m_savedText = scenarioText();
    refreshFoot();
}

report::ScenarioFile LabForm::scenarioFile() const
{
    report::ScenarioFile scenario;
    scenario.protocol.protocol = m_picker->protocol();
    scenario.protocol.ownText = m_context.protocols.textOf(*m_picker->protocol()).toStdString();
    scenario.plan = m_parsed.plan;
    return scenario;
}

QString LabForm::scenarioText() const
{
    return QString::fromStdString(report::scenarioText(scenarioFile()));
}

void LabForm::showDraft()
{
    for (const auto& [field, edit] : m_edits) {
        if (edit->text() != m_scenario.text(field)) {
            edit->setText(m_scenario.text(field));
        }
    }
}

void LabForm::refresh()
{
    const bool isOwn = workload() == Workload::Own;
    m_faults->blockSignals(true);
    m_faults->setDetailed(isOwn);
    m_faults->blockSignals(false);
    m_parsed = models::readScenarioDraft(m_scenario, isOwn ? m_faults->drafts() : FaultDrafts(),
                                         info());
    m_faults->setLease(m_parsed.plan.leaseMax());
    m_faults->showComplaints(m_parsed);
    for (const auto& [field, row] : m_rows) {
        const bool isAsked = isOwn || field == ScenarioField::kSeed;
        row->setVisible(isAsked && models::appliesTo(field, m_scenario, info()));
        row->setError(m_parsed.complaintAt(field));
    }
    m_clients->parentWidget()->setVisible(!isOwn);
    m_workload->setToolTip(m_workload->currentData(Qt::ToolTipRole).toString());
    m_faultNote->setText(isOwn ? tr("The selected faults may occur together in one run. Leave a "
                                    "field empty for a default that suits the lease.")
                               : tr("Each fault is searched separately. Without a fault, only the "
                                    "order of the steps varies."));
    refreshClients();
    refreshFoot();
}

void LabForm::refreshClients()
{
    const bool isOwn = workload() == Workload::Own;
    m_ownClients->setVisible(isOwn && m_scenario.hasOwnClients());
    m_clientLines->setText(models::clientLines(m_scenario.base()).join(u'\n'));
    const QString name = models::toQString(KernelText::lookUp(m_scenario.base().name));
    m_name->setText(m_file.isEmpty() ? name
                                     : tr("%1 · %2").arg(name, QFileInfo(m_file).fileName()));
    m_name->setToolTip(m_file);
    m_name->setVisible(isOwn);
}

void LabForm::refreshFoot()
{
    const bool isOwn = workload() == Workload::Own;
    showRemark(*m_complaints, isOwn ? m_parsed.generalComplaints() : QString(), 2);
    const QString same = command();
    m_command->setCommand(same);
    m_command->setVisible(!same.isEmpty());
    m_commandNote->setText(draft().scenario ? tr("Save the scenario to get its command.")
                                            : tr("Save the protocol to get its command."));
    m_commandNote->setVisible(same.isEmpty());
    Q_EMIT changed();
}

bool LabForm::isReady() const
{
    return workload() == Workload::Own ? m_parsed.complaints.empty()
                                       : m_parsed.complaintAt(ScenarioField::kSeed).isEmpty();
}

models::LabDraft LabForm::draft() const
{
    models::LabDraft draft;
    draft.protocol = m_picker->protocol();
    draft.faults = m_faults->chosen();
    draft.clientCount = m_clients->value() < kClientsMin ? 0 : m_clients->value();
    draft.schedulesMax = static_cast<std::uint64_t>(m_bound->value());
    draft.runCount = static_cast<std::uint64_t>(m_runs->value());
    draft.seed = m_parsed.plan.seed;
    if (workload() == Workload::Own) {
        draft.scenario = m_parsed.plan;
        const bool isInFile = isReady() && !m_file.isEmpty() && scenarioText() == m_savedText;
        draft.scenarioFile = isInFile ? m_file : QString();
    }
    return draft;
}

QString LabForm::command() const
{
    return models::exploreCommand(draft(), m_context.protocols.fileOf(*m_picker->protocol()));
}

QString LabForm::simulateCommand() const
{
    return models::simulateCommand(draft(), m_context.protocols.fileOf(*m_picker->protocol()));
}

void LabForm::showScripts()
{
    auto* window = new ScriptsWindow(*m_picker->protocol(),
                                     m_context.protocols.textOf(*m_picker->protocol()), this);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
}

ProtocolEditor& LabForm::createEditor(const protocol::LockProtocol& beginning)
{
    auto* editor = new ProtocolEditor({m_context.protocols, m_context.prompter},
                                      {m_context.protocols.textOf(beginning),
                                       m_context.protocols.fileOf(beginning)},
                                      this);
    editor->setAttribute(Qt::WA_DeleteOnClose);
    connect(editor, &ProtocolEditor::used, this,
            [this](const QString& id) { m_picker->choose(id); });
    return *editor;
}

void LabForm::showEditor()
{
    createEditor(*m_picker->protocol()).show();
}

void LabForm::showKeptEditors()
{
    for (ProtocolEditor* const editor : std::exchange(m_keptEditors, {})) {
        editor->show();
    }
}

void LabForm::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    QMetaObject::invokeMethod(this, &LabForm::showKeptEditors, Qt::QueuedConnection);
}

models::LabFormState LabForm::state() const
{
    models::LabFormState state;
    state.protocol = models::toQString(info().id);
    state.isOwnScenario = workload() == Workload::Own;
    state.scenario = m_scenario.editsOf(m_defaults);
    state.scenarioFile = m_file;
    state.savedScenario = m_file.isEmpty() ? QString() : m_savedText;
    state.faults = m_faults->state();
    state.clientCount = m_clients->value();
    state.schedulesMax = m_bound->value();
    state.runCount = m_runs->value();
    for (const ProtocolEditor* const editor : findChildren<ProtocolEditor*>()) {
        const bool isOpen = !editor->isHidden() || m_keptEditors.contains(editor);
        if (isOpen && editor->isChanged()) {
            state.edited.append(editor->edited());
        }
    }
    return state;
}

void LabForm::restore(const models::LabFormState& state)
{
    if (state.protocol.isEmpty()) {
        return;
    }
    m_picker->choose(state.protocol);
    m_scenario = m_defaults;
    m_scenario.apply(state.scenario);
    m_faults->restore(state.faults);
    const std::pair<QSpinBox*, int> numbers[]{{m_clients, state.clientCount},
                                              {m_bound, state.schedulesMax},
                                              {m_runs, state.runCount}};
    for (const auto& [box, number] : numbers) {
        box->setValue(number > 0 ? number : box->value());
    }
    m_file = QFileInfo::exists(state.scenarioFile) ? state.scenarioFile : QString();
    m_savedText = state.savedScenario;
    const auto workload = state.isOwnScenario ? Workload::Own : Workload::UsualShapes;
    m_workload->setCurrentIndex(static_cast<int>(workload));
    showDraft();
    refresh();
    for (const models::EditedProtocol& edited : state.edited) {
        ProtocolEditor& editor = createEditor(*m_picker->protocol());
        editor.resume(edited);
        m_keptEditors.append(&editor);
    }
}

bool LabForm::mayClose(const std::function<void()>& close)
{
    for (ProtocolEditor* const editor : findChildren<ProtocolEditor*>()) {
        if (editor->isVisible() && editor->isChanged()) {
            editor->whenNothingIsLost([editor, close] {
                editor->done(QDialog::Rejected); // nothing more to ask there
                close();
            });
            return false;
        }
    }
    return true;
}

} // namespace lockscope::widgets
