#include "core/files/whole_file.h"

#include "core/files/descriptor.h"
#include "core/files/size_limit.h"
#include "core/kernel/base/kernel_text.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace lockscope::files {

namespace {

using Path = std::filesystem::path;

constexpr std::size_t kPiece = std::size_t{1} << 16U;
constexpr int kTriesForName = 100;
constexpr mode_t kNewFileMode = 0666; // without what umask takes away
constexpr mode_t kOwnerOnly = 0600;
constexpr mode_t kPermissions = 07777;

std::string reasonOf(int error)
{
    return std::generic_category().message(error);
}

Descriptor openForReading(const std::string& path)
{
    return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
}

/// Appends the next bytes of the file to the text. Returns their number: 0 at the end, -1 and errno
/// after an error.
ssize_t appendPiece(const Descriptor& file, std::string& text)
{
    const std::size_t before = text.size();
    text.resize(before + kPiece);
    ssize_t count = 0;
    do {
        count = ::read(file.number(), text.data() + before, kPiece);
    } while (count < 0 && errno == EINTR);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    return count;
}

/// Reads to the end of the file, or until the text is longer than `length`.
std::variant<std::string, Unreadable> readMoreThan(const std::string& path, std::size_t length)
{
    const Descriptor file = openForReading(path);
    if (file.number() < 0) {
        return Unreadable{reasonOf(errno)};
    }
    std::string text;
    ssize_t count = 1;
    while (count > 0 && text.size() <= length) {
        count = appendPiece(file, text);
        if (count < 0) {
            return Unreadable{reasonOf(errno)};
        }
    }
    return text;
}

bool writeAll(const Descriptor& file, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t count = ::write(file.number(), content.data(), content.size());
        if (count < 0 && errno != EINTR) {
            return false;
        }
        content.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
    return true;
}

/// Some file systems cannot do it, which is no error.
bool syncToDisk(const Descriptor& file)
{
    return ::fsync(file.number()) == 0 || errno == EINVAL || errno == ENOTSUP;
}

std::string writeInPlace(const std::string& path, std::string_view content)
{
    constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY;
    Descriptor file(::open(path.c_str(), kFlags, kNewFileMode));
    const bool isWritten = file.number() >= 0 && writeAll(file, content) && file.close();
    return isWritten ? std::string() : reasonOf(errno);
}

/// A new file in the folder of another one. Its name begins with a dot and is short: the name of
/// the other file may be as long as names can be.
struct NewFile {
    Path path;
    Descriptor file;
};

NewFile makeNewFile(const Path& folder, mode_t mode)
{
    const std::string begin = ".lockscope-" + std::to_string(::getpid()) + '-';
    for (int i = 0;; ++i) { // a killed process with this number may have left one
        Path path = folder / (begin + std::to_string(i));
        const int number = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (number >= 0 || errno != EEXIST || i == kTriesForName) {
            return {std::move(path), Descriptor(number)};
        }
    }
}

/// Replaces the file at once by a new one that is already on disk.
std::string replaceFile(const Path& path, const struct stat* old, std::string_view content)
{
    auto [newPath, file] = makeNewFile(path.parent_path(),
                                       old != nullptr ? kOwnerOnly : kNewFileMode);
    if (file.number() < 0) {
        return reasonOf(errno);
    }
    bool isReady = true;
    if (old != nullptr) {
        // Only root can give a file away. Another user has to keep what he replaces.
        [[maybe_unused]] const int given = ::fchown(file.number(), old->st_uid, old->st_gid);
        isReady = ::fchmod(file.number(), old->st_mode & kPermissions) == 0;
    }
    isReady = isReady && writeAll(file, content) && syncToDisk(file) && file.close()
              && std::rename(newPath.c_str(), path.c_str()) == 0;
    if (isReady) {
        return {};
    }
    const int error = errno;
    ::unlink(newPath.c_str());
    return reasonOf(error);
}

/// True for files that the kernel offers, such as /dev/stdout. Replacing one would take the file
/// away from the process that has opened it.
bool isOfKernel(const std::string& path)
{
    return path.starts_with("/dev/") || path.starts_with("/proc/");
}

} // namespace

std::variant<std::string, Unreadable> readWhole(const std::string& path, std::size_t sizeMax)
{
    auto read = readMoreThan(path, sizeMax);
    const auto* const text = std::get_if<std::string>(&read);
    if (text != nullptr && text->size() > sizeMax) {
        return Unreadable{KernelText::tr("larger than %1 MB", sizeMax / kMegabyte)};
    }
    return read;
}

std::variant<std::string, Unreadable> readBeginning(const std::string& path, std::size_t length)
{
    auto read = readMoreThan(path, length);
    if (auto* const text = std::get_if<std::string>(&read)) {
        text->resize(std::min(text->size(), length));
    }
    return read;
}

bool fileHas(const std::string& path, std::string_view bytes)
{
    const Descriptor file = openForReading(path);
    std::string text;
    while (file.number() >= 0 && appendPiece(file, text) > 0) {
        if (text.find(bytes) != std::string::npos) {
            return true;
        }
        text.erase(0, text.size() - std::min(text.size(), bytes.size())); // it may be cut in two
    }
    return false;
}

std::string writeWhole(const std::string& path, std::string_view content)
{
    const SizeLimitAsError limit;
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
        return errno == ENOENT && !path.empty() ? replaceFile(path, nullptr, content)
                                                : reasonOf(errno);
    }
    std::error_code error;
    const Path target = std::filesystem::canonical(path, error);
    const bool isReplaced = !error && ::stat(target.c_str(), &status) == 0
                            && S_ISREG(status.st_mode) && !isOfKernel(path);
    if (!isReplaced) {
        return writeInPlace(path, content);
    }
    // Renaming needs no right to the old file, but a file without this right is to be kept.
    return ::access(target.c_str(), W_OK) == 0 ? replaceFile(target, &status, content)
                                               : reasonOf(errno);
}

} // namespace lockscope::files
