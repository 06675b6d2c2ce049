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

void UndoOffer::offer(std::vector<Undoable> released)
{
    m_released = std::move(released);
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

bool UndoOffer::isWritable(const inspect::LockSnapshot& seen) const
{
    const FactContext context = m_context();
    return seen.server < context.endpoints.size() && !context.endpoints[seen.server].isReadOnly;
}

std::vector<inspect::ReleasePlan> UndoOffer::plans() const
{
    const Instant now = m_context().now;
    std::vector<inspect::ReleasePlan> plans;
    if (now >= m_until) {
        return plans;
    }
    for (const Undoable& undoable : m_released) {
        auto plan = inspect::undoPlan(undoable.released, undoable.seen, now);
        if (plan && isWritable(undoable.seen)) {
            plans.push_back(std::move(*plan));
        }
    }
    return plans;
}

void UndoOffer::refresh()
{
    const std::vector<inspect::ReleasePlan> wanted = plans();
    if (wanted.empty()) {
        withdraw();
        return;
    }
    QStringList sentences;
    for (const inspect::ReleasePlan& plan : wanted) {
        sentences += models::toQString(report::planSentence(plan));
    }
    m_button->setToolTip(sentences.join(u'\n'));
    m_promise->setText(promise(wanted.size()));
}

QString UndoOffer::promise(std::size_t count) const
{
    const auto left = std::chrono::ceil<std::chrono::seconds>(m_until - m_context().now);
    const QString seconds = models::countText(left.count());
    return m_released.size() == 1
               ? tr("Best effort: puts the lock back if its key is still free. Its holder may "
                    "already have noticed. Offered for another %1 s.")
                     .arg(seconds)
               : tr("Best effort: puts %1 of %2 locks back, each if its key is still free. Their "
                    "holders may already have noticed. Offered for another %3 s.")
                     .arg(models::countText(count), models::countText(m_released.size()), seconds);
}

void UndoOffer::undo()
{
    const std::vector<inspect::ReleasePlan> wanted = plans();
    withdraw();
    if (!wanted.empty()) {
        Q_EMIT undoRequested(wanted);
    }
}

} // namespace lockscope::widgets
