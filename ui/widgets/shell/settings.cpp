#include "ui/widgets/shell/settings.h"

#include "core/files/size_limit.h"
#include "core/files/whole_file.h"
#include "ui/models/formatting.h"
#include "ui/models/locks/column_state.h"
#include "ui/models/ui_text.h"
#include "ui/models/user_files.h"
#include "ui/widgets/shell/setting_list.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>
#include <optional>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

/// A larger file is not from us.
constexpr std::size_t kSizeMax = 100 * files::kMegabyte;
constexpr qsizetype kSumDigits = 16;

/// Reads the settings file, and collects the names of what is damaged in it.
class SettingsReader {
public:
    explicit SettingsReader(QSettings& file) : m_file(file) {}

    /// The entries of the list that make sense. It is as long as the file has entries of it: the
    /// size that the file states may be any number.
    template<class Entry>
    QList<Entry> list(const QString& key, std::optional<Entry> (*read)(const QSettings&))
    {
        QList<Entry> entries;
        const int size = m_file.beginReadArray(key);
        const auto present = static_cast<int>(m_file.childGroups().size());
        noteUnless(size == present, key);
        for (int index = 0; index < present; ++index) {
            m_file.setArrayIndex(index);
            if (std::optional<Entry> entry = read(m_file)) {
                entries.append(*std::move(entry));
            }
        }
        m_file.endArray();
        return entries;
    }

    /// The bytes that sealed() wrote; empty if the file has no such value.
    QByteArray unsealed(const QString& key);

    /// A text that is empty or passes the test; otherwise empty.
    QString text(const QString& key, bool (*isValid)(const QString&))
    {
        QString value = m_file.value(key).toString();
        const bool isGood = value.isEmpty() || isValid(value);
        noteUnless(isGood, key);
        return isGood ? value : QString();
    }

    const QStringList& damaged() const { return m_damaged; }

private:
    void noteUnless(bool isGood, const QString& key)
    {
        if (!isGood) {
            m_damaged += key;
        }
    }

    QSettings& m_file;
    QStringList m_damaged;
};

QString sumOf(const QByteArray& bytes)
{
    const QByteArray sum = QCryptographicHash::hash(bytes, QCryptographicHash::Sha1).toHex();
    return QString::fromLatin1(sum).left(kSumDigits);
}

/// Bytes that only Qt can read, with a checksum: Qt does not expect that they were changed, and a
/// changed byte may take all time or all memory.
QString sealed(const QByteArray& bytes)
{
    return bytes.isEmpty() ? QString()
                           : sumOf(bytes) + u':' + QString::fromLatin1(bytes.toBase64());
}

QByteArray SettingsReader::unsealed(const QString& key)
{
    const QString value = m_file.value(key).toString();
    QByteArray bytes = QByteArray::fromBase64(value.mid(kSumDigits + 1).toLatin1());
    const bool isGood = value == sealed(bytes);
    noteUnless(isGood, key);
    return isGood ? bytes : QByteArray();
}

template<class Entry>
void writeList(QSettings& file, const QString& key, const QList<Entry>& entries,
               void (*write)(QSettings&, const Entry&))
{
    file.beginWriteArray(key, static_cast<int>(entries.size()));
    int index = 0;
    for (const Entry& entry : entries) {
        file.setArrayIndex(index++);
        write(file, entry);
    }
    file.endArray();
}

std::optional<ServerProfile> readServer(const QSettings& file)
{
    ServerProfile server;
    server.urls = file.value("urls").toStringList();
    server.environment = file.value("environment").toString();
    server.isReadOnly = file.value("readOnly").toBool();
    server.name = file.value("name").toString();
    server.folder = file.value("folder").toString();
    server.keepsPassword = file.value("keepsPassword").toBool();
    server.grouping = file.value("grouping").toString();
    return server.urls.isEmpty() ? std::nullopt : std::optional(server);
}

void writeServer(QSettings& file, const ServerProfile& server)
{
    file.setValue("urls", server.urls);
    file.setValue("environment", server.environment);
    file.setValue("readOnly", server.isReadOnly);
    file.setValue("name", server.name);
    file.setValue("folder", server.folder);
    file.setValue("keepsPassword", server.keepsPassword);
    file.setValue("grouping", server.grouping);
}

