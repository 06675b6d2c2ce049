#pragma once

#include <QObject>

class QAction;

namespace lockscope::widgets {

/// What a user can do with the locks of one watched server, with its words and its keys.
class LockActions : public QObject {
    Q_OBJECT
public:
    explicit LockActions(QObject* parent);

    QAction* allowWrites = nullptr; // and takes them back
    QAction* copyReleaseCommand = nullptr;
    QAction* filterByFormat = nullptr;
    QAction* filterByOwner = nullptr;
    QAction* filterByPrefix = nullptr;
    QAction* treatAs = nullptr;
    QAction* notALock = nullptr;
    QAction* treatments = nullptr; // needs no lock
    QAction* capTtl = nullptr;
    QAction* release = nullptr;
    QAction* disconnect = nullptr; // the holder
    QAction* exportCsv = nullptr;  // these need no lock
    QAction* exportJson = nullptr;
};

} // namespace lockscope::widgets
