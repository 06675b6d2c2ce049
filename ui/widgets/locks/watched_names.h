#pragma once

#include "core/service/lock_monitor.h"
#include "ui/widgets/shell/settings.h"

#include <QObject>

#include <string>
#include <vector>

namespace lockscope::widgets {

class LocksPage;

/// Everything outlives the names that are given it.
struct WatchedNamesContext {
    LocksPage& page;
    service::LockMonitor& monitor;
    Settings& settings;
    std::vector<std::string>& patterns; // those of the next server, and at first of the command
                                        // line
};

/// Brings the patterns that the user types below the table to the monitor, and into the settings.
/// Those of the command line come first; without any, those of the last time.
class WatchedNames : public QObject {
    Q_OBJECT
public:
    WatchedNames(const WatchedNamesContext& context, QObject* parent);

private:
    void takePatterns(const QStringList& patterns);

    WatchedNamesContext m_context;
};

} // namespace lockscope::widgets
