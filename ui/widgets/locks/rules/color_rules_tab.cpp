#include "ui/widgets/locks/rules/color_rules_tab.h"

#include "ui/models/typed_values.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"
#include "ui/widgets/style/palette_colors.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPixmap>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::ColorRule;
using models::RuleColor;

namespace {

constexpr int kColorCount = static_cast<int>(RuleColor::ColorCount);

QIcon swatch(RuleColor color, const QWidget& widget)
{
    const int size = widget.fontMetrics().ascent();
    QPixmap pixmap(size, size);
    pixmap.fill(stateColorsOf(widget.palette()).ofRule(color).color);
    return QIcon(pixmap);
}

} // namespace

ColorRulesTab::ColorRulesTab(Settings& settings, inspect::KnownTexts texts,
                             std::function<void()> changed, QWidget* parent)
    : QWidget(parent),
      m_settings(settings)
{
    setObjectName(u"colorRulesTab"_s);
    m_list = new OrderedList(tr("Colour rules"), this);
    createFields(std::move(texts));
    QLabel* const note = createQuietLabel(
        tr("The first rule that matches marks the row: with its colour, and with its name under "
           "Warnings, in the tooltip and in the details."),
        this);
    note->setWordWrap(true);
    createColumn(this, {14, 14, 14, 14}, 10, {note, growing(m_list), m_fields});
    m_editor.emplace(ListEditor<ColorRule>::Parts{
        settings.colorRules, *m_list, [this](const ColorRule& rule) { return lookOf(rule); },
        [this] { showCurrent(); }, std::move(changed)});
    connectFields();
    showCurrent();
}

void ColorRulesTab::createFields(inspect::KnownTexts texts)
{
    m_fields = new QWidget(this);
    auto* form = new QFormLayout(m_fields);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_name = new QLineEdit(m_fields);
    m_name->setObjectName(u"ruleName"_s);
    m_filter = new LockFilterEdit(m_fields);
    m_filter->setObjectName(u"ruleFilter"_s);
    m_filter->setKnownTexts(std::move(texts));
    m_mistake = createWrappedText(u"ruleMistake"_s, m_fields);
    m_color = new QComboBox(m_fields);
    m_color->setObjectName(u"ruleColor"_s);
    for (int color = 0; color < kColorCount; ++color) {
        m_color->addItem(swatch(static_cast<RuleColor>(color), *this),
                         models::titleOf(static_cast<RuleColor>(color)));
    }
    form->addRow(tr("&Name"), m_name);
    form->addRow(tr("&Filter"), m_filter);
    form->addRow(QString(), m_mistake);
    form->addRow(tr("&Colour"), m_color);
}

void ColorRulesTab::connectFields()
{
    connect(m_list, &OrderedList::addRequested, this, &ColorRulesTab::add);
    connect(m_name, &QLineEdit::editingFinished, this, [this] {
        m_editor->change([this](ColorRule& rule) { rule.name = m_name->text().trimmed(); });
    });
    connect(m_filter, &QLineEdit::editingFinished, this, &ColorRulesTab::takeFilter);
    connect(m_filter, &QLineEdit::textChanged, this, &ColorRulesTab::showMistake);
    connect(m_color, &QComboBox::activated, this, [this](int color) {
        m_editor->change([color](ColorRule& rule) { rule.color = static_cast<RuleColor>(color); });
    });
}

void ColorRulesTab::add()
{
    ColorRule rule;
    rule.name = tr("Rule %1").arg(m_settings.colorRules.size() + 1);
    rule.color = static_cast<RuleColor>(m_settings.colorRules.size() % kColorCount);
    m_editor->add(rule);
    m_filter->setFocus();
}

/// Escape empties the field. That is no wish to have a rule without a filter, which does nothing.
void ColorRulesTab::takeFilter()
{
    const QString text = m_filter->text().trimmed();
    if (text.isEmpty()) {
        showCurrent();
    } else {
        m_editor->change([&text](ColorRule& rule) { rule.filter = text; });
    }
}

OrderedList::Entry ColorRulesTab::lookOf(const ColorRule& rule) const
{
    const auto filter = models::typedFilter(rule.filter);
    const QString* const mistake = std::get_if<QString>(&filter);
    const QString what = rule.name + u" · "_s
                         + (mistake != nullptr ? tr("does nothing: %1").arg(*mistake)
                                               : rule.filter);
    return {what, rule.isEnabled, swatch(rule.color, *this), rule.filter};
}

void ColorRulesTab::showCurrent()
{
    const ColorRule* const current = m_editor ? m_editor->current() : nullptr;
    m_fields->setEnabled(current != nullptr);
    const ColorRule rule = current == nullptr ? ColorRule() : *current;
    m_name->setText(rule.name);
    m_filter->apply(rule.filter);
    m_color->setCurrentIndex(static_cast<int>(rule.color));
    showMistake();
}

void ColorRulesTab::showMistake()
{
    const auto filter = models::typedFilter(m_filter->text());
    const QString* const mistake = std::get_if<QString>(&filter);
    const bool isOne = m_list->current() >= 0 && mistake != nullptr;
    showRemark(*m_mistake, isOne ? *mistake : QString(), m_filter->text().isEmpty() ? 1 : 2);
}

} // namespace lockscope::widgets
