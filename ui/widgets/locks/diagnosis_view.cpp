#include "ui/widgets/locks/diagnosis_view.h"

#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/style/tones.h"

#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

QLabel* createText(const QString& name, QWidget* parent, QLayout& column)
{
    QLabel* label = createWrappedText(name, parent);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column.addWidget(label);
    return label;
}

void setTextIfNew(QLabel& label, const QString& text)
{
    if (label.text() != text) {
        label.setText(text); // the user may just be selecting in it
    }
}

} // namespace

DiagnosisView::DiagnosisView(QWidget* parent) : QWidget(parent)
{
    m_column = new QVBoxLayout;
    m_column->setSpacing(8);
    m_toggle = new QToolButton(this);
    m_toggle->setObjectName(u"unknownsButton"_s);
    m_toggle->setAutoRaise(true);
    m_toggle->setCheckable(true);
    m_toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_caption = createCaption({}, this);
    m_caption->setObjectName(u"diagnosisCaption"_s);
    layout->addWidget(m_caption);
    m_nothing = createText(u"diagnosisNothing"_s, this, *layout);
    layout->addLayout(m_column);
    layout->addWidget(m_toggle, 0, Qt::AlignLeft);
    m_unknowns = createText(u"diagnosisUnknowns"_s, this, *layout);
    m_unknowns->setForegroundRole(QPalette::PlaceholderText);
    openUnknowns(false);
    connect(m_toggle, &QToolButton::toggled, this, &DiagnosisView::openUnknowns);
}

DiagnosisView::Card DiagnosisView::createCard()
{
    Card card;
    card.box = new QWidget(this);
    auto* column = new QVBoxLayout(card.box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    card.title = createText(u"findingTitle"_s, card.box, *column);
    makeBold(*card.title);
    card.evidence = createText(u"findingEvidence"_s, card.box, *column);
    card.risk = createText(u"findingRisk"_s, card.box, *column);
    card.risk->setForegroundRole(QPalette::PlaceholderText);
    card.remedy = createText(u"findingRemedy"_s, card.box, *column);
    m_column->addWidget(card.box);
    return card;
}

void DiagnosisView::fill(const Card& card, const diagnosis::FindingText& finding,
                         const std::string& saidAbove)
{
    setTextIfNew(*card.title, models::toQString(finding.title));
    QPalette colored = palette();
    if (finding.severity > 0) {
        colored.setColor(QPalette::WindowText, severityColor(finding.severity, palette()));
    }
    card.title->setPalette(colored);
    setTextIfNew(*card.evidence, models::toQString(finding.evidence));
    card.evidence->setVisible(finding.evidence != saidAbove);
    setTextIfNew(*card.risk, models::toQString(finding.risk));
    setTextIfNew(*card.remedy, models::toQString(finding.remedy));
}

void DiagnosisView::showDiagnosis(const diagnosis::Diagnosis& diagnosis,
                                  const std::string& saidAbove)
{
    const std::vector<diagnosis::FindingText> findings = diagnosis::textsOf(diagnosis);
    while (m_cards.size() < findings.size()) {
        m_cards.push_back(createCard());
    }
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        m_cards[i].box->setVisible(i < findings.size());
        if (i < findings.size()) {
            fill(m_cards[i], findings[i], saidAbove);
        }
    }
    const QString caption = findings.empty() ? tr("Is it stuck?") : tr("Why is it stuck?");
    m_caption->setText(caption.toUpper());
    setTextIfNew(*m_nothing, models::toQString(diagnosis::nothingFoundText(diagnosis)));
    m_nothing->setVisible(findings.empty());
    QStringList unknowns;
    for (const std::string& unknown : diagnosis::unknownTexts(diagnosis)) {
        unknowns.append(models::toQString(unknown));
    }
    setTextIfNew(*m_unknowns, unknowns.join(u'\n'));
    m_toggle->setVisible(!unknowns.isEmpty());
    m_unknowns->setVisible(!unknowns.isEmpty() && m_toggle->isChecked());
}

void DiagnosisView::openUnknowns(bool isOpen)
{
    m_unknowns->setVisible(isOpen && !m_unknowns->text().isEmpty());
    m_toggle->setText(isOpen ? tr("Hide what is not known") : tr("What is not known"));
    m_toggle->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
}

} // namespace lockscope::widgets
