#pragma once

#include "core/service/lock_monitor.h"
#include "ui/widgets/shell/settings.h"

#include <QObject>
#include <QStringList>
#include <QWidget>

#include <string>
#include <vector>

class QLineEdit;
class QPushButton;

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

    /// The patterns were changed in the settings, perhaps.
    void applySettings();

private:
    void takePatterns(const QStringList& patterns);

    WatchedNamesContext m_context;
    QStringList m_kept; // of the settings, as known here
};

/// The line below the table: which names the user calls locks, besides those that sound like one,
/// and how many keys sounded like locks and are none. So what is not in the table is never far.
class WatchedNamesBar : public QWidget {
    Q_OBJECT
public:
    explicit WatchedNamesBar(QWidget* parent = nullptr);

    void showPatterns(const QStringList& patterns);
    QStringList patterns() const { return m_patterns; }

    /// How many keys looked like locks and were not taken for one.
    void showNearMisses(quint64 count);

Q_SIGNALS:
    /// The user calls other names locks than before.
    void patternsChanged(const QStringList& patterns);
    void nearMissesRequested();

private:
    void takeText();

    QStringList m_patterns;
    QLineEdit* m_edit = nullptr;
    QPushButton* m_nearMisses = nullptr;
};

/// A pattern that matches this name and no other.
QString patternOfName(const QString& name);

} // namespace lockscope::widgets
