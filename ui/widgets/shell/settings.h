#pragma once

#include "ui/models/kept_protocols.h"
#include "ui/models/lab/proof_draft.h"
#include "ui/models/locks/alert_rule.h"
#include "ui/models/locks/color_rules.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace lockscope::widgets {

enum class ThemeChoice { FollowSystem, Light, Dark };

/// A server, or a Redlock set, that was opened before, or that the user keeps under a name.
/// Passwords are not settings: the URLs never hold one.
struct ServerProfile {
    QStringList urls;
    QString environment{};
    bool isReadOnly = false;
    QString name{};             // empty: its address
    QString folder{};           // empty: none
    bool keepsPassword = false; // in the keyring of the system
    QString grouping{};         // of several servers: store::idOf(Grouping)

    friend bool operator==(const ServerProfile&, const ServerProfile&) = default;
};

/// A filter of the table of locks that the user gave a name.
struct NamedFilter {
    QString name;
    QString filter;

    friend bool operator==(const NamedFilter&, const NamedFilter&) = default;
};

/// What the window remembers from one run to the next. The initial values are the defaults.
struct Settings {
    static constexpr qsizetype kRecentServersMax = 10;
    static constexpr qsizetype kFilterHistoryMax = 20;
    static constexpr qsizetype kRecentScenariosMax = 10;

    ThemeChoice theme = ThemeChoice::FollowSystem;
    QString language;                    // "en", "zh_CN"; empty: that of the system
    bool showsUtc = false;               // times of day; else in the zone of this machine
    QByteArray windowGeometry;           // of QWidget::saveGeometry()
    QByteArray dockLayout;               // of QMainWindow::saveState()
    QString tableColumns;                // models::ColumnState as text
    QList<ServerProfile> recentServers;  // newest first
    QList<ServerProfile> profiles;       // by folder and name
    QStringList filterHistory;           // newest first
    QList<NamedFilter> namedFilters;     // by name
    QList<models::ColorRule> colorRules; // the first that matches counts
    QList<models::AlertRule> alerts;
    QStringList lockPatterns;       // names that the user calls locks
    int serverTimePercent = 0;      // that looking at all keys may take of a server; 0: no limit
    QStringList recentScenarios;    // files, newest first
    bool showsProbableData = false; // in the table of locks, at its end
    QString matrixNever = QStringLiteral("two-holders"); // a harm; empty: any
    QStringList matrixHiddenFaults;                      // ids
    QStringList matrixUnfoldedGroups;                    // ids of groups with a column per fault
    QString page;                                        // that was shown; empty: the first
    QByteArray labForm;                                  // models::LabFormState
    QByteArray contendForm;                              // models::ContendFormState
    models::ProofDraft proof;                            // of the client that was proved last
    QList<models::KeptProtocol> ownProtocols;

    friend bool operator==(const Settings&, const Settings&) = default;
};

/// Puts `server` at the head of the recent ones. An earlier entry with the same URLs makes way, and
/// leaves its name, or that of the profile, and whether the keyring has its password.
void rememberServer(Settings& settings, ServerProfile server);

/// Keeps the profile under its folder and name, in place of another one of that name there. Without
/// a name it does nothing.
void saveProfile(Settings& settings, const ServerProfile& profile);

/// Everywhere where the server of these URLs is remembered.
void setKeepsPassword(Settings& settings, const QStringList& urls, bool keepsPassword);

/// Puts `filter` at the head of the history; an earlier entry with the same text makes way.
void rememberFilter(Settings& settings, const QString& filter);

/// Keeps the filter under its name, in place of another one of that name. Without a name it does
/// nothing.
void nameFilter(Settings& settings, const NamedFilter& named);

/// Puts the file at the head of the recent scenarios; an earlier entry of it makes way.
void rememberScenario(Settings& settings, const QString& path);

/// The file behind the settings; the only place that touches it.
class SettingsFile {
public:
    explicit SettingsFile(QString path);

    /// Where the settings of this user live.
    static QString defaultPath();

    /// Reads the file into values(), and changes nothing. Settings that cannot be read keep their
    /// defaults; the result is a sentence about them for the user. It is empty if all is well, also
    /// if there is no file yet.
    QString load();
    /// True if the file that load() read is damaged, as long as save() has not set it aside.
    bool isDamaged() const { return !m_asidePath.isEmpty(); }

    /// Writes values(), and returns false if the file cannot be written. A damaged file is renamed
    /// first: its name gets ".damaged-" and the time at which it was written last.
    bool save();
    /// The same, where values() are not what was read or written last.
    bool saveChanges();

    const QString& path() const { return m_path; }
    Settings& values() { return m_values; }
    const Settings& values() const { return m_values; }

private:
    QString markDamaged(const QStringList& parts);

    QString m_path;
    Settings m_values;
    Settings m_known;    // read or written last
    QString m_asidePath; // the future name of a damaged file
};

} // namespace lockscope::widgets
