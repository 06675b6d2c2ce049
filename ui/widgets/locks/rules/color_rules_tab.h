#pragma once

#include "core/kernel/inspect/filter/filter_completion.h"
#include "ui/models/locks/color_rules.h"
#include "ui/widgets/controls/list_editor.h"
#include "ui/widgets/shell/settings.h"

#include <QWidget>

#include <functional>
#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;

namespace lockscope::widgets {

class LockFilterEdit;

/// The tab of the settings in which colour rules are written and put in order. Every change is in
/// the settings at once; a filter that cannot be read is kept, and said to be wrong.
class ColorRulesTab : public QWidget {
    Q_OBJECT
public:
    /// `settings` outlives the tab; `changed` is called after each change of it.
    ColorRulesTab(Settings& settings, inspect::KnownTexts texts, std::function<void()> changed,
                  QWidget* parent = nullptr);

private:
    void createFields(inspect::KnownTexts texts);
    void connectFields();

    void add();
    void takeFilter();

    OrderedList::Entry lookOf(const models::ColorRule& rule) const;
    void showCurrent();
    void showMistake();

    Settings& m_settings;
    OrderedList* m_list = nullptr;
    std::optional<ListEditor<models::ColorRule>> m_editor;
    QWidget* m_fields = nullptr;
    QLineEdit* m_name = nullptr;
    LockFilterEdit* m_filter = nullptr;
    QComboBox* m_color = nullptr;
    QLabel* m_mistake = nullptr;
};

} // namespace lockscope::widgets
