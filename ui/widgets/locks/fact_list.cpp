#include "ui/widgets/locks/fact_list.h"

#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/selectable_text.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>

namespace lockscope::widgets {

FactList::FactList(QWidget* parent) : QWidget(parent)
{
    m_grid = new QGridLayout(this);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(5);
    m_grid->setColumnStretch(1, 1);
    m_grid->setColumnMinimumWidth(0, fontMetrics().horizontalAdvance(tr("Could also be")) + 4);
}

void FactList::showFacts(const std::vector<Fact>& facts)
{
    while (m_lines.size() > facts.size()) {
        delete m_lines.back().label;
        delete m_lines.back().value;
        m_lines.pop_back();
        m_facts.pop_back();
    }
    while (m_lines.size() < facts.size()) {
        addLine();
    }
    for (std::size_t i = 0; i < facts.size(); ++i) {
        if (m_facts[i] != facts[i]) {
            m_facts[i] = facts[i];
            showFact(m_lines[i], facts[i]);
        }
    }
}

QString FactList::valueOf(const QString& label) const
{
    for (const Fact& fact : m_facts) {
        if (fact.label == label) {
            return fact.value;
        }
    }
    return {};
}

void FactList::addLine()
{
    const int row = static_cast<int>(m_lines.size());
    Line line;
    line.label = createQuietLabel({}, this);
    line.value = new SelectableText(this);
    m_grid->addWidget(line.label, row, 0, Qt::AlignTop | Qt::AlignLeft);
    m_grid->addWidget(line.value, row, 1);
    m_lines.push_back(line);
    m_facts.emplace_back();
}

void FactList::showFact(const Line& line, const Fact& fact)
{
    line.label->setText(fact.label);
    const bool isMono = fact.look == Fact::Look::Mono;
    line.value->setFont(isMono ? monospacedFont() : font());
    line.value->setText(fact.value);
    line.value->setAccessibleName(fact.label + u": " + fact.value);
    color(line, fact.look);
}

void FactList::color(const Line& line, Fact::Look look)
{
    QPalette colored = palette();
    if (look == Fact::Look::Alarm) {
        colored.setColor(QPalette::Text, severityColor(2, palette()));
    } else if (look == Fact::Look::Quiet) {
        colored.setColor(QPalette::Text, palette().color(QPalette::PlaceholderText));
    }
    line.value->setPalette(colored);
}

void FactList::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        for (std::size_t i = 0; i < m_lines.size(); ++i) {
            color(m_lines[i], m_facts[i].look);
        }
    }
}

} // namespace lockscope::widgets
