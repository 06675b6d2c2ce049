#include "ui/widgets/contend/contend_form.h"

#include "core/kernel/report/run/contend_call.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/option_row.h"
#include "ui/widgets/controls/protocol_picker.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::ContendDraft;
using workload::RunParameter;

namespace {

constexpr int kEditCharacters = 15;

QString titleOf(RunParameter::Form::Group group)
{
    using enum RunParameter::Form::Group;
    switch (group) {
    case Load: return ContendForm::tr("Scenario");
    case Lock: return ContendForm::tr("Lock");
    case Faults: return ContendForm::tr("Faults");
    case Advanced: return {}; // its switch says it
    }
    return {};
}

} // namespace

ContendForm::ContendForm(models::ProtocolListModel& protocols, QWidget* parent)
    : QWidget(parent),
      m_protocols(protocols)
{
    setObjectName(u"contendForm"_s);
    auto* layout = createColumn(this, {16, 12, 16, 16}, 6, {});
    createHead(*layout);
    createGroups(*layout);
    createFoot(*layout);
    layout->addStretch(1);
    m_protocol = m_picker->protocol();
    m_defaults = ContendDraft::withDefaults(info(), workload::Scenario::Kind::Contention);
    m_draft = m_defaults;
    connect(m_picker, &ProtocolPicker::protocolChanged, this, &ContendForm::takeProtocol);
    connect(m_server, &QComboBox::currentIndexChanged, this, &ContendForm::takePlace);
    refreshServers();
    showDraft();
    refresh();
}

void ContendForm::createHead(QVBoxLayout& layout)
{
    layout.addWidget(createCaption(tr("Protocol"), this));
    m_picker = new ProtocolPicker(m_protocols, this);
    layout.addWidget(m_picker);
    auto* load = new QPushButton(tr("Load a protocol file…"), this);
    load->setObjectName(u"loadProtocolButton"_s);
    connect(load, &QPushButton::clicked, this, &ContendForm::loadRequested);
    layout.addWidget(load, 0, Qt::AlignLeft);
    layout.addSpacing(10);
    layout.addWidget(createCaption(tr("Server"), this));
    m_server = new QComboBox(this);
    m_server->setObjectName(u"serverCombo"_s);
    m_server->setAccessibleName(tr("Server"));
    m_server->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    layout.addWidget(m_server);
    m_obstacle = createWrappedText(u"serverObstacle"_s, this);
    layout.addWidget(m_obstacle);
}

void ContendForm::createGroups(QVBoxLayout& layout)
{
    addTextRow(layout,
               {models::kPrivateServersField, tr("Number of servers"),
                tr("Independent masters that are started for the run and stopped afterwards.")});
    // In the order of the keyboard, which is that of creation.
    QVBoxLayout* rows = createGroup(layout, Group::Load);
    createKind(*rows);
    addParameters(*rows, Group::Load);
    for (const Group group : {Group::Lock, Group::Faults, Group::Advanced}) {
        rows = createGroup(layout, group);
        addParameters(*rows, group);
    }
    addTextRow(*rows, {models::kThreadsField, tr("Threads"),
                       tr("Number of event loops that share the contenders.")});
}

void ContendForm::addParameters(QVBoxLayout& rows, Group group)
{
    for (const RunParameter& parameter : workload::runParameters()) {
        const RunParameter::Form& form = parameter.form;
        if (!parameter.isInForm() || form.group != group) {
            continue;
        }
        addTextRow(rows,
                   {parameter.id, models::toQString(form.label()), models::toQString(form.hint()),
                    form.placeholder != nullptr ? models::toQString(form.placeholder())
                                                : QString()});
    }
}

