#include "ui/widgets/locks/release/cap_ttl_dialog.h"

#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/locks/release/plan_checks.h"
#include "ui/widgets/locks/release/plan_commands.h"
#include "ui/widgets/style/tones.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kCharacters = 72;

} // namespace

CapTtlDialog::CapTtlDialog(service::ReleaseDesk& desk, std::function<FactContext()> context,
                           const inspect::LockId& id, QWidget* parent)
    : PlanDialog(desk, std::move(context), id, parent)
{
    begin({u"capTtlDialog"_s, tr("Cap the TTL of a lock"), tr("Cap the TTL"), Emphasis::Primary},
          createPage(), kCharacters);
}

QWidget* CapTtlDialog::createPage()
{
    auto* page = new QWidget(this);
    auto* text = new QLabel(tr("This lock has no expiry. Set one: a live holder that renews keeps "
                               "the lock, a dead holder loses it after this time."),
                            page);
    text->setWordWrap(true);
    m_owner = createQuietLabel({}, page);
    m_silence = createQuietLabel({}, page);
    m_silence->setObjectName(u"capSilence"_s);
    m_silence->setWordWrap(true);
    m_cap = new QLineEdit(u"60s"_s, page);
    m_cap->setObjectName(u"capEdit"_s);
    m_cap->setAccessibleName(tr("Expires after"));
    m_cap->setMaximumWidth(fontMetrics().averageCharWidth() * 14);
    m_capError = new QLabel(page);
    m_capError->setObjectName(u"capError"_s);
    m_capError->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout;
    row->addWidget(m_cap);
    row->addWidget(m_capError, 1);
    m_reason = new QLineEdit(page);
    m_reason->setObjectName(u"reasonEdit"_s);
    m_reason->setPlaceholderText(tr("Optional"));
    m_commands = new PlanCommands(page);
    connect(m_commands, &PlanCommands::toggled, this, [this] { fitToContent(); });

    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(text);
    layout->addWidget(m_owner);
    layout->addWidget(m_silence);
    layout->addWidget(createCaption(tr("Expires after"), page));
    layout->addLayout(row);
    layout->addWidget(createCaption(tr("Reason for the audit file"), page));
    layout->addWidget(m_reason);
    layout->addWidget(createCaption(tr("What will be done"), page));
    layout->addWidget(m_commands);
    layout->addStretch(1);
    connect(m_cap, &QLineEdit::textChanged, this, &CapTtlDialog::refreshPlan);
    return page;
}

QString CapTtlDialog::takeDetails(const operations::LockDetails& details)
{
    if (QString obstacle = capObstacle(details); !obstacle.isEmpty()) {
        return obstacle;
    }
    m_offer = details.capTtl;
    m_owner->setText(ownerOf(*m_offer->lock).isEmpty()
                         ? tr("This format does not record the owner.")
                         : tr("Held by %1").arg(ownerOf(*m_offer->lock)));
    const std::string silence = report::silentEndSentence(*m_offer, context().now);
    m_silence->setText(models::toQString(silence));
    m_silence->setVisible(!silence.empty());
    refreshPlan();
    return {};
}

void CapTtlDialog::refreshPlan()
{
    if (!m_offer) {
        return;
    }
    m_plan = cappedPlan(*m_offer, m_cap->text());
    if (m_plan) {
        m_commands->setPlan(*m_plan);
    }
    QPalette alarming = palette();
    alarming.setColor(QPalette::WindowText, severityColor(2, palette()));
    m_capError->setPalette(alarming);
    m_capError->setText(m_plan ? QString() : tr("Use a form such as 250ms, 10s, 5m or 2h."));
    takeEntry();
}

QString CapTtlDialog::missing() const
{
    return m_plan ? QString()
                  : tr("Nothing was sent. Enter an expiry such as 250ms, 10s, 5m or 2h.");
}

QString CapTtlDialog::reason() const
{
    return m_reason->text().trimmed();
}

QWidget* CapTtlDialog::firstField() const
{
    return m_cap;
}

} // namespace lockscope::widgets