models::ProofDraft proofIn(const QSettings& file)
{
    models::ProofDraft proof;
    proof.command = file.value("proof/command").toString();
    proof.lease = file.value("proof/lease", proof.lease).toString();
    proof.budget = file.value("proof/budget", proof.budget).toString();
    const auto clock = conduct::clientClockOf(file.value("proof/clock").toString().toStdString());
    proof.clock = clock.value_or(proof.clock);
    proof.asksForHonestLeases = file.value("proof/honestLeases").toBool();
    using service::ProofOrder;
    const auto number = [&file](const char* name, int usual, int least, int most) {
        return std::clamp(file.value(name, usual).toInt(), least, most);
    };
    proof.processCount = number("proof/processes", proof.processCount, ProofOrder::kProcessesMin,
                                ProofOrder::kProcessesMax);
    proof.serverCount = number("proof/servers", proof.serverCount, 1, ProofOrder::kServersMax);
    proof.replicaCount = number("proof/replicas", proof.replicaCount, 0, ProofOrder::kReplicasMax);
    proof.usesRealServer = file.value("proof/realServer").toBool();
    return proof;
}

void keepProof(QSettings& file, const models::ProofDraft& proof)
{
    file.setValue("proof/command", proof.command);
    file.setValue("proof/lease", proof.lease);
    file.setValue("proof/budget", proof.budget);
    file.setValue("proof/clock", models::toQString(conduct::idOf(proof.clock)));
    file.setValue("proof/honestLeases", proof.asksForHonestLeases);
    file.setValue("proof/processes", proof.processCount);
    file.setValue("proof/servers", proof.serverCount);
    file.setValue("proof/replicas", proof.replicaCount);
    file.setValue("proof/realServer", proof.usesRealServer);
}

std::optional<NamedFilter> readNamedFilter(const QSettings& file)
{
    NamedFilter named{file.value("name").toString(), file.value("filter").toString()};
    return named.name.isEmpty() || named.filter.isEmpty() ? std::nullopt : std::optional(named);
}

void writeNamedFilter(QSettings& file, const NamedFilter& named)
{
    file.setValue("name", named.name);
    file.setValue("filter", named.filter);
}

std::optional<models::ColorRule> readColorRule(const QSettings& file)
{
    return models::ColorRule{file.value("name").toString(), file.value("filter").toString(),
                             models::ruleColorOf(file.value("color").toString()),
                             file.value("enabled", true).toBool()};
}

void writeColorRule(QSettings& file, const models::ColorRule& rule)
{
    file.setValue("name", rule.name);
    file.setValue("filter", rule.filter);
    file.setValue("color", models::idOf(rule.color));
    file.setValue("enabled", rule.isEnabled);
}

