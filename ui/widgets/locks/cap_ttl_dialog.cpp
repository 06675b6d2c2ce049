#include "locks/cap_ttl_dialog.h"

#include "formatting.h"
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
#include <QVBoxLayout>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

CapTtlDialog::CapTtlDialog(service::ReleaseDesk& desk, std::function<FactContext()> context,
                           const inspect::LockId& id, QWidget* parent)
    : QDialog(parent),
      m_desk(desk),
      m_context(std::move(context))
{
    setObjectName(u"capTtlDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Cap the TTL of a lock"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    auto* title = new ElidedLabel(Qt::ElideMiddle, this);
    QFont font = monospacedFont();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.2);
    title->setFont(font);
    title->setFullText(QString::fromStdString(escaped(id.name)));
    layout->addWidget(title);

    m_reading = new QLabel(tr("Reading the lock afresh…"), this);
    m_reading->setObjectName(u"readingText"_s);
    m_reading->setWordWrap(true);
    m_reading->setAlignment(Qt::AlignTop);
    m_outcome = new ReleaseOutcomeView(m_desk, m_context, this);
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(m_reading);
    m_planPage = createPlanPage();
    m_pages->addWidget(m_planPage);
    m_pages->addWidget(m_outcome);
    layout->addWidget(m_pages, 1);
    createButtons(*layout);
    setMinimumWidth(fontMetrics().averageCharWidth() * 72);
    openAtFullHeight(*this);

    connect(&m_desk, &service::ReleaseDesk::examined, this, &CapTtlDialog::takeDossier);
    connect(m_outcome, &ReleaseOutcomeView::outcomeKnown, this, &CapTtlDialog::finish);
    m_request = m_desk.examine(id);
}

QWidget* CapTtlDialog::createPlanPage()
{
    auto* page = new QWidget(this);
    auto* text =
        new QLabel(tr("It has no expiry. Give it one: a holder that is alive and renews keeps it, "
                      "a dead one loses it after this time."),
                   page);
    text->setWordWrap(true);
    m_owner = createQuietLabel({}, page);
    m_cap = new QLineEdit(u"60s"_s, page);
    m_cap->setObjectName(u"capEdit"_s);
    m_cap->setAccessibleName(tr("Expires after"));
    m_cap->setMaximumWidth(fontMetrics().averageCharWidth() * 14);
    m_capError = new QLabel(page);
    m_capError->setObjectName(u"capError"_s);
    auto* row = new QHBoxLayout;
    row->addWidget(m_cap);
    row->addWidget(m_capError, 1);
    m_reason = new QLineEdit(page);
    m_reason->setObjectName(u"reasonEdit"_s);
    m_reason->setPlaceholderText(tr("May stay empty"));
    m_command = new CommandBox(page);
    m_command->setObjectName(u"planCommand"_s);

    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(text);
    layout->addWidget(m_owner);
    layout->addWidget(createCaption(tr("Expires after"), page));
    layout->addLayout(row);
    layout->addWidget(createCaption(tr("Reason, for the audit file"), page));
    layout->addWidget(m_reason);
    layout->addWidget(createCaption(tr("Exactly this is sent"), page));
    layout->addWidget(m_command);
    layout->addStretch(1);
    connect(m_cap, &QLineEdit::textChanged, this, &CapTtlDialog::refreshPlan);
    return page;
}

void CapTtlDialog::createButtons(QVBoxLayout& layout)
{
    m_cancel = new QPushButton(tr("Cancel"), this);
    m_cancel->setObjectName(u"cancelButton"_s);
    m_cancel->setDefault(true);
    m_execute = new QPushButton(tr("Cap the TTL"), this);
    m_execute->setObjectName(u"executeButton"_s);
    m_execute->setAutoDefault(false);
    m_execute->setEnabled(false);
    setEmphasis(m_execute, Emphasis::Primary);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_execute, &QPushButton::clicked, this, &CapTtlDialog::execute);
    auto* row = new QHBoxLayout;
    row->addWidget(m_execute);
    row->addStretch(1);
    row->addWidget(m_cancel);
    layout.addLayout(row);
    setTabOrder(m_execute, m_cancel); // as they stand
    m_cancel->setFocus();
}

void CapTtlDialog::takeDossier(quint64 request, const service::LockDossier& dossier)
{
    if (request != m_request || m_offer) {
        return;
    }
    if (dossier.problem.kind != store::Problem::Kind::None) {
        showObstacle(models::toQString(store::explain(dossier.problem)));
    } else if (dossier.lock == nullptr) {
        showObstacle(tr("The lock is gone already."));
    } else if (!dossier.capTtl) {
        showObstacle(tr("This lock has an expiry already, or its format cannot be capped safely."));
    } else {
        m_offer = dossier.capTtl;
        m_owner->setText(ownerOf(*m_offer->lock).isEmpty()
                             ? tr("Its owner is not recorded by this format.")
                             : tr("Held by %1").arg(ownerOf(*m_offer->lock)));
        m_pages->setCurrentWidget(m_planPage);
        refreshPlan();
        fitHeight(*this);
    }
}

void CapTtlDialog::showObstacle(const QString& text)
{
    m_reading->setText(text);
    m_cancel->setText(tr("Close"));
    m_execute->setVisible(false);
    fitHeight(*this);
}

void CapTtlDialog::refreshPlan()
{
    if (!m_offer) {
        return;
    }
    const auto cap = report::parseDuration(m_cap->text().trimmed().toStdString());
    m_plan.reset();
    if (cap && *cap > Duration::zero()) {
        m_plan = inspect::makePlan(m_offer->action, m_offer->lock, m_offer->recipe,
                                   m_offer->expiresAtMs, *cap);
        m_plan->servers = m_offer->servers;
        m_command->setScript(models::toQString(store::toText(m_plan->command)));
    }
    m_execute->setEnabled(m_plan.has_value());
    QPalette alarming = palette();
    alarming.setColor(QPalette::WindowText, severityColor(2, palette()));
    m_capError->setPalette(alarming);
    m_capError->setText(m_plan ? QString() : tr("Write it like 250ms, 10s, 5m or 2h."));
}

void CapTtlDialog::execute()
{
    const inspect::ReleasePlan plan = *m_plan;
    const QString reason = m_reason->text().trimmed();
    m_execute->setEnabled(false);
    m_execute->setVisible(false);
    m_cancel->setFocus();
    delete std::exchange(m_planPage, nullptr);
    m_pages->setCurrentWidget(m_outcome);
    Q_EMIT attempted(m_outcome->execute(plan, reason), plan);
}

void CapTtlDialog::finish()
{
    m_cancel->setText(tr("Close"));
    m_cancel->setFocus();
    fitHeight(*this);
}

} // namespace lockscope::widgets
