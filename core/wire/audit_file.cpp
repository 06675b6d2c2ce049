#include "core/wire/audit_file.h"

#include "core/files/descriptor.h"
#include "core/files/size_limit.h"
#include "core/kernel/report/audit_chain.h"

#include <QCryptographicHash>
#include <QFile>
#include <QStandardPaths>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

namespace lockscope::wire {

namespace {

using files::Descriptor;
using files::SizeLimitAsError;
using Path = std::filesystem::path;

constexpr mode_t kOwnerOnly = 0600;
constexpr mode_t kFolderOfOwner = 0700;
/// How long another program may keep the file locked. It needs as long as its disk for a line.
constexpr int kLockPatienceMs = 5'000;
constexpr int kLockPauseMs = 5;

std::string reasonOf(int error)
{
    return std::strerror(error);
}

/// New names in a folder survive a power cut only when the folder itself was written.
std::string syncFolder(const Path& folder)
{
    const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const bool isDone = file.number() >= 0
                        && (::fsync(file.number()) == 0 || errno == EINVAL); // not where it cannot
    return isDone ? std::string() : reasonOf(errno);
}

std::string makeFolder(const Path& folder)
{
    struct stat status {};
    if (folder.empty()) {
        return {};
    }
    if (::stat(folder.c_str(), &status) == 0) {
        return S_ISDIR(status.st_mode) ? std::string()
                                       : "the folder " + folder.string()
                                             + " could not be created: " + reasonOf(ENOTDIR);
    }
    const Path parent = folder.parent_path();
    std::string failure = makeFolder(parent);
    if (!failure.empty()) {
        return failure;
    }
    if (::mkdir(folder.c_str(), kFolderOfOwner) != 0 && errno != EEXIST) {
        return "the folder " + folder.string() + " could not be created: " + reasonOf(errno);
    }
    return syncFolder(parent);
}

struct Opened {
    int number = -1;
    bool isNew = false;
};

/// Neither follows a link nor waits for a reader of a pipe.
Opened openForAppending(const Path& name)
{
    constexpr int kFlags = O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    const int existing = ::open(name.c_str(), kFlags);
    if (existing >= 0 || errno != ENOENT) {
        return {existing, false};
    }
    const int made = ::open(name.c_str(), kFlags | O_CREAT | O_EXCL, kOwnerOnly);
    if (made >= 0 || errno != EEXIST) {
        return {made, true};
    }
    return {::open(name.c_str(), kFlags), false}; // another program was faster
}

/// Why nothing may be written there; empty when it is a file that only its owner may read.
std::string makePrivate(int file)
{
    struct stat status {};
    if (::fstat(file, &status) != 0) {
        return reasonOf(errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return "it is not a regular file";
    }
    const bool isWide = (status.st_mode & (S_IRWXG | S_IRWXO)) != 0;
    if (isWide && ::fchmod(file, kOwnerOnly) != 0) {
        return "other users may read or write it, and this could not be changed: "
               + reasonOf(errno);
    }
    return {};
}

/// Until the file is closed. `kind`: LOCK_EX to write, LOCK_SH to read.
std::string lockAgainstOthers(int file, int kind)
{
    for (int waitedMs = 0; ::flock(file, kind | LOCK_NB) != 0; waitedMs += kLockPauseMs) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return reasonOf(errno);
        }
        if (waitedMs >= kLockPatienceMs) {
            return "it is locked by another program";
        }
        ::poll(nullptr, 0, kLockPauseMs);
    }
    return {};
}

/// 0, or the error that kept some of it from being written.
int writeAll(int file, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = ::write(file, text.data(), text.size());
        if (count < 0 && errno != EINTR) {
            return errno;
        }
        text.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
    }
    return 0;
}

bool endsInsideALine(int file, off_t size)
{
    char last = '\n';
    return size > 0 && ::pread(file, &last, 1, size - 1) == 1 && last != '\n';
}

/// What the file has from there to its end; shorter if it cannot be read.
std::string contentFrom(int file, off_t begin, off_t size)
{
    std::string text(static_cast<std::size_t>(size - begin), '\0');
    std::size_t have = 0;
    while (have < text.size()) {
        const ssize_t count = ::pread(file, text.data() + have, text.size() - have,
                                      begin + static_cast<off_t>(have));
        if (count <= 0 && errno != EINTR) {
            break;
        }
        have += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    text.resize(have);
    return text;
}

/// What a line that is written behind `size` bytes has to say of those before it. Reads no more of
/// the end than it takes to find the last link.
report::AuditLink linkBehind(int file, off_t size)
{
    constexpr off_t kFirstPart = 16'384;
    for (off_t part = kFirstPart;; part *= 4) {
        const off_t begin = std::max<off_t>(0, size - part);
        const std::string text = contentFrom(file, begin, size);
        const auto last = report::lastLinked(text, begin == 0);
        if (last || begin == 0) {
            return report::nextLink(std::string_view(text).substr(last.value_or(0)),
                                    &AuditFile::sha256);
        }
    }
}

std::string appendLine(int file, const std::string& line)
{
    const off_t size = ::lseek(file, 0, SEEK_END);
    const std::string whole = report::linked(line, linkBehind(file, size));
    const SizeLimitAsError untilTheEnd;
    int error = writeAll(file, (endsInsideALine(file, size) ? "\n" : "") + whole + '\n');
    if (error == 0 && ::fsync(file) != 0) {
        error = errno;
    }
    if (error == 0) {
        return {};
    }
    [[maybe_unused]] const int takenBack = ::ftruncate(file, size); // as far as it may be shortened
    return reasonOf(error);
}

std::string appendTo(const Path& name, const std::string& line)
{
    std::string failure = makeFolder(name.parent_path());
    if (!failure.empty()) {
        return failure;
    }
    const Opened opened = openForAppending(name);
    const int error = errno;
    const Descriptor file(opened.number);
    if (file.number() < 0) {
        return error == ELOOP ? "it is a symbolic link" : reasonOf(error);
    }
    failure = makePrivate(file.number());
    if (failure.empty() && opened.isNew) {
        const Path folder = name.parent_path();
        failure = syncFolder(folder.empty() ? Path(".") : folder);
    }
    if (failure.empty()) {
        failure = lockAgainstOthers(file.number(), LOCK_EX);
    }
    return failure.empty() ? appendLine(file.number(), line) : failure;
}

} // namespace

std::string AuditFile::append(const std::string& jsonLine)
{
    const std::string failure = appendTo(Path(QFile::encodeName(m_path).toStdString()), jsonLine);
    return failure.empty() ? failure : m_path.toStdString() + ": " + failure;
}

std::optional<std::string> AuditFile::read(std::string& failure) const
{
    const std::string name = QFile::encodeName(m_path).toStdString();
    const Descriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0) {
        failure = reasonOf(errno);
    } else if (!S_ISREG(status.st_mode)) {
        failure = "it is not a regular file";
    } else {
        failure = lockAgainstOthers(file.number(), LOCK_SH);
    }
    if (!failure.empty()) {
        failure = m_path.toStdString() + ": " + failure;
        return std::nullopt;
    }
    return contentFrom(file.number(), 0, ::lseek(file.number(), 0, SEEK_END));
}

std::string AuditFile::sha256(std::string_view bytes)
{
    const QByteArray hash =
        QCryptographicHash::hash(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())),
                                 QCryptographicHash::Sha256);
    return hash.toHex().toStdString();
}

QString AuditFile::defaultPath()
{
    const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    return data + QStringLiteral("/lockscope/audit.jsonl");
}

} // namespace lockscope::wire
