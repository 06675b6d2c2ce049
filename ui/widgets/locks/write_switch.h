#pragma once

#include "ui/widgets/locks/write_permit.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>

class QAction;

namespace lockscope::widgets {

class Prompter;

/// What the user sees of the permit to write, and turns it with: one action, the time that is left,
/// and the question before production is opened to changes.
class WriteSwitch : public QObject {
    Q_OBJECT
public:
    /// All of it outlives the switch; `window` is what a question stands over.
    struct Parts {
        WritePermit& permit;
        QAction& action;
        std::function<QString()> server; // the name of what may be written to
        Prompter& prompter;
        QWidget& window;
    };

    WriteSwitch(Parts parts, QObject* parent);

    /// The permit was opened anew; it does not say so itself.
    void showState();

    /// How long the servers may be written to yet, as the badge says it; empty: there is no limit.
    QString limitText() const { return m_limitText; }

Q_SIGNALS:
    void limitChanged(const QString& limitText);

private:
    void turn();
    void showTimeLeft();

    Parts m_parts;
    QString m_limitText;
    QTimer m_tick; // while there is a countdown
};

} // namespace lockscope::widgets