Duration readDuration(const QSettings& file, const QString& key, Duration usual)
{
    bool isNumber = false;
    const qlonglong ms = file.value(key).toLongLong(&isNumber);
    constexpr std::chrono::milliseconds kMost = std::chrono::days(10'000);
    return isNumber && ms >= 0 && ms <= kMost.count() ? std::chrono::milliseconds(ms) : usual;
}

qlonglong millisecondsOf(Duration duration)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

std::optional<models::AlertRule> readAlert(const QSettings& file)
{
    models::AlertRule alert{file.value("name").toString(), file.value("filter").toString()};
    alert.span = readDuration(file, u"spanMs"_s, alert.span);
    alert.pause = readDuration(file, u"pauseMs"_s, alert.pause);
    alert.isEnabled = file.value("enabled", true).toBool();
    alert.notifies = file.value("notifies", true).toBool();
    alert.beeps = file.value("beeps").toBool();
    alert.command = file.value("command").toString();
    alert.webhook = file.value("webhook").toString();
    return alert;
}

void writeAlert(QSettings& file, const models::AlertRule& alert)
{
    file.setValue("name", alert.name);
    file.setValue("filter", alert.filter);
    file.setValue("spanMs", millisecondsOf(alert.span));
    file.setValue("pauseMs", millisecondsOf(alert.pause));
    file.setValue("enabled", alert.isEnabled);
    file.setValue("notifies", alert.notifies);
    file.setValue("beeps", alert.beeps);
    file.setValue("command", alert.command);
    file.setValue("webhook", alert.webhook);
}

std::optional<models::KeptProtocol> readProtocol(const QSettings& file)
{
    return models::KeptProtocol{file.value("file").toString(), file.value("text").toString()};
}

void writeProtocol(QSettings& file, const models::KeptProtocol& protocol)
{
    file.setValue("file", protocol.file);
    file.setValue("text", protocol.text);
}

/// QSettings hands values of other types to QDataStream, which trusts the sizes in them. We write
/// none.
bool hasForeignTypes(const QByteArray& text)
{
    static const QRegularExpression kForeign(uR"([=,]\s*"?@(Variant|DateTime)\()"_s);
    return kForeign.match(QString::fromLatin1(text)).hasMatch();
}

/// True if the file was written by this program: QSettings itself reads any garbage as a few odd
/// keys.
bool looksLikeOurs(QSettings& file)
{
    return file.status() == QSettings::NoError && file.value("format").toInt() == 1;
}

bool isColumnState(const QString& text)
{
    return models::columnStateOf(text).has_value();
}

/// Returns the names of what is damaged.
QStringList readValues(QSettings& file, Settings& settings)
{
    SettingsReader reader(file);
    for (const SettingInfo& each : settingList()) {
        if (file.contains(each.key)) {
            each.write(settings, file.value(each.key));
        }
    }
    settings.windowGeometry = reader.unsealed(u"layout/window"_s);
    settings.dockLayout = reader.unsealed(u"layout/docks"_s);
    settings.tableColumns = reader.text(u"layout/columns"_s, &isColumnState);
    settings.filterHistory = file.value("filters").toStringList().mid(0,
                                                                      Settings::kFilterHistoryMax);
    settings.recentScenarios =
        file.value("scenarios").toStringList().mid(0, Settings::kRecentScenariosMax);
    settings.matrixNever = file.value("matrixNever", settings.matrixNever).toString();
    settings.matrixHiddenFaults = file.value("matrixHiddenFaults").toStringList();
    settings.matrixUnfoldedGroups = file.value("matrixUnfoldedGroups").toStringList();
    settings.recentServers =
        reader.list(u"recentServers"_s, &readServer).mid(0, Settings::kRecentServersMax);
    settings.profiles = reader.list(u"profiles"_s, &readServer);
    settings.namedFilters = reader.list(u"namedFilters"_s, &readNamedFilter);
    settings.alerts = reader.list(u"alerts"_s, &readAlert);
    settings.colorRules = reader.list(u"colorRules"_s, &readColorRule);
    settings.page = file.value("window/page").toString();
    settings.labForm = file.value("forms/lab").toByteArray();
    settings.proof = proofIn(file);
    settings.contendForm = file.value("forms/contend").toByteArray();
    settings.ownProtocols = reader.list(u"ownProtocols"_s, &readProtocol);
    return reader.damaged();
}

/// The number of values in a file of QSettings: one to a line. The last line of a file that was cut
/// off does not end.
qsizetype valueCountOf(const QByteArray& ini)
{
    QList<QByteArray> lines = ini.split('\n');
    lines.removeLast();
    return std::count_if(lines.cbegin(), lines.cend(), [](const QByteArray& line) {
        return !line.isEmpty() && !line.startsWith('[');
    });
}

/// Writes a new file. True if it has all values.
bool writeValues(const QString& path, const Settings& values)
{
    QSettings file(path, QSettings::IniFormat);
    file.setValue("format", 1);
    for (const SettingInfo& each : settingList()) {
        file.setValue(each.key, each.read(values));
    }
    file.setValue("layout/window", sealed(values.windowGeometry));
    file.setValue("layout/docks", sealed(values.dockLayout));
    file.setValue("layout/columns", values.tableColumns);
    file.setValue("filters", values.filterHistory);
    file.setValue("scenarios", values.recentScenarios);
    file.setValue("matrixNever", values.matrixNever);
    file.setValue("matrixHiddenFaults", values.matrixHiddenFaults);
    file.setValue("matrixUnfoldedGroups", values.matrixUnfoldedGroups);
    writeList(file, u"recentServers"_s, values.recentServers, &writeServer);
    writeList(file, u"profiles"_s, values.profiles, &writeServer);
    writeList(file, u"namedFilters"_s, values.namedFilters, &writeNamedFilter);
    writeList(file, u"alerts"_s, values.alerts, &writeAlert);
    writeList(file, u"colorRules"_s, values.colorRules, &writeColorRule);
    file.setValue("window/page", values.page);
    file.setValue("forms/lab", values.labForm);
    keepProof(file, values.proof);
    file.setValue("forms/contend", values.contendForm);
    writeList(file, u"ownProtocols"_s, values.ownProtocols, &writeProtocol);
    file.sync();
    return file.status() == QSettings::NoError
           && valueCountOf(models::readFile(path, kSizeMax).content) == file.allKeys().size();
}

template<class Entry, class SameEntry>
void moveToFront(QList<Entry>& list, const Entry& entry, qsizetype limit, SameEntry isSame)
{
    list.removeIf(isSame);
    list.prepend(entry);
    while (list.size() > limit) {
        list.removeLast();
    }
}

} // namespace

void rememberServer(Settings& settings, ServerProfile server)
{
    const QList<ServerProfile> known = settings.profiles + settings.recentServers;
    const auto earlier = std::ranges::find(known, server.urls, &ServerProfile::urls);
    if (earlier != known.end()) {
        server.name = earlier->name;
        server.keepsPassword = earlier->keepsPassword;
    }
    moveToFront(settings.recentServers, server, Settings::kRecentServersMax,
                [&server](const ServerProfile& other) { return other.urls == server.urls; });
}

void saveProfile(Settings& settings, const ServerProfile& profile)
{
    if (profile.name.isEmpty()) {
        return;
    }
    const auto placeOf = [](const ServerProfile& one) { return std::pair(one.folder, one.name); };
    QList<ServerProfile>& profiles = settings.profiles;
    profiles.removeIf([&](const ServerProfile& one) { return placeOf(one) == placeOf(profile); });
    const auto place = std::ranges::upper_bound(profiles, placeOf(profile), {}, placeOf);
    profiles.insert(place - profiles.begin(), profile);
}

void setKeepsPassword(Settings& settings, const QStringList& urls, bool keepsPassword)
{
    for (QList<ServerProfile>* list : {&settings.profiles, &settings.recentServers}) {
        for (ServerProfile& server : *list) {
            server.keepsPassword = server.urls == urls ? keepsPassword : server.keepsPassword;
        }
    }
}

void rememberFilter(Settings& settings, const QString& filter)
{
    moveToFront(settings.filterHistory, filter, Settings::kFilterHistoryMax,
                [&filter](const QString& other) { return other == filter; });
}

void nameFilter(Settings& settings, const NamedFilter& named)
{
    if (named.name.isEmpty() || named.filter.isEmpty()) {
        return;
    }
    QList<NamedFilter>& filters = settings.namedFilters;
    filters.removeIf([&named](const NamedFilter& other) { return other.name == named.name; });
    const auto place = std::ranges::upper_bound(filters, named.name, {}, &NamedFilter::name);
    filters.insert(place - filters.begin(), named);
}

void rememberScenario(Settings& settings, const QString& path)
{
    moveToFront(settings.recentScenarios, path, Settings::kRecentScenariosMax,
                [&path](const QString& other) { return other == path; });
}

SettingsFile::SettingsFile(QString path) : m_path(std::move(path))
{}

QString SettingsFile::defaultPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::ConfigLocation)
           + u"/lockscope/lockscope.ini"_s;
}

