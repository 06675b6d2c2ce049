#pragma once

#include <QObject>

class QAction;

namespace lockscope::widgets {

/// What a user can do with the watched servers and their locks, with its words and its keys.
class LockActions : public QObject {
    Q_OBJECT
public:
    explicit LockActions(QObject* parent);

    // Server
    QAction* connectServer = nullptr;
    QAction* disconnectServer = nullptr;
    QAction* allowWrites = nullptr; // and takes them back
    QAction* sweep = nullptr;
    QAction* deepSweep = nullptr;

    // Lock
    QAction* acquire = nullptr;
    QAction* copyReleaseCommand = nullptr;
    QAction* filterByFormat = nullptr;
    QAction* filterByOwner = nullptr;
    QAction* filterByPrefix = nullptr;
    QAction* treatAs = nullptr;
    QAction* notALock = nullptr;
    QAction* treatments = nullptr; // needs no lock
    QAction* capTtl = nullptr;
    QAction* release = nullptr;
    QAction* exportCsv = nullptr; // these need no lock
    QAction* exportJson = nullptr;

    // View
    QAction* focusFilter = nullptr;
    QAction* focusTable = nullptr;
    QAction* pause = nullptr; // checkable
};

} // namespace lockscope::widgets
