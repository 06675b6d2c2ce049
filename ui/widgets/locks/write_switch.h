#pragma once

#include "ui/widgets/locks/write_permit.h"

#include <QObject>
#include <QTimer>

class QAction;

namespace lockscope::widgets {

class Prompter;
class ServerBadge;

/// What the user sees of the permit to write, and turns it with: one action, the badge with the
/// time that is left, and the question before production is opened to changes.
class WriteSwitch : public QObject {
    Q_OBJECT
public:
    /// All of it outlives the switch; `window` is what a question stands over.
    struct Parts {
        WritePermit& permit;
        QAction& action;
        ServerBadge& badge;
        Prompter& prompter;
        QWidget& window;
    };

    WriteSwitch(Parts parts, QObject* parent);

    /// The permit was opened anew; it does not say so itself.
    void showState();

private:
    void turn();
    void showTimeLeft();

    Parts m_parts;
    QTimer m_tick; // while there is a countdown
};

} // namespace lockscope::widgets