QString SettingsFile::markDamaged(const QStringList& parts)
{
    const QString time = QFileInfo(m_path).lastModified().toString(u"yyyyMMdd-HHmmss"_s);
    m_asidePath = m_path + u".damaged-"_s + time;
    for (int count = 2; QFileInfo::exists(m_asidePath); ++count) {
        m_asidePath = m_path + u".damaged-"_s + time + u'-' + QString::number(count);
    }
    return parts.isEmpty() ? UiText::tr("The settings in %1 are damaged. Defaults are used. The "
                                        "damaged file is kept as %2.")
                                 .arg(m_path, m_asidePath)
                           : UiText::tr("Some settings in %1 are damaged: %2. Their defaults are "
                                        "used. The damaged file is kept as %3.")
                                 .arg(m_path, parts.join(u", "_s), m_asidePath);
}

QString SettingsFile::load()
{
    m_values = Settings();
    m_known = m_values;
    m_asidePath.clear();
    const QFileInfo info(m_path);
    if (!info.exists()) {
        return {};
    }
    if (info.isFile() && info.size() > static_cast<qint64>(kSizeMax)) {
        return markDamaged({});
    }
    const models::ReadFile bytes = info.isFile() ? models::readFile(m_path, kSizeMax)
                                                 : models::ReadFile{{}, u"no file"_s};
    if (!bytes.isRead()) {
        return UiText::tr("Could not read the settings in %1. Defaults are used. "
                          "Check the owner and permissions of the file.")
            .arg(m_path);
    }
    if (hasForeignTypes(bytes.content)) {
        return markDamaged({});
    }
    QSettings file(m_path, QSettings::IniFormat);
    if (!looksLikeOurs(file)) {
        return markDamaged({});
    }
    const QStringList damaged = readValues(file, m_values);
    m_known = m_values;
    return damaged.isEmpty() ? QString() : markDamaged(damaged);
}

bool SettingsFile::save()
{
    if (isDamaged()) {
        if (!QFile::rename(m_path, m_asidePath)) {
            return false;
        }
        m_asidePath.clear();
    }
    const files::SizeLimitAsError limit;
    // QSettings reports success on a full disk, and leaves what fits: it gets another file.
    const QString newPath = m_path + u".new"_s;
    QFile::remove(newPath); // of a program that was killed
    const bool isWritten = writeValues(newPath, m_values);
    const models::ReadFile written = models::readFile(newPath, kSizeMax);
    QFile::remove(newPath);
    const bool isSaved = isWritten && models::writeFile(m_path, written.content).isEmpty();
    m_known = isSaved ? m_values : m_known;
    return isSaved;
}

bool SettingsFile::saveChanges()
{
    return m_values == m_known || save();
}

} // namespace lockscope::widgets
