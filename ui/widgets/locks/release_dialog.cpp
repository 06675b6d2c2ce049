#include "locks/release_dialog.h"

#include "formatting.h"
#include "inspect/hold_news.h"
#include "locks/fact_list.h"
#include "shell/command_box.h"
#include "shell/labels.h"
#include "shell/theme.h"
#include "shell/tones.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <chrono>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr std::chrono::milliseconds kTick{1000};
constexpr int kCharacters = 84;

QString warningsOf(const service::LockDossier& dossier)
{
    QStringList sentences;
    for (const std::string& warning : dossier.warnings) {
        sentences += models::toQString(warning);
    }
    for (const std::string_view warning : dossier.release->recipe.warnings) {
        sentences += models::toQString(warning);
    }
    sentences.removeDuplicates();
    return sentences.join(u'\n');
}

} // namespace

ReleaseDialog::ReleaseDialog(service::ReleaseDesk& desk, std::function<FactContext()> context,
                             const inspect::LockId& id, QWidget* parent)
    : PlanDialog(desk, std::move(context), id, parent)
{
    m_tick = new QTimer(this);
    m_tick->setInterval(kTick);
    connect(m_tick, &QTimer::timeout, this, &ReleaseDialog::refreshFacts);
    begin({u"releaseDialog"_s, tr("Release a lock"), tr("Release"), Emphasis::Danger}, createPage(),
          kCharacters);
}

void ReleaseDialog::takeWatched(const inspect::LockPtr& lock)
{
    if (lock != nullptr && lock->id == id()) {
        takeNews(lock);
    }
}

void ReleaseDialog::takeNews(const inspect::LockPtr& lock)
{
    m_watched = lock;
    refreshFacts();
}

QWidget* ReleaseDialog::createPage()
{
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    m_layout = layout;
    m_alike = new QLabel(tr("This hold cannot be told apart from another one: nobody is named in "
                            "it, and there is no expiry to compare. If the lock was released and "
                            "taken again since it was read, whoever has it now loses it."),
                         page);
    m_alike->setObjectName(u"alikeText"_s);
    m_alike->setTextFormat(Qt::PlainText);
    m_alike->setWordWrap(true);
    layout->addWidget(m_alike);
    m_facts = new FactList(page);
    m_facts->setObjectName(u"releaseFacts"_s);
    layout->addWidget(m_facts);
    m_warnings = new QLabel(page);
    m_warnings->setObjectName(u"releaseWarnings"_s);
    m_warnings->setWordWrap(true);
    m_warnings->setTextFormat(Qt::PlainText);
    layout->addWidget(m_warnings);
    createMilderWay(*layout);
    layout->addWidget(createCaption(tr("Exactly this is sent"), page));
    m_command = new CommandBox(page);
    m_command->setObjectName(u"planCommand"_s);
    layout->addWidget(m_command);
    createConfirmation(*layout);
    layout->addStretch(1);
    return page;
}

void ReleaseDialog::createMilderWay(QVBoxLayout& layout)
{
    m_milder = new QWidget(this);
    auto* row = new QHBoxLayout(m_milder);
    row->setContentsMargins(0, 0, 0, 0);
    auto* text =
        new QLabel(tr("Milder: give it an expiry, so that it ends by itself unless its holder "
                      "renews it."),
                   m_milder);
    text->setWordWrap(true);
    m_capInstead = new QPushButton(tr("Cap the TTL instead…"), m_milder);
    m_capInstead->setObjectName(u"capInsteadButton"_s);
    m_capInstead->setAutoDefault(false);
    row->addWidget(text, 1);
    row->addWidget(m_capInstead);
    layout.addWidget(m_milder);
    connect(m_capInstead, &QPushButton::clicked, this, [this] {
        const inspect::LockId wanted = id();
        giveWay();
        Q_EMIT capTtlRequested(wanted);
    });
}

void ReleaseDialog::createConfirmation(QVBoxLayout& layout)
{
    m_reason = new QLineEdit(this);
    m_reason->setObjectName(u"reasonEdit"_s);
    m_reason->setAccessibleName(tr("Reason"));
    m_prompt = new QLabel(this);
    m_prompt->setObjectName(u"confirmPrompt"_s);
    m_prompt->setWordWrap(true);
    m_prompt->setTextFormat(Qt::PlainText);
    m_typed = new QLineEdit(this);
    m_typed->setObjectName(u"confirmEdit"_s);
    m_typed->setFont(monospacedFont());
    layout.addWidget(createCaption(tr("Reason, for the audit file"), this));
    layout.addWidget(m_reason);
    layout.addWidget(m_prompt);
    layout.addWidget(m_typed);
    connect(m_typed, &QLineEdit::textChanged, this, &ReleaseDialog::takeTyped);
    connect(m_reason, &QLineEdit::textChanged, this, &ReleaseDialog::takeTyped);
}

