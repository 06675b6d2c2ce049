#include "ui/models/locks/color_rules.h"

#include "ui/models/typed_values.h"
#include "ui/models/ui_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::models {

using namespace Qt::StringLiterals;

namespace {

constexpr auto kColorCount = static_cast<std::size_t>(RuleColor::ColorCount);

constexpr std::array<QLatin1StringView, kColorCount> kIds{"violet"_L1, "teal"_L1, "magenta"_L1,
                                                          "grey"_L1};

} // namespace

QString idOf(RuleColor color)
{
    return kIds[static_cast<std::size_t>(color)];
}

RuleColor ruleColorOf(const QString& id)
{
    const auto found = std::ranges::find(kIds, id);
    return found == kIds.end() ? RuleColor::Violet
                               : static_cast<RuleColor>(std::distance(kIds.begin(), found));
}

QString titleOf(RuleColor color)
{
    switch (color) {
    case RuleColor::Violet: return UiText::tr("Violet");
    case RuleColor::Teal: return UiText::tr("Teal");
    case RuleColor::Magenta: return UiText::tr("Magenta");
    case RuleColor::Grey: return UiText::tr("Grey");
    case RuleColor::ColorCount: break;
    }
    return {};
}

ColorRules::ColorRules(const QList<ColorRule>& rules)
{
    for (const ColorRule& rule : rules) {
        Typed<inspect::LockFilter> filter = typedFilter(rule.filter);
        if (rule.isEnabled && std::holds_alternative<inspect::LockFilter>(filter)) {
            m_rules.push_back({rule, std::get<inspect::LockFilter>(std::move(filter))});
        }
    }
}

const ColorRule* ColorRules::match(const inspect::LockRecord& lock,
                                   const inspect::FilterContext& context) const
{
    const auto found = std::ranges::find_if(m_rules, [&](const ReadRule& each) {
        return each.filter.matches(lock, context);
    });
    return found == m_rules.end() ? nullptr : &found->rule;
}

bool ColorRules::dependOnTime() const
{
    return std::ranges::any_of(m_rules,
                               [](const ReadRule& each) { return each.filter.dependsOnTime(); });
}

} // namespace lockscope::models
