#include "ui/widgets/locks/release/tombstone_choice.h"

#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"

#include <QCheckBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QStyle>
#include <QUuid>
#include <QVBoxLayout>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

Bytes freshTombstone()
{
    return Bytes(inspect::kTombstonePrefix)
           + QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
}

} // namespace

TombstoneChoice::TombstoneChoice(QWidget* parent) : QWidget(parent)
{
    m_box = new QCheckBox(tr("Leave a tombstone in its place, so that a renewal cannot create it "
                             "again"),
                          this);
    m_box->setObjectName(u"tombstoneBox"_s);
    m_price = createQuietLabel({}, this);
    m_price->setObjectName(u"tombstonePrice"_s);
    m_price->setWordWrap(true);
    m_price->setIndent(style()->pixelMetric(QStyle::PM_IndicatorWidth, nullptr, this)
                       + style()->pixelMetric(QStyle::PM_CheckBoxLabelSpacing, nullptr, this));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_box);
    layout->addWidget(m_price);
    setVisible(false);
    connect(m_box, &QCheckBox::toggled, this, &TombstoneChoice::toggled);
}

void TombstoneChoice::offer(const inspect::ReleasePlan& release, Instant now)
{
    m_plan = inspect::tombstonePlan(release, std::nullopt, freshTombstone());
    const QSignalBlocker quiet(m_box);
    m_box->setChecked(false);
    setVisible(m_plan.has_value());
    if (m_plan) {
        QString price = models::toQString(report::tombstonePriceSentence(*m_plan));
        if (const std::string silence = report::silentEndSentence(*m_plan, now); !silence.empty()) {
            price += u' ' + models::toQString(silence);
        }
        m_price->setText(price);
    }
}

const inspect::ReleasePlan* TombstoneChoice::chosen() const
{
    return m_plan && m_box->isChecked() ? &*m_plan : nullptr;
}

} // namespace lockscope::widgets
