#include "ui/widgets/locks/release/disconnect_dialog.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/dialog_height.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/selectable_text.h"
#include "ui/widgets/locks/fact_list.h"
#include "ui/widgets/locks/release/plan_checks.h"
#include "ui/widgets/locks/release/release_outcome_view.h"
#include "ui/widgets/locks/release/typed_edit.h"
#include "ui/widgets/style/flat_style.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kDisconnectWidth = 76;
constexpr qsizetype kTypedLength = 6;

/// Over a unix socket all clients have the same one.
bool hasOwnAddress(const inspect::ClientInfo& client)
{
    return !client.address.starts_with('/');
}

/// The end of the address, or the number.
QString endOfIdentity(const inspect::ClientInfo& client)
{
    return hasOwnAddress(client) ? models::bytesText(client.address).right(kTypedLength)
                                 : QString::number(client.id);
}

} // namespace

DisconnectDialog::DisconnectDialog(service::ReleaseDesk& desk, std::function<FactContext()> context,
                                   const inspect::LockId& id, const Bytes& owner, QWidget* parent)
    : QDialog(parent),
      m_desk(desk),
      m_context(std::move(context))
{
    m_order.lock = id;
    m_order.owner = owner;
    setObjectName(u"disconnectDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Disconnect the holder of a lock"));
    createParts();
    connect(&m_desk, &service::ReleaseDesk::holderFound, this, &DisconnectDialog::showFound);
    connect(&m_desk, &service::ReleaseDesk::holderDisconnected, this,
            &DisconnectDialog::showReport);
    m_request = m_desk.findHolder(id, owner);
    refresh();
}

void DisconnectDialog::createParts()
{
    auto* title = new ElidedLabel(Qt::ElideMiddle, this);
    QFont font = monospacedFont();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.2);
    title->setFont(font);
    title->setFullText(models::bytesText(m_order.lock.name));
    m_state = createWrappedText(u"disconnectState"_s, this);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setText(tr("Looking for the client…"));
    createForm();
    createColumn(this, {20, 18, 20, 16}, 12, {title, m_form, m_state, room(), createButtons()});
    setMinimumWidth(fontMetrics().averageCharWidth() * kDisconnectWidth);
    openAtFullHeight(*this);
}

void DisconnectDialog::createForm()
{
    m_form = new QWidget(this);
    m_destination = createWrappedText(u"planDestination"_s, m_form);
    m_destination->setTextFormat(Qt::PlainText);
    m_facts = new FactList(m_form);
    m_facts->setObjectName(u"disconnectFacts"_s);
    m_line = new SelectableText(m_form);
    m_line->setFont(monospacedFont());
    m_line->setLineCountMax(4);
    m_line->setAccessibleName(tr("As the server lists it"));
    auto* price = createWrappedText(u"disconnectPrice"_s, m_form);
    price->setText(models::toQString(report::disconnectPriceSentence()));
    m_reason = new QLineEdit(m_form);
    m_reason->setObjectName(u"reasonEdit"_s);
    m_reason->setAccessibleName(tr("Reason"));
    m_prompt = createWrappedText(u"confirmPrompt"_s, m_form);
    m_prompt->setTextFormat(Qt::PlainText);
    m_typed = new TypedEdit(m_form);
    m_typed->setObjectName(u"confirmEdit"_s);
    m_typed->setMaximumWidth(fontMetrics().averageCharWidth() * 24);
    createColumn(m_form, {}, 10,
                 {m_destination, m_facts, createCaption(tr("As the server lists it"), m_form),
                  m_line, price, createCaption(tr("Reason for the audit file"), m_form), m_reason,
                  m_prompt, m_typed});
    connect(m_typed, &QLineEdit::textChanged, this, &DisconnectDialog::refresh);
    connect(m_reason, &QLineEdit::textChanged, this, &DisconnectDialog::refresh);
    connect(m_typed, &TypedEdit::pasteRefused, this,
            [this] { say(tr("Type it by hand: pasting is off on production."), 1); });
    m_form->setVisible(false);
}

/// None of the buttons is the default one: Enter in a field would press it, whatever it does.
QWidget* DisconnectDialog::createButtons()
{
    auto* buttons = new QWidget(this);
    m_execute = new QPushButton(tr("Disconnect"), buttons);
    m_execute->setObjectName(u"executeButton"_s);
    m_execute->setAutoDefault(false);
    setEmphasis(m_execute, Emphasis::Danger);
    m_cancel = new QPushButton(tr("Cancel"), buttons);
    m_cancel->setObjectName(u"cancelButton"_s);
    m_cancel->setAutoDefault(false);
    connect(m_execute, &QPushButton::clicked, this, &DisconnectDialog::send);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    createRow(buttons, {}, 8, {m_execute, room(), m_cancel});
    return buttons;
}

