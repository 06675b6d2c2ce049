#include "ui/widgets/acquire/acquire_dialog.h"

#include "ui/models/formatting.h"
#include "ui/models/locks/held_locks.h"
#include "ui/models/server_choice.h"
#include "ui/widgets/acquire/tone_of_kept_lock.h"
#include "ui/widgets/controls/dialog_height.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/option_row.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/controls/protocol_picker.h"
#include "ui/widgets/controls/status_dot.h"
#include "ui/widgets/controls/strip.h"
#include "ui/widgets/style/flat_style.h"
#include "ui/widgets/style/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using service::KeptLock;
using KeptState = KeptLock::State;

namespace {

constexpr std::chrono::milliseconds kTick{200};

} // namespace

AcquireDialog::AcquireDialog(Context context, QWidget* parent)
    : QDialog(parent),
      m_context(std::move(context))
{
    setObjectName(u"acquireDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Acquire a lock"));
    auto* layout = createColumn(this, {20, 18, 20, 16}, 12, {});
    createForm(*layout);
    createState(*layout);
    createButtons(*layout);
    setMinimumWidth(fontMetrics().averageCharWidth() * 72);
    m_tick = new QTimer(this);
    m_tick->setInterval(kTick);
    connect(m_tick, &QTimer::timeout, this, &AcquireDialog::refreshState);
    connect(m_picker, &ProtocolPicker::protocolChanged, this, &AcquireDialog::takeProtocol);
    connect(&m_context.keeper, &service::LockKeeper::changed, this, &AcquireDialog::takeChange);
    takeProtocol();
    m_key->setFocus();
}

void AcquireDialog::createForm(QVBoxLayout& layout)
{
    m_form = new QWidget(this);
    m_key = new QLineEdit(m_form);
    m_key->setObjectName(u"acquireKey"_s);
    m_key->setAccessibleName(tr("Key"));
    m_key->setFont(monospacedFont());
    m_key->setPlaceholderText(tr("name of the lock, as other clients use it"));
    m_picker = new ProtocolPicker(m_context.protocols, m_form);
    auto* column = createColumn(m_form, {}, 8,
                                {createCaption(tr("Key"), m_form), m_key, gap(4),
                                 createCaption(tr("Protocol"), m_form), m_picker, gap(4)});
    createRows(*column);
    layout.addWidget(m_form);
    connect(m_key, &QLineEdit::textEdited, this, [this] {
        m_wasKeyTouched = true;
        refreshForm();
    });
}

void AcquireDialog::createRows(QVBoxLayout& layout)
{
    m_server = new QComboBox(m_form);
    m_server->setObjectName(u"acquireServer"_s);
    addRow(layout, tr("Server"), m_server);
    m_mode = new QComboBox(m_form);
    m_mode->setObjectName(u"acquireMode"_s);
    m_mode->addItem(tr("write"), static_cast<int>(protocol::Mode::Write));
    m_mode->addItem(tr("read"), static_cast<int>(protocol::Mode::Read));
    addRow(layout, tr("Mode"), m_mode);
    m_permits = createEdit(u"acquirePermits"_s);
    addRow(layout, tr("Permits"), m_permits);
    m_lease = createEdit(u"acquireLease"_s);
    addRow(layout, tr("Lease"), m_lease);
    m_wait = createEdit(u"acquireWait"_s);
    addRow(layout, tr("Maximum wait"), m_wait)
        ->setToolTip(tr("Then the request gives up. 0s: a single attempt."));
    m_renew = new QCheckBox(tr("Renew until released"), m_form);
    m_renew->setObjectName(u"acquireRenew"_s);
    layout.addWidget(m_renew);
}

QLineEdit* AcquireDialog::createEdit(const QString& name)
{
    auto* edit = new QLineEdit(m_form);
    edit->setObjectName(name);
    edit->setAlignment(Qt::AlignRight);
    edit->setFixedWidth(fontMetrics().averageCharWidth() * 15);
    connect(edit, &QLineEdit::textEdited, this, &AcquireDialog::refreshForm);
    return edit;
}

