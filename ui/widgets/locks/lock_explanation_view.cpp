#include "ui/widgets/locks/lock_explanation_view.h"

#include "ui/models/formatting.h"
#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/selectable_text.h"
#include "ui/widgets/style/theme.h"

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
    m_body = new QWidget(this);
    m_body->setObjectName(u"lockExplanation"_s);
    m_column = new QVBoxLayout(m_body);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(6);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_toggle, 0, Qt::AlignLeft);
    layout->addWidget(m_body);
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
        showIt(report::explain(*details->lock, details->snapshots.front(),
                               details->release ? &*details->release : nullptr, now,
                               formats->recognisers()));
    }
}

void LockExplanationView::showIt(const report::Explanation& explanation)
{
    std::string text = report::explanationText(explanation);
    if (text == m_shown) {
        return; // the user may just be selecting in it
    }
    m_shown = std::move(text);
    while (QLayoutItem* item = m_column->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const report::ExplanationSection& section : report::sectionsOf(explanation)) {
        auto* title = createWrappedText(u"explanationTitle"_s, m_body);
        title->setText(models::toQString(section.title));
        makeBold(*title);
        m_column->addSpacing(m_column->isEmpty() ? 0 : 6);
        m_column->addWidget(title);
        for (const report::ExplanationSection::Entry& entry : section.entries) {
            addEntry(entry);
        }
    }
}

void LockExplanationView::addEntry(const report::ExplanationSection::Entry& entry)
{
    if (!entry.heading.empty() && !entry.isCommand) {
        auto* key = new ElidedLabel(Qt::ElideMiddle, m_body);
        key->setFont(monospacedFont());
        key->setForegroundRole(QPalette::PlaceholderText);
        key->setFullText(models::toQString(entry.heading));
        m_column->addWidget(key);
    }
    if (!entry.isCommand) {
        auto* words = new SelectableText(m_body);
        words->setText(models::toQString(entry.text));
        m_column->addWidget(words);
        return;
    }
    QLabel* purpose = createQuietLabel(models::toQString(entry.heading), m_body);
    purpose->setWordWrap(true);
    m_column->addWidget(purpose);
    auto* command = new CommandBox(m_body);
    command->setObjectName(u"explanationCommand"_s);
    const QString call = models::toQString(entry.text);
    if (call.startsWith(u"EVAL "_s)) {
        command->setScript(call);
    } else {
        command->setCommand(call);
    }
    m_column->addWidget(command);
}

void LockExplanationView::open(bool isOpen)
{
    m_body->setVisible(isOpen);
    m_toggle->setText(isOpen ? tr("Hide the explanation") : tr("Explain this lock"));
    m_toggle->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
}

} // namespace lockscope::widgets