void DisconnectDialog::showFound(quint64 request, const operations::FoundHolder& found)
{
    if (request != m_request || m_stage != Stage::Looking) {
        return;
    }
    if (!found.client) {
        m_stage = Stage::Obstacle;
        say(models::toQString(report::disconnectSentence(found.report, inspect::ClientInfo(),
                                                         m_context().now)),
            severityOf(found.report.result));
        m_cancel->setText(tr("Close"));
        refresh();
        return;
    }
    m_order.client = *found.client;
    m_order.master = found.master;
    m_stage = Stage::Ready;
    showForm();
}

void DisconnectDialog::showForm()
{
    const inspect::ClientInfo& client = m_order.client.info;
    m_facts->showFacts(
        {{tr("Owner"), models::bytesText(m_order.owner), Fact::Look::Mono},
         {tr("Client"), tr("number %1, %2").arg(client.id).arg(models::bytesText(client.address)),
          Fact::Look::Mono},
         {tr("Name"), client.name.empty() ? tr("none") : models::bytesText(client.name),
          client.name.empty() ? Fact::Look::Quiet : Fact::Look::Mono},
         {tr("Known because"), models::toQString(KernelText::lookUp(client.how)),
          Fact::Look::Plain}});
    m_line->setText(models::bytesText(m_order.client.line));
    m_confirmation = endOfIdentity(client);
    m_prompt->setText((hasOwnAddress(client)
                           ? tr("To disconnect the client, type %1, the end of its address.")
                           : tr("To disconnect the client, type %1, its number."))
                          .arg(m_confirmation));
    showRemark(*m_destination, destinationText(masters(), m_context()), isReasonNeeded() ? 2 : 1);
    const bool isProduction = isReasonNeeded();
    m_reason->setPlaceholderText(isProduction ? tr("Required on production") : tr("Optional"));
    m_typed->refusePasting(isProduction);
    m_state->clear();
    m_state->setVisible(false);
    m_form->setVisible(true);
    m_typed->setFocus();
    refresh();
    fitHeight(*this);
}

Masters DisconnectDialog::masters() const
{
    return m_order.master.empty() ? Masters() : Masters{{m_order.lock.server, m_order.master}};
}

bool DisconnectDialog::isReasonNeeded() const
{
    return widgets::isReasonNeeded(m_order.lock, m_context(), masters());
}

QString DisconnectDialog::missing() const
{
    if (m_typed->text() != m_confirmation) {
        return tr("Nothing was sent. To disconnect the client, type %1.").arg(m_confirmation);
    }
    return isReasonNeeded() && m_reason->text().trimmed().isEmpty()
               ? tr("Nothing was sent. Enter a reason; it is required on production.")
               : QString();
}

void DisconnectDialog::refresh()
{
    const bool isReady = m_stage == Stage::Ready;
    const QString why = isReady ? missing() : QString();
    m_execute->setVisible(isReady || m_stage == Stage::Looking);
    m_execute->setEnabled(isReady && why.isEmpty());
    m_execute->setToolTip(why);
}

void DisconnectDialog::send()
{
    if (m_stage != Stage::Ready || !missing().isEmpty()) {
        return;
    }
    m_stage = Stage::Sent;
    m_order.reason = m_reason->text().trimmed().toStdString();
    m_form->setVisible(false);
    say(tr("Sending…"), -1);
    m_cancel->setText(tr("Close"));
    m_cancel->setFocus();
    refresh();
    m_request = m_desk.disconnectHolder(m_order);
}

void DisconnectDialog::showReport(quint64 request, const inspect::KillReport& report)
{
    if (request != m_request || m_stage != Stage::Sent) {
        return;
    }
    m_stage = Stage::Answered;
    const QString sentence =
        models::toQString(report::disconnectSentence(report, m_order.client.info, m_context().now));
    say(sentence, severityOf(report.result));
    Q_EMIT done(m_order.lock, sentence);
    fitHeight(*this);
}

void DisconnectDialog::say(const QString& sentence, int severity)
{
    QPalette colored = palette();
    if (severity >= 0) {
        colored.setColor(QPalette::WindowText, severityColor(severity, palette()));
    }
    m_state->setPalette(colored);
    m_state->setText(sentence);
    m_state->setVisible(true);
}

void DisconnectDialog::reject()
{
    if (m_stage == Stage::Sent) {
        Q_EMIT done(m_order.lock, tr("disconnect sent, no reply yet; the outcome will be in the "
                                     "audit"));
    } else if (m_stage != Stage::Answered) {
        Q_EMIT done(m_order.lock, tr("holder not disconnected: nothing was sent"));
    }
    QDialog::reject();
}

} // namespace lockscope::widgets
