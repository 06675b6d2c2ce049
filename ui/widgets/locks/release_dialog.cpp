#include "locks/release_dialog.h"

#include "formatting.h"
#include "locks/fact_list.h"
#include "locks/release_outcome_view.h"
#include "report/wording.h"
#include "shell/command_box.h"
#include "shell/dialog_height.h"
#include "shell/flat_style.h"
#include "shell/labels.h"
#include "shell/theme.h"
#include "shell/tones.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <chrono>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr std::chrono::milliseconds kTick{1000};

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
    : QDialog(parent),
      m_desk(desk),
      m_context(std::move(context)),
      m_id(id)
{
    setObjectName(u"releaseDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Release a lock"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    m_title = new ElidedLabel(Qt::ElideMiddle, this);
    QFont font = monospacedFont();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.2);
    m_title->setFont(font);
    m_title->setFullText(QString::fromStdString(escaped(id.name)));
    layout->addWidget(m_title);

    m_outcome = new ReleaseOutcomeView(m_desk, m_context, this);
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(createReadingPage());
    m_confirmPage = createConfirmPage();
    m_pages->addWidget(m_confirmPage);
    m_pages->addWidget(m_outcome);
    layout->addWidget(m_pages, 1);
    createButtons(*layout);
    setMinimumWidth(fontMetrics().averageCharWidth() * 84);
    openAtFullHeight(*this);

    connect(&m_desk, &service::ReleaseDesk::examined, this, &ReleaseDialog::takeDossier);
    connect(m_outcome, &ReleaseOutcomeView::outcomeKnown, this, &ReleaseDialog::finish);
    m_tick = new QTimer(this);
    m_tick->setInterval(kTick);
    connect(m_tick, &QTimer::timeout, this, &ReleaseDialog::refreshFacts);
    m_request = m_desk.examine(id);
}

void ReleaseDialog::takeWatched(const inspect::LockPtr& lock)
{
    if (lock != nullptr && lock->id == m_id) {
        m_watched = lock;
        refreshFacts();
    }
}

QWidget* ReleaseDialog::createReadingPage()
{
    m_reading = new QLabel(tr("Reading the lock afresh…"), this);
    m_reading->setObjectName(u"readingText"_s);
    m_reading->setWordWrap(true);
    m_reading->setTextFormat(Qt::PlainText);
    m_reading->setAlignment(Qt::AlignTop);
    return m_reading;
}

