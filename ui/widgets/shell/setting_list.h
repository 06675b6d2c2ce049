#pragma once

#include "ui/widgets/shell/settings.h"

#include <QVariant>

namespace lockscope::widgets {

/// One setting that a person chooses: how it is kept in the file, how it is asked for, and where it
/// is in Settings. File and dialog follow from it.
struct SettingInfo {
    enum class Kind { Choice, Switch, Words };

    /// One that can be chosen: what is kept, and how it is called.
    struct Option {
        QString value;
        QString text;
    };

    QString key{}; // in the file; also the name of its control
    Kind kind = Kind::Choice;
    QString label{};         // with a mnemonic
    QString hint{};          // what it does, where the label does not tell; may be empty
    QList<Option> options{}; // of a Choice
    /// The value as it is kept: the QString of an option, a bool, or for Words a QStringList.
    QVariant (*read)(const Settings& settings) = nullptr;
    /// Any value; one that is not of the right kind means the default.
    void (*write)(Settings& settings, const QVariant& value) = nullptr;
};

/// All of them, in the order of the dialog, in the language of the program.
QList<SettingInfo> settingList();

} // namespace lockscope::widgets