OptionRow* AcquireDialog::addRow(QVBoxLayout& layout, const QString& label, QWidget* field)
{
    auto* row = new OptionRow(label, field, m_form);
    layout.addWidget(row);
    m_rows[field] = row;
    return row;
}

void AcquireDialog::createState(QVBoxLayout& layout)
{
    m_state = new QWidget(this);
    m_dot = new StatusDot(m_state);
    m_stateWord = new QLabel(m_state);
    m_stateWord->setObjectName(u"acquireState"_s);
    makeBold(*m_stateWord);
    m_stateDetail = createWrappedText(u"acquireStateDetail"_s, m_state);
    auto* grid = new QGridLayout(m_state);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    grid->addWidget(m_dot, 0, 0);
    grid->addWidget(m_stateWord, 0, 1);
    grid->addWidget(m_stateDetail, 1, 1);
    m_state->setVisible(false);
    layout.addWidget(m_state);
    layout.addStretch(1);
}

void AcquireDialog::createButtons(QVBoxLayout& layout)
{
    m_acquire = createButton(u"acquireButton"_s, tr("Acquire"), this);
    m_acquire->setDefault(true);
    setEmphasis(m_acquire, Emphasis::Primary);
    m_release = createButton(u"releaseHeldButton"_s, {}, this);
    m_release->setAutoDefault(false);
    m_close = createButton(u"closeButton"_s, {}, this);
    m_close->setAutoDefault(false);
    connect(m_acquire, &QPushButton::clicked, this, &AcquireDialog::acquire);
    connect(m_release, &QPushButton::clicked, this, [this] { m_context.keeper.release(m_id); });
    connect(m_close, &QPushButton::clicked, this, &AcquireDialog::reject);
    layout.addLayout(createRow(kUsualSpacing, {m_release, room(), m_close, m_acquire}));
}

void AcquireDialog::takeProtocol()
{
    const auto usual = models::AcquireDraft::withDefaults(m_picker->protocol());
    const protocol::ProtocolInfo& info = m_picker->protocol()->info();
    m_lease->setText(usual.lease);
    if (m_wait->text().isEmpty()) {
        m_wait->setText(usual.wait);
    }
    m_permits->setText(usual.permits);
    m_renew->setChecked(usual.isKeptRenewed);
    m_server->clear();
    if (info.keys == protocol::KeyUse::OnePerServer) {
        m_server->addItem(models::serverNames(m_context.servers));
    } else {
        for (const store::Endpoint& server : m_context.servers) {
            m_server->addItem(models::serverNames({server}));
        }
    }
    m_rows[m_server]->setVisible(m_context.servers.size() > 1);
    m_rows[m_mode]->setVisible(info.hasModes);
    m_rows[m_permits]->setVisible(info.hasPermits);
    m_rows[m_lease]->setVisible(info.hasExpiry);
    m_renew->setVisible(info.canRenew);
    refreshForm();
    fitHeight(*this);
}

models::AcquireDraft AcquireDialog::draft() const
{
    models::AcquireDraft draft;
    draft.protocol = m_picker->protocol();
    const bool isSet = draft.protocol->info().keys == protocol::KeyUse::OnePerServer;
    const auto chosen = static_cast<std::size_t>(std::max(m_server->currentIndex(), 0));
    draft.servers = isSet ? m_context.servers : std::vector{m_context.servers[chosen]};
    draft.key = m_key->text();
    draft.mode = static_cast<protocol::Mode>(m_mode->currentData().toInt());
    draft.lease = m_lease->text();
    draft.wait = m_wait->text();
    draft.permits = m_permits->text();
    draft.isKeptRenewed = m_renew->isChecked();
    return draft;
}

