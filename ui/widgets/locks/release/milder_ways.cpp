#include "ui/widgets/locks/release/milder_ways.h"

#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"

#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using report::LadderRung;
using report::MildStep;

MilderWays::MilderWays(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"milderWays"_s);
    createColumn(this, {}, 4, {createCaption(tr("What can be done, the mildest first"), this)});
    m_cap = createButton(u"capInsteadButton"_s, tr("Cap the TTL instead…"));
    m_disconnect = createButton(u"disconnectInsteadButton"_s, tr("Disconnect…"));
    addLine(MildStep::Wait);
    addLine(MildStep::CapTtl, m_cap);
    addLine(MildStep::ReleaseOne);
    addLine(MildStep::Release);
    addLine(MildStep::KillHolder, m_disconnect);
    connect(m_cap, &QPushButton::clicked, this, &MilderWays::capRequested);
    connect(m_disconnect, &QPushButton::clicked, this, &MilderWays::disconnectRequested);
}

QPushButton* MilderWays::createButton(const QString& name, const QString& text)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setAutoDefault(false);
    return button;
}

void MilderWays::addLine(MildStep step, QPushButton* button)
{
    Line& line = m_lines.emplace_back();
    line.step = step;
    line.row = new QWidget(this);
    line.text = createWrappedText(u"milderWay%1"_s.arg(static_cast<int>(step)), line.row);
    line.text->setTextFormat(Qt::PlainText);
    if (button != nullptr) {
        createRow(line.row, {}, 8, {growing(line.text), aligned(button, Qt::AlignTop)});
    } else {
        createRow(line.row, {}, 8, {growing(line.text)});
    }
    static_cast<QBoxLayout*>(layout())->addWidget(line.row);
}

void MilderWays::showLadder(const std::vector<LadderRung>& ladder)
{
    int number = 0;
    for (const Line& line : m_lines) {
        const auto rung = std::ranges::find(ladder, line.step, &LadderRung::step);
        line.row->setVisible(rung != ladder.end());
        if (rung == ladder.end()) {
            continue;
        }
        const QString sentence = models::toQString(rung->sentence);
        ++number;
        line.text->setText(rung->isRecommended ? tr("%1. %2 Recommended.").arg(number).arg(sentence)
                                               : tr("%1. %2").arg(number).arg(sentence));
        QFont font = this->font();
        font.setBold(rung->isRecommended);
        line.text->setFont(font);
    }
}

void MilderWays::emphasiseCap(Emphasis emphasis)
{
    setEmphasis(m_cap, emphasis);
}

} // namespace lockscope::widgets
