#include "core/wire/format_folder.h"

#include "core/files/whole_file.h"
#include "core/kernel/base/kernel_text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

namespace lockscope::wire {

using inspect::OwnFile;
using inspect::OwnFileProblem;

namespace {

using namespace Qt::StringLiterals;

constexpr std::size_t kSizeMax = files::kMegabyte; // ordinary formats have a few hundred bytes

QString formatsIn(const QString& folder)
{
    return folder + u"/formats"_s;
}

QString treatmentsIn(const QString& folder)
{
    return folder + u"/treat-as.json"_s;
}

QString ownersIn(const QString& folder)
{
    return folder + u"/owners.json"_s;
}

bool isSame(const std::vector<OwnFile>& left, const std::vector<OwnFile>& right)
{
    return std::ranges::equal(left, right, [](const OwnFile& l, const OwnFile& r) {
        return l.path == r.path && l.text == r.text;
    });
}

} // namespace

OwnFile readFormatFile(const QString& path, std::vector<OwnFileProblem>& problems)
{
    OwnFile read{path.toStdString(), {}};
    auto text = files::readWhole(QFile::encodeName(path).toStdString(), kSizeMax);
    if (const auto* const failure = std::get_if<files::Unreadable>(&text)) {
        problems.push_back({read.path,
                            read.path + ": "
                                + KernelText::tr("Could not be read: %1.", failure->reason)});
        return read;
    }
    read.text = std::move(std::get<std::string>(text));
    return read;
}

FormatFiles readFormatFiles(const QString& folder)
{
    FormatFiles files;
    const QDir formats(formatsIn(folder));
    for (const QString& name : formats.entryList({u"*.json"_s}, QDir::Files, QDir::Name)) {
        const std::size_t problemCount = files.problems.size();
        OwnFile file = readFormatFile(formats.filePath(name), files.problems);
        if (files.problems.size() == problemCount) {
            files.formats.push_back(std::move(file));
        }
    }
    const QString treatments = treatmentsIn(folder);
    files.treatments.path = treatments.toStdString();
    if (QFileInfo::exists(treatments)) {
        files.treatments = readFormatFile(treatments, files.problems);
    }
    return files;
}

OwnFile readOwnersFile(const QString& folder, std::vector<OwnFileProblem>& problems)
{
    const QString path = ownersIn(folder);
    return QFileInfo::exists(path) ? readFormatFile(path, problems)
                                   : OwnFile{path.toStdString(), {}};
}

operations::OwnerNamesPtr ownersOf(const OwnFile& file, std::vector<OwnFileProblem>& problems)
{
    using operations::OwnerNames;
    auto owners = std::make_shared<OwnerNames>();
    if (!file.text.empty()) {
        auto read = OwnerNames::read(file.text);
        if (auto* const names = std::get_if<OwnerNames>(&read)) {
            *owners = std::move(*names);
        } else {
            problems.push_back({file.path, file.path + ": " + std::get<std::string>(read)});
        }
    }
    return owners;
}

QString saveTreatments(const QString& folder, const std::vector<inspect::Treatment>& treatments)
{
    QDir().mkpath(folder);
    const QString path = treatmentsIn(folder);
    const std::string reason = files::writeWhole(QFile::encodeName(path).toStdString(),
                                                 inspect::treatmentsText(treatments));
    return reason.empty() ? QString() : path + u": "_s + QString::fromStdString(reason);
}

QString defaultFormatFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::ConfigLocation) + u"/lockscope"_s;
}

FormatFolder::FormatFolder(QString folder, QObject* parent)
    : FormatStore(parent),
      m_folder(std::move(folder))
{
    m_settling.setSingleShot(true);
    m_settling.setInterval(kSettleMs);
    connect(&m_settling, &QTimer::timeout, this, &FormatFolder::read);
    const auto settle = [this] { m_settling.start(); };
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, settle);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, settle);
}

void FormatFolder::start()
{
    QDir().mkpath(folder());
    read();
}

QString FormatFolder::folder() const
{
    return formatsIn(m_folder);
}

QString FormatFolder::treatmentsPath() const
{
    return treatmentsIn(m_folder);
}

/// Files that are written in place change without their folder.
void FormatFolder::watchFiles()
{
    QStringList paths{m_folder, folder()};
    for (const OwnFile& file : m_files.formats) {
        paths.append(QString::fromStdString(file.path));
    }
    for (const OwnFileProblem& problem : m_files.problems) {
        paths.append(QString::fromStdString(problem.path));
    }
    paths.append({treatmentsPath(), ownersIn(m_folder)});
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    for (const QString& path : std::as_const(paths)) {
        if (!watched.contains(path) && QFileInfo::exists(path)) {
            m_watcher.addPath(path);
        }
    }
}

void FormatFolder::read()
{
    FormatFiles files = readFormatFiles(m_folder);
    OwnFile owners = readOwnersFile(m_folder, files.problems);
    const bool isSameAsBefore = isSame(files.formats, m_files.formats)
                                && files.treatments.text == m_files.treatments.text
                                && owners.text == m_ownersFile.text
                                && files.problems == m_files.problems;
    m_files = std::move(files);
    m_ownersFile = std::move(owners);
    watchFiles();
    if (isSameAsBefore) {
        return;
    }
    m_problems = m_files.problems;
    m_formats = inspect::tableOf(m_files.formats, m_files.treatments, m_formats, m_problems);
    m_owners = ownersOf(m_ownersFile, m_problems);
    Q_EMIT changed();
}

QString FormatFolder::setTreatments(std::vector<inspect::Treatment> treatments)
{
    const QString path = treatmentsPath();
    for (const OwnFileProblem& problem : m_problems) {
        if (QString::fromStdString(problem.path) == path) { // what the user wrote there stays
            return QString::fromStdString(problem.sentence);
        }
    }
    QString failure = saveTreatments(m_folder, treatments);
    if (failure.isEmpty()) {
        read();
    }
    return failure;
}

} // namespace lockscope::wire
