#include "lab/lab_form.h"

#include "contend/option_row.h"
#include "contend/protocol_picker.h"
#include "formatting.h"
#include "shell/command_box.h"
#include "shell/labels.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using world::FaultKind;

namespace {

constexpr int kFieldCharacters = 20;
constexpr int kClientsMin = 2;
constexpr int kClientsMax = 26;
constexpr int kSchedulesMin = 100;
constexpr int kSchedulesMax = 10'000'000;
constexpr int kSchedulesUsual = 3000;

QToolButton* createLink(const QString& name, const QString& text, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setText(text);
    button->setAutoRaise(true);
    return button;
}

} // namespace

LabForm::LabForm(models::ProtocolListModel& protocols, QWidget* parent)
    : QWidget(parent),
      m_protocols(protocols)
{
    setObjectName(u"labForm"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 16);
    layout->setSpacing(6);
    layout->addWidget(createCaption(tr("Protocol"), this));
    m_picker = new ProtocolPicker(m_protocols, this);
    layout->addWidget(m_picker);
    layout->addSpacing(10);
    createFaults(*layout);
    layout->addSpacing(10);
    createBounds(*layout);
    createFoot(*layout);
    layout->addStretch(1);
    connect(m_picker, &ProtocolPicker::protocolChanged, this, [this] {
        offerFaults();
        refresh();
    });
    for (const QSpinBox* box : {m_clients, m_bound}) {
        connect(box, &QSpinBox::valueChanged, this, &LabForm::refresh);
    }
    offerFaults();
    refresh();
}

void LabForm::createFaults(QVBoxLayout& layout)
{
    auto* head = new QHBoxLayout;
    head->addWidget(createCaption(tr("What may go wrong"), this));
    head->addStretch(1);
    auto* all = createLink(u"allFaultsButton"_s, tr("all"), this);
    auto* none = createLink(u"noFaultsButton"_s, tr("none"), this);
    head->addWidget(all);
    head->addWidget(none);
    layout.addLayout(head);
    connect(all, &QToolButton::clicked, this, [this] { checkAll(true); });
    connect(none, &QToolButton::clicked, this, [this] { checkAll(false); });
    for (int i = 0; i < static_cast<int>(FaultKind::FaultKindCount); ++i) {
        const auto fault = static_cast<FaultKind>(i);
        if (fault == FaultKind::Interleaving) {
            continue;
        }
        auto* box = new QCheckBox(models::faultTitle(fault), this);
        box->setObjectName(models::toQString(idOf(fault)));
        box->setToolTip(models::toQString(explain(fault)));
        box->setChecked(true);
        layout.addWidget(box);
        m_switches.push_back({fault, box});
        connect(box, &QCheckBox::toggled, this, &LabForm::refresh);
    }
    auto* note = createQuietLabel(tr("One at a time; without any, the order of the steps alone."),
                                  this);
    note->setWordWrap(true);
    layout.addWidget(note);
}

QSpinBox* LabForm::addNumber(QVBoxLayout& layout, const QString& name, const QString& label)
{
    auto* box = new QSpinBox(this);
    box->setObjectName(name);
    box->setAlignment(Qt::AlignRight);
    box->setGroupSeparatorShown(true);
    box->setFixedWidth(fontMetrics().averageCharWidth() * kFieldCharacters);
    layout.addWidget(new OptionRow(label, box, this));
    return box;
}

void LabForm::createBounds(QVBoxLayout& layout)
{
    layout.addWidget(createCaption(tr("How far to look"), this));
    m_clients = addNumber(layout, u"clientsBox"_s, tr("Clients"));
    m_clients->setRange(kClientsMin - 1, kClientsMax);
    m_clients->setSpecialValueText(tr("two or three"));
    m_clients->setToolTip(tr("More clients make every plan larger, and the search slower."));
    m_bound = addNumber(layout, u"boundBox"_s, tr("Schedules of a plan"));
    m_bound->setRange(kSchedulesMin, kSchedulesMax);
    m_bound->setValue(kSchedulesUsual);
    m_bound->setToolTip(tr("The shortest come first, so that what is found does not get shorter by "
                           "looking further."));
}

void LabForm::createFoot(QVBoxLayout& layout)
{
    layout.addSpacing(10);
    layout.addWidget(createCaption(tr("Same as"), this));
    m_command = new CommandBox(this);
    m_command->setObjectName(u"labCommand"_s);
    layout.addWidget(m_command);
}

void LabForm::checkAll(bool isChecked)
{
    for (const Switch& each : m_switches) {
        const QSignalBlocker blocker(each.box);
        each.box->setChecked(isChecked);
    }
    refresh();
}

/// What makes no difference to the protocol is not there to be switched on.
void LabForm::offerFaults()
{
    const std::vector<FaultKind> offered = models::faultsFor(m_picker->protocol()->info());
    for (const Switch& each : m_switches) {
        each.box->setVisible(std::ranges::find(offered, each.fault) != offered.end());
    }
}

models::LabDraft LabForm::draft() const
{
    models::LabDraft draft;
    draft.protocol = m_picker->protocol();
    for (const Switch& each : m_switches) {
        if (!each.box->isHidden() && each.box->isChecked()) {
            draft.faults.push_back(each.fault);
        }
    }
    draft.clientCount = m_clients->value() < kClientsMin ? 0 : m_clients->value();
    draft.schedulesMax = static_cast<std::uint64_t>(m_bound->value());
    return draft;
}

QString LabForm::command() const
{
    return models::exploreCommand(draft(), m_protocols.fileOf(*m_picker->protocol()));
}

void LabForm::refresh()
{
    m_command->setCommand(command());
    Q_EMIT changed();
}

} // namespace lockscope::widgets
