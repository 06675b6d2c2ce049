#pragma once

#include "core/service/format_store.h"
#include "core/service/lock_monitor.h"

#include <QObject>
#include <QString>

namespace lockscope::widgets {

class LockActions;
class LockTableView;
class MainWindow;

/// Says above the pages what is wrong with the files of own formats, until it was mended.
class FormatProblems : public QObject {
    Q_OBJECT
public:
    /// Both outlive this.
    FormatProblems(service::FormatStore& store, MainWindow& window, QObject* parent);

private:
    void show();

    service::FormatStore& m_store;
    MainWindow& m_window;
    QString m_shown;
};

/// Brings the user's own formats, and what some names are treated as, from the store to the
/// monitor, and asks what the chosen lock is to be treated as.
class OwnFormats : public QObject {
    Q_OBJECT
public:
    /// All of it outlives this.
    struct Parts {
        service::FormatStore& store;
        service::LockMonitor& monitor;
        LockActions& actions;
        LockTableView& table;
        MainWindow& window;
    };

    explicit OwnFormats(Parts parts, QObject* parent);

private:
    void takeFormats();
    void openTreatDialog(bool isNoLock);
    void openTreatmentsDialog();
    void save(std::vector<inspect::Treatment> treatments);

    Parts m_parts;
};

} // namespace lockscope::widgets
