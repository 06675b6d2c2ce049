#include "ui/widgets/controls/empty_state.h"

#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/strip.h"
#include "ui/widgets/style/flat_style.h"

#include <QApplication>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

EmptyState::EmptyState(QWidget* parent) : QWidget(parent)
{
    setObjectName(u"emptyState"_s);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    createParts();

    auto* column = new QWidget(this);
    column->setMaximumWidth(fontMetrics().averageCharWidth() * 76);
    auto* lines = new QVBoxLayout(column);
    lines->setSpacing(12);
    addParts(*lines, {m_headline, aligned(m_progress, Qt::AlignHCenter), m_body,
                      aligned(m_command, Qt::AlignHCenter), gap(4),
                      createRow(kUsualSpacing, {room(), m_step, m_otherStep, room()})});
    auto* row = createRow(kUsualSpacing, {room(), growing(column, 8), room()});
    addParts(*new QVBoxLayout(this), {room(2), row, room(3)});
    showText({});
}

void EmptyState::createParts()
{
    m_headline = createWrappedText(u"emptyHeadline"_s, this);
    m_headline->setAlignment(Qt::AlignHCenter);
    QFont large = m_headline->font();
    large.setPointSizeF(large.pointSizeF() * 1.5);
    large.setBold(true);
    m_headline->setFont(large);

    m_body = createQuietLabel({}, this);
    m_body->setObjectName(u"emptyBody"_s);
    m_body->setAlignment(Qt::AlignHCenter);
    m_body->setWordWrap(true);

    m_progress = new QProgressBar(this);
    m_progress->setObjectName(u"emptyProgress"_s);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(fontMetrics().averageCharWidth() * 40, 4);

    m_command = new CommandBox(this);
    m_command->setObjectName(u"emptyCommand"_s);
    m_step = createButton(u"emptyStep"_s, {}, this);
    setEmphasis(m_step, Emphasis::Primary);
    connect(m_step, &QPushButton::clicked, this, [this] { Q_EMIT stepChosen(m_text.step); });
    m_otherStep = createButton(u"emptyOtherStep"_s, {}, this);
    connect(m_otherStep, &QPushButton::clicked, this,
            [this] { Q_EMIT stepChosen(m_text.otherStep); });
}

void EmptyState::showText(const EmptyText& text)
{
    if (m_text == text && !m_headline->text().isEmpty()) {
        return;
    }
    m_text = text;
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    m_headline->setText(text.headline);
    m_body->setText(text.text);
    m_body->setVisible(!text.text.isEmpty());
    m_progress->setVisible(text.progress >= 0);
    m_progress->setValue(static_cast<int>(text.progress * m_progress->maximum()));
    m_command->setCommand(text.command);
    m_command->setVisible(!text.command.isEmpty());
    m_step->setText(text.stepLabel);
    m_step->setVisible(text.step != EmptyText::Step::None);
    m_otherStep->setText(text.otherStepLabel);
    m_otherStep->setVisible(text.otherStep != EmptyText::Step::None);
    if (hadFocus && !isAncestorOf(QApplication::focusWidget())) {
        setFocus(); // a button that goes would give it to whatever comes next in the window
    }
}

QString EmptyState::headline() const
{
    return m_headline->text();
}

} // namespace lockscope::widgets