void ContendForm::createKind(QVBoxLayout& layout)
{
    m_kind = new QComboBox(this);
    m_kind->setObjectName(u"kindCombo"_s);
    m_kind->setFixedWidth(fontMetrics().averageCharWidth() * kEditCharacters);
    const auto add = [this](const QString& label, const QString& id, const QString& hint) {
        m_kind->addItem(label, id);
        m_kind->setItemData(m_kind->count() - 1, hint, Qt::ToolTipRole);
    };
    add(tr("contention"), u"contention"_s,
        tr("All contenders think, acquire, hold and release, in a loop."));
    add(tr("hot standby"), u"hot-standby"_s,
        tr("One contender works until it dies; the others retry until one takes over."));
    add(tr("draw"), u"draw"_s,
        tr("All contenders make one attempt at the same time. Exactly one may win."));
    layout.addWidget(new OptionRow(tr("Workload"), m_kind, this));
    connect(m_kind, &QComboBox::currentIndexChanged, this, &ContendForm::takeKind);
}

QVBoxLayout* ContendForm::createGroup(QVBoxLayout& layout, Group group)
{
    if (group == Group::Advanced) {
        m_advanced = new QToolButton(this);
        m_advanced->setObjectName(u"advancedButton"_s);
        m_advanced->setText(tr("Advanced"));
        m_advanced->setCheckable(true);
        m_advanced->setAutoRaise(true);
        m_advanced->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        m_advanced->setArrowType(Qt::RightArrow);
        layout.addSpacing(6);
        layout.addWidget(m_advanced, 0, Qt::AlignLeft);
    }
    auto* box = new QWidget(this);
    auto* rows = createColumn(box, {0, 8, 0, 0}, 6, {});
    if (const QString title = titleOf(group); !title.isEmpty()) {
        rows->addWidget(createCaption(title, box));
    }
    layout.addWidget(box);
    m_groups[group] = box;
    if (group == Group::Advanced) {
        box->setVisible(false);
        connect(m_advanced, &QToolButton::toggled, this, [this, box](bool isOpen) {
            m_advanced->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
            box->setVisible(isOpen);
        });
    }
    return rows;
}

void ContendForm::addTextRow(QVBoxLayout& layout, const FieldLook& look)
{
    auto* edit = new QLineEdit(this);
    edit->setObjectName(models::toQString(look.id) + u"Edit"_s);
    edit->setAlignment(Qt::AlignRight);
    edit->setFixedWidth(fontMetrics().averageCharWidth() * kEditCharacters);
    edit->setPlaceholderText(look.placeholder);
    auto* row = new OptionRow(look.label, edit, this);
    row->setToolTip(look.hint);
    layout.addWidget(row);
    m_rows[look.id] = row;
    m_edits[look.id] = edit;
    connect(edit, &QLineEdit::textEdited, this,
            [this, field = look.id](const QString& text) { takeText(field, text); });
}

void ContendForm::createFoot(QVBoxLayout& layout)
{
    m_complaints = createWrappedText(u"contendComplaints"_s, this);
    m_command = new CommandBox(this);
    m_command->setObjectName(u"contendCommand"_s);
    addParts(layout, {m_complaints, gap(8), createCaption(tr("Same as"), this), m_command});
}

void ContendForm::setServers(const std::vector<store::Endpoint>& servers)
{
    m_connected = servers;
    refreshServers();
    takePlace(); // what is connected no more is not chosen again by coming back
}

void ContendForm::takePlace()
{
    m_chosen = place().servers;
    refresh();
}

/// The choice is kept by its servers, whatever they are called for this protocol. One that is not
/// possible with it comes back with the next protocol.
void ContendForm::refreshServers()
{
    const QSignalBlocker blocker(m_server);
    m_places = models::serverChoices(m_connected, info());
    m_server->clear();
    for (const models::ServerChoice& choice : m_places) {
        m_server->addItem(choice.label);
    }
    m_server->setCurrentIndex(static_cast<int>(models::indexOfChoice(m_places, m_chosen)));
}

const models::ServerChoice& ContendForm::place() const
{
    const int index = std::max(m_server->currentIndex(), 0);
    return m_places[static_cast<std::size_t>(index)];
}

void ContendForm::takeProtocol()
{
    m_protocol = m_picker->protocol();
    const ContendDraft defaults = ContendDraft::withDefaults(info(), m_draft.kind());
    m_draft.adoptDefaults(m_defaults, defaults);
    m_defaults = defaults;
    refreshServers();
    showDraft();
    refresh();
}

