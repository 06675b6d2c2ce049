#include "ui/widgets/locks/table/named_filters.h"

#include "ui/widgets/locks/table/lock_filter_edit.h"
#include "ui/widgets/style/icons.h"

#include <QAction>
#include <QMenu>
#include <QWidgetAction>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

/// Of a menu, where an ampersand would be a key.
QString menuText(const NamedFilter& named)
{
    return QString(named.name + u'\t' + named.filter).replace(u'&', u"&&"_s);
}

} // namespace

NamedFilters::NamedFilters(LockFilterEdit& edit, Settings& settings)
    : QObject(&edit),
      m_edit(edit),
      m_settings(settings)
{
    QAction* const open = edit.addAction(tintedIcon(u"filter"), QLineEdit::TrailingPosition);
    open->setObjectName(u"namedFilters"_s);
    open->setText(tr("Named filters"));
    open->setToolTip(tr("Named filters"));
    connect(open, &QAction::triggered, this, [this] {
        createMenu()->popup(m_edit.mapToGlobal(QPoint(m_edit.width(), m_edit.height())));
    });
}

QMenu* NamedFilters::createMenu()
{
    auto* menu = new QMenu(&m_edit);
    menu->setObjectName(u"namedFiltersMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addFilters(*menu);
    addNameField(*menu);
    addRemoval(*menu);
    return menu;
}

void NamedFilters::addFilters(QMenu& menu)
{
    if (m_settings.namedFilters.isEmpty()) {
        menu.addAction(tr("No filter has a name yet"))->setEnabled(false);
    }
    for (const NamedFilter& named : std::as_const(m_settings.namedFilters)) {
        connect(menu.addAction(menuText(named)), &QAction::triggered, &m_edit,
                [this, filter = named.filter] { m_edit.apply(filter); });
    }
    menu.addSeparator();
}

void NamedFilters::addNameField(QMenu& menu)
{
    const bool isValid = m_edit.condition() == LockFilterEdit::Condition::Valid;
    auto* name = new QLineEdit(&menu);
    name->setObjectName(u"filterName"_s);
    name->setEnabled(isValid);
    name->setAccessibleName(tr("Name for this filter"));
    name->setPlaceholderText(isValid ? tr("Name for this filter, then Enter")
                                     : tr("Enter a filter to give it a name"));
    name->setMinimumWidth(name->fontMetrics().averageCharWidth() * 40);
    auto* field = new QWidgetAction(&menu);
    field->setDefaultWidget(name);
    menu.addAction(field);
    connect(name, &QLineEdit::returnPressed, &menu, [this, name, &menu] {
        nameFilter(m_settings, {name->text().trimmed(), m_edit.text().trimmed()});
        menu.close();
    });
}

void NamedFilters::addRemoval(QMenu& menu)
{
    if (m_settings.namedFilters.isEmpty()) {
        return;
    }
    QMenu* const removal = menu.addMenu(tr("Remove"));
    for (const NamedFilter& named : std::as_const(m_settings.namedFilters)) {
        connect(removal->addAction(menuText(named)), &QAction::triggered, this,
                [this, name = named.name] {
                    m_settings.namedFilters.removeIf([&name](const NamedFilter& other) {
                        return other.name == name;
                    });
                });
    }
}

} // namespace lockscope::widgets
