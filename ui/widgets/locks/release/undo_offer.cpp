#include "ui/widgets/locks/release/undo_offer.h"

#include "core/kernel/inspect/undo_plan.h"
#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/strip.h"

#include <QLabel>
#include <QPushButton>
#include <QTimer>

#include <chrono>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr std::chrono::milliseconds kUndoTick{250};

} // namespace

UndoOffer::UndoOffer(std::function<FactContext()> context, QWidget* parent)
    : QWidget(parent),
      m_context(std::move(context))
{
    setObjectName(u"undoOffer"_s);
    m_button = createButton(u"undoButton"_s, tr("Undo"), this);
    m_button->setAutoDefault(false);
    m_promise = createQuietLabel({}, this);
    m_promise->setObjectName(u"undoPromise"_s);
    m_promise->setWordWrap(true);
    createRow(this, {}, 12, {aligned(m_button, Qt::AlignTop), growing(m_promise)});
    m_tick = new QTimer(this);
    m_tick->setInterval(kUndoTick);
    connect(m_tick, &QTimer::timeout, this, &UndoOffer::refresh);
    connect(m_button, &QPushButton::clicked, this, &UndoOffer::undo);
    setVisible(false);
}

void UndoOffer::offer(const inspect::ReleasePlan& released, const inspect::LockSnapshot& seen)
{
    m_released = released;
    m_seen = seen;
    m_until = m_context().now + inspect::kUndoOffered;
    m_tick->start();
    setVisible(true);
    refresh();
}

void UndoOffer::withdraw()
{
    m_tick->stop();
    setVisible(false);
}

std::optional<inspect::ReleasePlan> UndoOffer::plan() const
{
    const FactContext context = m_context();
    const bool isReadOnly = m_seen.server >= context.endpoints.size()
                            || context.endpoints[m_seen.server].isReadOnly;
    return isReadOnly || context.now >= m_until
               ? std::nullopt
               : inspect::undoPlan(m_released, m_seen, context.now);
}

void UndoOffer::refresh()
{
    const std::optional<inspect::ReleasePlan> wanted = plan();
    if (!wanted) {
        withdraw();
        return;
    }
    m_button->setToolTip(models::toQString(report::planSentence(*wanted)));
    const auto left = std::chrono::ceil<std::chrono::seconds>(m_until - m_context().now);
    m_promise->setText(tr("Best effort: puts the lock back if its key is still free. Its holder "
                          "may already have noticed. Offered for another %1 s.")
                           .arg(models::countText(left.count())));
}

void UndoOffer::undo()
{
    const std::optional<inspect::ReleasePlan> wanted = plan();
    withdraw();
    if (wanted) {
        Q_EMIT undoRequested(*wanted);
    }
}

} // namespace lockscope::widgets