QWidget* ReleaseDialog::createConfirmPage()
{
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
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
    auto* button = new QPushButton(tr("Cap the TTL instead…"), m_milder);
    button->setObjectName(u"capInsteadButton"_s);
    button->setAutoDefault(false);
    row->addWidget(text, 1);
    row->addWidget(button);
    layout.addWidget(m_milder);
    connect(button, &QPushButton::clicked, this, [this] {
        const inspect::LockId id = m_id;
        reject();
        Q_EMIT capTtlRequested(id);
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
    m_typed->setMaximumWidth(fontMetrics().averageCharWidth() * 24);
    layout.addWidget(createCaption(tr("Reason, for the audit file"), this));
    layout.addWidget(m_reason);
    layout.addWidget(m_prompt);
    layout.addWidget(m_typed);
    connect(m_typed, &QLineEdit::textChanged, this, &ReleaseDialog::refreshReleaseButton);
    connect(m_reason, &QLineEdit::textChanged, this, &ReleaseDialog::refreshReleaseButton);
}

void ReleaseDialog::createButtons(QVBoxLayout& layout)
{
    m_cancel = new QPushButton(tr("Cancel"), this);
    m_cancel->setObjectName(u"cancelButton"_s);
    m_cancel->setDefault(true);
    m_release = new QPushButton(tr("Release"), this);
    m_release->setObjectName(u"executeButton"_s);
    m_release->setAutoDefault(false);
    m_release->setEnabled(false);
    setEmphasis(m_release, Emphasis::Danger);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_release, &QPushButton::clicked, this, &ReleaseDialog::release);
    auto* row = new QHBoxLayout;
    row->addWidget(m_release);
    row->addStretch(1);
    row->addWidget(m_cancel);
    layout.addLayout(row);
    setTabOrder(m_typed, m_release); // as they stand; it can be reached only when it is enabled
    setTabOrder(m_release, m_cancel);
    m_cancel->setFocus();
}

void ReleaseDialog::takeDossier(quint64 request, const service::LockDossier& dossier)
{
    if (request != m_request || m_dossier) {
        return;
    }
    if (dossier.problem.kind != store::Problem::Kind::None) {
        showObstacle(models::toQString(store::explain(dossier.problem)));
    } else if (dossier.lock == nullptr) {
        showObstacle(tr("The lock is gone already; there is nothing to release."));
    } else if (!dossier.release || !dossier.release->recipe.isSupported) {
        const bool isExplained = dossier.release && !dossier.release->recipe.warnings.empty();
        showObstacle(isExplained ? models::toQString(dossier.release->recipe.warnings.front())
                                 : tr("Locks of this format cannot be released safely."));
    } else {
        m_dossier = dossier;
        showPlan();
    }
}

void ReleaseDialog::showObstacle(const QString& text)
{
    m_reading->setText(text);
    m_cancel->setText(tr("Close"));
    m_release->setVisible(false);
    fitHeight(*this);
}

void ReleaseDialog::showPlan()
{
    const inspect::ReleasePlan& plan = *m_dossier->release;
    const inspect::LockRecord& lock = *plan.lock;
    refreshFacts();
    m_tick->start();
    const QString warnings = warningsOf(*m_dossier);
    m_warnings->setText(warnings);
    m_warnings->setVisible(!warnings.isEmpty());
    QPalette alarming = palette();
    alarming.setColor(QPalette::WindowText, severityColor(1, palette()));
    m_warnings->setPalette(alarming);
    m_milder->setVisible(m_dossier->capTtl.has_value());
    m_command->setScript(models::toQString(store::toText(plan.command)));
    m_reason->setPlaceholderText(isReasonNeeded() ? tr("Needed on production")
                                                  : tr("May stay empty"));

    m_confirmation = confirmationOf(lock);
    const QString part = m_confirmation.size() == 1
                             ? tr("the last character")
                             : tr("the last %1 characters").arg(m_confirmation.size());
    const QString what = ownerOf(lock).isEmpty() ? tr("of the key %1").arg(nameOf(lock))
                                                 : tr("of the owner %1").arg(ownerOf(lock));
    m_prompt->setText(tr("To release it, type %1 %2").arg(part, what));
    m_pages->setCurrentWidget(m_confirmPage);
    fitHeight(*this);
    refreshReleaseButton();
}

void ReleaseDialog::refreshFacts()
{
    if (!m_dossier || m_confirmPage == nullptr) {
        return;
    }
    const inspect::LockRecord& lock = *m_dossier->release->lock;
    m_facts->showFacts(releaseFactsOf(m_watched ? withHistoryOf(lock, *m_watched) : lock,
                                      m_context()));
}

bool ReleaseDialog::isReasonNeeded() const
{
    const FactContext context = m_context();
    const std::size_t server = m_id.server == inspect::LockId::kWholeSet ? 0 : m_id.server;
    return server < context.endpoints.size()
           && environmentColor(models::toQString(context.endpoints[server].environment)).isValid();
}

void ReleaseDialog::refreshReleaseButton()
{
    const bool isNamed = m_dossier && m_typed->text() == m_confirmation;
    const bool isExplained = !isReasonNeeded() || !m_reason->text().trimmed().isEmpty();
    m_release->setEnabled(isNamed && isExplained);
    m_release->setToolTip(isNamed && !isExplained ? tr("A reason is needed on production.")
                                                  : QString());
}

void ReleaseDialog::release()
{
    const inspect::ReleasePlan plan = *m_dossier->release;
    const QString reason = m_reason->text().trimmed();
    m_release->setEnabled(false);
    m_release->setVisible(false);
    m_cancel->setFocus();
    m_tick->stop();
    delete std::exchange(m_confirmPage, nullptr);
    m_pages->setCurrentWidget(m_outcome);
    Q_EMIT attempted(m_outcome->execute(plan, reason), plan);
}

void ReleaseDialog::finish()
{
    m_cancel->setText(tr("Close"));
    m_cancel->setFocus();
    fitHeight(*this);
}

} // namespace lockscope::widgets