QString ReleaseDialog::takeDossier(const service::LockDossier& dossier)
{
    if (dossier.lock == nullptr) {
        return tr("The lock is gone already; there is nothing to release.");
    }
    if (!dossier.release || !dossier.release->recipe.isSupported) {
        const bool isExplained = dossier.release && !dossier.release->recipe.warnings.empty();
        return isExplained ? models::toQString(dossier.release->recipe.warnings.front())
                           : tr("Locks of this format cannot be released safely.");
    }
    m_dossier = dossier;
    showPlan();
    return {};
}

void ReleaseDialog::showPlan()
{
    const inspect::ReleasePlan& plan = *m_dossier->release;
    refreshFacts();
    m_tick->start();
    const QString warnings = warningsOf(*m_dossier);
    m_warnings->setText(warnings);
    m_warnings->setVisible(!warnings.isEmpty());
    QPalette alarming = palette();
    alarming.setColor(QPalette::WindowText, severityColor(1, palette()));
    m_warnings->setPalette(alarming);
    m_areHoldsAlike = !inspect::tellsHoldsApart(plan);
    m_alike->setVisible(m_areHoldsAlike);
    m_alike->setPalette(alarming);
    showMilderWay();
    m_command->setScript(models::toQString(store::toText(plan.command)));
    m_reason->setPlaceholderText(isReasonNeeded() ? tr("Needed on production")
                                                  : tr("May stay empty"));
    showConfirmation();
}

void ReleaseDialog::showMilderWay()
{
    m_milder->setVisible(m_dossier->capTtl.has_value());
    m_layout->removeWidget(m_milder);
    m_layout->insertWidget(m_layout->indexOf(m_areHoldsAlike ? m_alike : m_warnings) + 1, m_milder);
    setEmphasis(m_capInstead, m_areHoldsAlike ? Emphasis::Primary : Emphasis::Normal);
}

void ReleaseDialog::showConfirmation()
{
    const inspect::LockRecord& lock = *m_dossier->release->lock;
    m_typed->clear(); // what was typed for an earlier look does not name this hold
    const int width = fontMetrics().averageCharWidth() * 24;
    m_typed->setMaximumWidth(m_areHoldsAlike ? QWIDGETSIZE_MAX : width);
    if (m_areHoldsAlike) {
        m_confirmation = nameOf(lock);
        m_confirmationName = tr("the name of the key, %1").arg(m_confirmation);
        m_prompt->setText(tr("To release it all the same, type %1").arg(m_confirmationName));
        return;
    }
    m_confirmation = confirmationOf(lock);
    const QString part = m_confirmation.size() == 1
                             ? tr("the last character")
                             : tr("the last %1 characters").arg(m_confirmation.size());
    const QString what = ownerOf(lock).isEmpty() ? tr("of the key %1").arg(nameOf(lock))
                                                 : tr("of the owner %1").arg(ownerOf(lock));
    m_confirmationName = part + u' ' + what;
    m_prompt->setText(tr("To release it, type %1").arg(m_confirmationName));
}

void ReleaseDialog::refreshFacts()
{
    if (m_dossier) {
        const inspect::LockRecord& lock = *m_dossier->release->lock;
        m_facts->showFacts(releaseFactsOf(m_watched ? withHistoryOf(lock, *m_watched) : lock,
                                          context()));
    }
}

bool ReleaseDialog::isReasonNeeded() const
{
    const FactContext now = context();
    const std::size_t server = id().server == inspect::LockId::kWholeSet ? 0 : id().server;
    return server < now.endpoints.size()
           && environmentColor(models::toQString(now.endpoints[server].environment)).isValid();
}

void ReleaseDialog::takeTyped()
{
    if (isShowingPlan()) {
        const bool isWhole = m_typed->text().size() >= m_confirmation.size();
        takeEntry(isWhole ? mismatch() : QString());
    }
}

QString ReleaseDialog::mismatch() const
{
    return m_typed->text() == m_confirmation
               ? QString()
               : tr("What is typed is not %1. Nothing was sent.").arg(m_confirmationName);
}

QString ReleaseDialog::missing() const
{
    if (m_typed->text().isEmpty()) {
        return tr("Nothing was sent. To release it, type %1.").arg(m_confirmationName);
    }
    if (const QString wrong = mismatch(); !wrong.isEmpty()) {
        return wrong;
    }
    return isReasonNeeded() && reason().isEmpty()
               ? tr("Nothing was sent. A reason is needed on production.")
               : QString();
}

QString ReleaseDialog::reason() const
{
    return m_reason->text().trimmed();
}

QWidget* ReleaseDialog::firstField() const
{
    const bool isMilderFirst = m_areHoldsAlike && m_dossier->capTtl;
    return isMilderFirst ? static_cast<QWidget*>(m_capInstead) : m_typed;
}

} // namespace lockscope::widgets