void ContendForm::takeKind()
{
    m_draft.setText("kind", m_kind->currentData().toString());
    ContendDraft defaults = ContendDraft::withDefaults(info(), m_draft.kind());
    m_draft.adoptDefaults(m_defaults, defaults);
    m_defaults = defaults;
    showDraft();
    refresh();
}

void ContendForm::takeText(std::string_view field, const QString& text)
{
    m_draft.setText(field, text);
    refresh();
}

models::ContendFormState ContendForm::state() const
{
    return {models::toQString(info().id), m_draft.text("kind"), m_draft.editsOf(m_defaults),
            m_advanced->isChecked()};
}

void ContendForm::restore(const models::ContendFormState& state)
{
    if (state.protocol.isEmpty()) {
        return;
    }
    m_picker->choose(state.protocol);
    m_draft.setText("kind", state.kind);
    m_defaults = ContendDraft::withDefaults(info(), m_draft.kind());
    m_draft = m_defaults;
    m_draft.apply(state.texts);
    m_advanced->setChecked(state.isAdvancedOpen);
    showDraft();
    refresh();
}

void ContendForm::showDraft()
{
    for (const auto& [field, edit] : m_edits) {
        if (edit->text() != m_draft.text(field)) {
            edit->setText(m_draft.text(field));
        }
    }
    const QSignalBlocker blocker(m_kind);
    m_kind->setCurrentIndex(m_kind->findData(m_draft.text("kind")));
    m_kind->setToolTip(m_kind->currentData(Qt::ToolTipRole).toString());
}

void ContendForm::refresh()
{
    const models::ContendPlace where{place().isPrivate()};
    m_parsed = models::readDraft(m_draft, info(), where);
    m_predicted = models::readDraft(m_draft, info(), where, workload::RunPurpose::Prediction);
    for (const auto& [field, row] : m_rows) {
        row->setVisible(m_parsed.fields.contains(field));
        row->setError(m_parsed.complaintAt(field));
    }
    m_groups[Group::Faults]->setVisible(m_draft.kind() != workload::Scenario::Kind::Draw);
    QStringList general;
    for (const models::ParsedDraft::Complaint& complaint : m_parsed.complaints) {
        if (complaint.field.empty()) {
            general += complaint.text;
        }
    }
    if (!m_parsed.complaints.empty() && m_predicted.complaints.empty()) {
        general += tr("Too large to run on one machine. Predict computes it instead.");
    }
    showRemark(*m_complaints, general.join(u'\n'), 2);
    showRemark(*m_obstacle, place().obstacle, 1);
    if (const auto wanted = order()) {
        m_command->setCommand(commandOf(*wanted));
    }
    Q_EMIT changed();
}

QString ContendForm::commandOf(const workload::LiveRunOrder& order) const
{
    const QString file = m_protocols.fileOf(*order.protocol);
    return models::toQString(report::contendCall(order, file.toStdString()));
}

std::optional<workload::LiveRunOrder> ContendForm::order() const
{
    const bool isPossible = m_parsed.complaints.empty() && place().obstacle.isEmpty();
    return isPossible ? std::optional(orderOf(m_parsed)) : std::nullopt;
}

std::optional<workload::LiveRunOrder> ContendForm::predictable() const
{
    return m_predicted.complaints.empty() ? std::optional(orderOf(m_predicted)) : std::nullopt;
}

workload::LiveRunOrder ContendForm::orderOf(const models::ParsedDraft& parsed) const
{
    workload::LiveRunOrder order;
    order.scenario = parsed.scenario;
    order.protocol = m_protocol;
    order.servers = place().servers;
    const bool isSet = info().keys == protocol::KeyUse::OnePerServer;
    order.privateServerCount = isSet ? parsed.privateServerCount : 1;
    order.threadCount = parsed.threadCount;
    return order;
}

} // namespace lockscope::widgets
