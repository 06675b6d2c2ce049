#pragma once

#include "ui/widgets/shell/settings.h"

#include <QObject>

class QAction;
class QMenu;

namespace lockscope::widgets {

class LockFilterEdit;

/// The menu at the right end of the filter box: filters that have a name, and a field that gives
/// the one in the box a name.
class NamedFilters : public QObject {
    Q_OBJECT
public:
    /// Both outlive the object; the names are kept in the settings.
    NamedFilters(LockFilterEdit& edit, Settings& settings);

    /// What the menu offers, for the state of the box. It deletes itself when it closes.
    QMenu* createMenu();

private:
    void addFilters(QMenu& menu);
    void addNameField(QMenu& menu);
    void addRemoval(QMenu& menu);

    LockFilterEdit& m_edit;
    Settings& m_settings;
};

} // namespace lockscope::widgets
