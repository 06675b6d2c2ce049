#include "ui/widgets/locks/release/holder_chooser.h"

#include "ui/models/formatting.h"
#include "ui/widgets/style/theme.h"

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRowsShown = 6;

QString ownerText(const inspect::Holder& holder)
{
    return holder.owner.empty() ? HolderChooser::tr("owner not recorded")
                                : models::bytesText(holder.owner);
}

/// "Reader 2 · 5f0c…:63"
QString titleOfOne(const inspect::ReleasePlan& plan)
{
    const Few<inspect::Holder>& all = plan.lock->holders;
    if (plan.leavesOthers() && all.size() == plan.holders.size()) {
        return HolderChooser::tr("One of %1 holders, which are not told apart")
            .arg(plan.lock->holds());
    }
    const auto at = std::ranges::find(all, plan.holders.front());
    QString title = at != all.end()
                        ? models::holderTitle(*plan.lock, static_cast<int>(at - all.begin()))
                        : HolderChooser::tr("holder");
    title[0] = title[0].toUpper();
    return title + u" · "_s + ownerText(plan.holders.front());
}

QString titleOfAll(const inspect::ReleasePlan& plan)
{
    if (plan.holders.size() < 2 && plan.lock->mode == inspect::Mode::Semaphore) {
        return HolderChooser::tr("All %1 holders").arg(plan.lock->holds());
    }
    if (plan.holders.size() < 2) {
        return HolderChooser::tr("All readers");
    }
    QStringList owners;
    for (const inspect::Holder& holder : plan.holders) {
        owners += ownerText(holder);
    }
    return HolderChooser::tr("All %1 holders: %2").arg(owners.size()).arg(models::listed(owners));
}

} // namespace

HolderChooser::HolderChooser(QWidget* parent) : QListWidget(parent)
{
    setObjectName(u"holderChooser"_s);
    setAccessibleName(tr("Hold to release"));
    setFont(monospacedFont());
    setTextElideMode(Qt::ElideMiddle);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(this, &QListWidget::itemSelectionChanged, this, &HolderChooser::chosenChanged);
}

void HolderChooser::showPlans(const operations::LockDetails& details)
{
    clear();
    m_plans.clear();
    for (const inspect::ReleasePlan& plan : details.releaseOne) {
        addPlan(plan);
    }
    addPlan(*details.release);
    // Current but not selected: the list would choose its first row when it gets the focus.
    setCurrentRow(0, QItemSelectionModel::NoUpdate);
    updateGeometry();
}

void HolderChooser::addPlan(const inspect::ReleasePlan& plan)
{
    m_plans.push_back(plan);
    auto* item = new QListWidgetItem(plan.endsSeveral() ? titleOfAll(plan) : titleOfOne(plan),
                                     this);
    item->setToolTip(item->text());
}

bool HolderChooser::isNeeded() const
{
    return m_plans.size() > 1 || (!m_plans.empty() && m_plans.front().endsSeveral());
}

const inspect::ReleasePlan* HolderChooser::chosen() const
{
    if (m_plans.empty()) {
        return nullptr;
    }
    if (!isNeeded()) {
        return &m_plans.front();
    }
    const QList<QListWidgetItem*> items = selectedItems();
    return items.isEmpty() ? nullptr : &m_plans[static_cast<std::size_t>(row(items.front()))];
}

QSize HolderChooser::sizeHint() const
{
    const int rows = std::clamp(count(), 1, kRowsShown);
    return {fontMetrics().averageCharWidth() * 40,
            rows * std::max(sizeHintForRow(0), fontMetrics().height()) + 2 * frameWidth()};
}

} // namespace lockscope::widgets
