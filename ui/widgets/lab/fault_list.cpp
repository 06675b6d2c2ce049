#include "ui/widgets/lab/fault_list.h"

#include "ui/models/formatting.h"
#include "ui/models/lab/lab_draft.h"
#include "ui/models/typed_values.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/option_row.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::FaultDraft;
using models::FaultDrafts;
using models::LabFormState;
using world::FaultKind;

namespace {

constexpr int kAmountCharacters = 8;
constexpr int kCountCharacters = 4;

} // namespace

FaultDraft FaultList::Row::draft() const
{
    return {amount != nullptr ? amount->text() : QString(), count->text()};
}

void FaultList::Row::show(bool isOn, const FaultDraft& draft) const
{
    box->setChecked(isOn);
    count->setText(draft.count);
    if (amount != nullptr) {
        amount->setText(draft.amount);
    }
}

FaultList::FaultList(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"faultList"_s);
    auto* layout = createColumn(this, {}, 6, {});
    createHead(*layout);
    for (const world::FaultInfo& fault : world::allFaults()) {
        if (fault.kind != FaultKind::Interleaving && !isMisuse(fault.kind)) {
            createFaultRow(*layout, fault);
        }
    }
    refresh();
}

void FaultList::createHead(QVBoxLayout& layout)
{
    auto* head = createRow(kUsualSpacing, {createCaption(tr("Faults"), this), room()});
    const auto addLink = [this, head](const QString& name, const QString& text, bool isChecked) {
        auto* link = new QToolButton(this);
        link->setObjectName(name);
        link->setText(text);
        link->setAutoRaise(true);
        head->addWidget(link);
        connect(link, &QToolButton::clicked, this, [this, isChecked] { checkAll(isChecked); });
    };
    addLink(u"allFaultsButton"_s, tr("all"), true);
    addLink(u"noFaultsButton"_s, tr("none"), false);
    layout.addLayout(head);
}

void FaultList::createFaultRow(QVBoxLayout& layout, const world::FaultInfo& fault)
{
    const QString id = models::toQString(fault.id);
    const QString title = models::toQString(fault.name());
    Row row;
    row.kind = fault.kind;
    row.box = new QCheckBox(title, this);
    row.box->setObjectName(id);
    row.box->setToolTip(models::toQString(fault.description()));
    row.box->setChecked(true);
    auto* details = new QWidget(this);
    auto* line = createRow(details, {}, 4, {});
    if (fault.usualAmount != nullptr) {
        row.amount = createEdit(id + u"-amount"_s, tr("%1: duration or amount").arg(title),
                                kAmountCharacters);
        line->addWidget(row.amount);
    }
    line->addWidget(createQuietLabel(u"×"_s, details));
    row.count = createEdit(id + u"-count"_s, tr("%1: maximum number per run").arg(title),
                           kCountCharacters);
    row.count->setPlaceholderText(u"1"_s);
    line->addWidget(row.count);
    row.row = new OptionRow(row.box, details, this);
    layout.addWidget(row.row);
    connect(row.box, &QCheckBox::toggled, this, &FaultList::refresh);
    m_rows.push_back(row);
}

QLineEdit* FaultList::createEdit(const QString& name, const QString& hint, int characters)
{
    auto* edit = new QLineEdit(this);
    edit->setObjectName(name);
    edit->setAccessibleName(hint);
    edit->setToolTip(hint);
    edit->setAlignment(Qt::AlignRight);
    edit->setFixedWidth(fontMetrics().averageCharWidth() * characters);
    connect(edit, &QLineEdit::textEdited, this, &FaultList::changed);
    return edit;
}

void FaultList::offer(const std::vector<FaultKind>& kinds)
{
    for (const Row& row : m_rows) {
        row.row->setVisible(std::ranges::find(kinds, row.kind) != kinds.end());
    }
}

void FaultList::setDetailed(bool isDetailed)
{
    m_isDetailed = isDetailed;
    refresh();
}

void FaultList::setLease(Duration lease)
{
    for (const Row& row : m_rows) {
        if (row.amount != nullptr) {
            row.amount->setPlaceholderText(models::spanWord(world::usualAmount(row.kind, lease)));
        }
    }
}

std::vector<FaultKind> FaultList::chosen() const
{
    std::vector<FaultKind> kinds;
    for (const Row& row : m_rows) {
        if (!row.row->isHidden() && row.box->isChecked()) {
            kinds.push_back(row.kind);
        }
    }
    return kinds;
}

FaultDrafts FaultList::drafts() const
{
    FaultDrafts drafts;
    for (const Row& row : m_rows) {
        if (!row.row->isHidden() && row.box->isChecked()) {
            drafts[row.kind] = row.draft();
        }
    }
    return drafts;
}

void FaultList::setDrafts(const FaultDrafts& drafts)
{
    {
        const QSignalBlocker blocker(this);
        for (const Row& row : m_rows) {
            const auto found = drafts.find(row.kind);
            const FaultDraft draft = found != drafts.end() ? found->second : FaultDraft();
            row.show(found != drafts.end(), draft);
        }
    }
    refresh();
}

std::map<FaultKind, LabFormState::Fault> FaultList::state() const
{
    std::map<FaultKind, LabFormState::Fault> state;
    for (const Row& row : m_rows) {
        state[row.kind] = {row.box->isChecked(), row.draft()};
    }
    return state;
}

void FaultList::restore(const std::map<FaultKind, LabFormState::Fault>& state)
{
    {
        const QSignalBlocker blocker(this);
        for (const Row& row : m_rows) {
            if (const auto found = state.find(row.kind); found != state.end()) {
                row.show(found->second.isOn, found->second.typed);
            }
        }
    }
    refresh();
}

void FaultList::showComplaints(const models::ParsedScenario& parsed)
{
    for (const Row& row : m_rows) {
        row.row->setError(parsed.complaintAt(row.kind));
    }
}

void FaultList::checkAll(bool isChecked)
{
    {
        const QSignalBlocker blocker(this);
        for (const Row& row : m_rows) {
            row.box->setChecked(isChecked);
        }
    }
    refresh();
}

/// How much and how often is asked only of what may happen.
void FaultList::refresh()
{
    for (const Row& row : m_rows) {
        row.count->parentWidget()->setVisible(m_isDetailed && row.box->isChecked());
    }
    Q_EMIT changed();
}

} // namespace lockscope::widgets
