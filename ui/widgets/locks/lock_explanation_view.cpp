#include "ui/widgets/locks/lock_explanation_view.h"

#include "core/kernel/report/lock_explanation.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/selectable_text.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

LockExplanationView::LockExplanationView(QWidget* parent) : QWidget(parent)
{
    m_toggle = new QToolButton(this);
    m_toggle->setObjectName(u"explainLockButton"_s);
    m_toggle->setAutoRaise(true);
    m_toggle->setCheckable(true);
    m_toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_text = new SelectableText(this);
    m_text->setObjectName(u"lockExplanation"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_toggle, 0, Qt::AlignLeft);
    layout->addWidget(m_text);
    open(false);
    connect(m_toggle, &QToolButton::toggled, this, &LockExplanationView::open);
}

void LockExplanationView::explain(const operations::LockDetails* details, Instant now)
{
    const bool isKnown = details != nullptr && details->lock != nullptr
                         && !details->snapshots.empty();
    setVisible(isKnown);
    if (isKnown) {
        const auto formats = details->formats ? details->formats : inspect::builtinFormatTable();
        const auto explanation = report::explain(*details->lock, details->snapshots.front(),
                                                 details->release ? &*details->release : nullptr,
                                                 now, formats->recognisers());
        m_text->setText(models::toQString(report::explanationText(explanation)));
    }
}

void LockExplanationView::open(bool isOpen)
{
    m_text->setVisible(isOpen);
    m_toggle->setText(isOpen ? tr("Hide the explanation") : tr("Explain this lock"));
    m_toggle->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
}

} // namespace lockscope::widgets
