#pragma once

#include "core/kernel/inspect/filter/lock_filter.h"

#include <QList>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace lockscope::models {

/// The colours that rules give: none of those that stand for states of locks. What they look like
/// is the business of the style.
enum class RuleColor : std::uint8_t { Violet, Teal, Magenta, Grey, ColorCount };

/// "violet": in the file of the settings, stable.
QString idOf(RuleColor color);
/// Violet for an unknown id.
RuleColor ruleColorOf(const QString& id);
/// "Violet", for people.
QString titleOf(RuleColor color);

/// Marks the locks that its filter lets pass. What is typed is kept as it was typed, also when the
/// filter cannot be read: then the rule marks nothing.
struct ColorRule {
    QString name;
    QString filter;
    RuleColor color = RuleColor::Violet;
    bool isEnabled = true;

    friend bool operator==(const ColorRule&, const ColorRule&) = default;
};

/// Rules in their order, ready to be asked: the first that matches decides.
class ColorRules {
public:
    ColorRules() = default;
    explicit ColorRules(const QList<ColorRule>& rules);

    /// Null where no enabled rule matches. Valid as long as this object is.
    const ColorRule* match(const inspect::LockRecord& lock,
                           const inspect::FilterContext& context) const;

    /// True when they may change their mind about an unchanged lock as time passes.
    bool dependOnTime() const;
    bool isEmpty() const { return m_rules.empty(); }

private:
    struct ReadRule {
        ColorRule rule;
        inspect::LockFilter filter;
    };
    std::vector<ReadRule> m_rules; // those that can match
};

} // namespace lockscope::models
