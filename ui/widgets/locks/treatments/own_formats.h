#pragma once

#include "core/service/format_store.h"
#include "core/service/lock_monitor.h"

#include <QObject>

namespace lockscope::widgets {

class LockActions;
class LockTableView;
class MainWindow;

/// Brings the user's own formats, and what some names are treated as, from the store to the
/// monitor; says what is wrong with the files; and asks what the chosen lock is to be treated as.
class OwnFormats : public QObject {
    Q_OBJECT
public:
    /// All of it outlives this.
    struct Parts {
        service::FormatStore& store;
        service::LockMonitor& monitor;
        service::WatchOptions& options; // for the servers that are opened later
        LockActions& actions;
        LockTableView& table;
        MainWindow& window;
    };

    explicit OwnFormats(Parts parts, QObject* parent);

private:
    void takeFormats();
    void showProblems();
    void openTreatDialog(bool isNoLock);
    void openTreatmentsDialog();
    void save(std::vector<inspect::Treatment> treatments);

    Parts m_parts;
    QString m_shownProblem;
};

} // namespace lockscope::widgets