void AcquireDialog::refreshForm()
{
    const models::ParsedAcquire parsed = models::readAcquireDraft(draft());
    m_rows[m_lease]->setError(parsed.leaseError);
    m_rows[m_wait]->setError(parsed.waitError);
    m_rows[m_permits]->setError(parsed.permitsError);
    // An empty key is no mistake before anything was typed.
    const QString keyError = m_wasKeyTouched ? parsed.keyError : QString();
    markError(*m_key, !keyError.isEmpty());
    m_key->setToolTip(keyError);
    m_key->setAccessibleDescription(keyError);
    refreshButtons();
}

void AcquireDialog::acquire()
{
    const models::ParsedAcquire parsed = models::readAcquireDraft(draft());
    if (!parsed.isGood()) {
        return;
    }
    const service::KeepOrder& order = parsed.order;
    const bool isDelicate = std::ranges::any_of(order.servers, store::isProduction);
    if (!isDelicate) {
        send(order);
        return;
    }
    Question question;
    question.title = tr("Acquire a lock");
    question.text =
        tr("Acquire the lock %1 on a production server?").arg(models::bytesText(order.request.key));
    question.detail = tr("Other clients that need this lock have to wait as long as you hold it.");
    question.acceptLabel = tr("Acquire");
    question.declineLabel = tr("Cancel");
    m_context.prompter.ask(this, question, [this, order](Answer answer) {
        if (answer == Answer::Accepted) {
            send(order);
        }
    });
}

void AcquireDialog::send(const service::KeepOrder& order)
{
    m_lock.reset();
    m_isSending = true; // changed() may come before acquire() returns
    m_id = m_context.keeper.acquire(order);
    m_isSending = false;
    if (!m_lock) {
        KeptLock asked;
        asked.id = m_id;
        asked.since = m_context.keeper.now();
        m_lock = asked;
    }
    m_tick->start();
    refreshState();
    fitHeight(*this);
}

void AcquireDialog::takeChange(const KeptLock& lock)
{
    const bool isOurs = m_id != 0 && lock.id == m_id;
    const bool mayBeOurs = m_isSending && lock.id > m_id;
    if (!isOurs && !mayBeOurs) {
        return;
    }
    m_lock = lock;
    refreshState();
    fitHeight(*this);
}

bool AcquireDialog::isAsking() const
{
    return m_lock
           && (m_lock->state == KeptState::Connecting || m_lock->state == KeptState::Waiting);
}

bool AcquireDialog::isHolding() const
{
    return m_lock && !m_lock->isOver() && !isAsking();
}

void AcquireDialog::refreshState()
{
    if (!m_lock) {
        return;
    }
    const models::KeptLockText text = models::textOf(*m_lock, m_context.keeper.now());
    m_state->setVisible(true);
    m_dot->setTone(linkToneOf(text.tone));
    m_stateWord->setText(text.state);
    m_stateDetail->setText(text.detail);
    m_stateDetail->setVisible(!text.detail.isEmpty());
    if (m_lock->isOver()) {
        m_tick->stop();
    }
    refreshButtons();
}

void AcquireDialog::refreshButtons()
{
    const bool isGood = models::readAcquireDraft(draft()).isGood();
    const bool isUnderWay = isAsking() || isHolding();
    m_form->setEnabled(!isUnderWay);
    m_acquire->setVisible(!isUnderWay);
    m_acquire->setEnabled(isGood);
    m_acquire->setText(m_lock ? tr("Try again") : tr("Acquire"));
    m_release->setVisible(isUnderWay);
    m_release->setEnabled(!m_lock || m_lock->state != KeptState::Releasing);
    m_release->setText(isAsking() ? tr("Stop waiting") : tr("Release"));
    m_close->setText(isHolding()  ? tr("Close and keep the lock")
                     : isAsking() ? tr("Cancel")
                                  : tr("Close"));
}

void AcquireDialog::reject()
{
    if (isAsking()) {
        m_context.keeper.release(m_id);
    }
    QDialog::reject();
}

} // namespace lockscope::widgets
