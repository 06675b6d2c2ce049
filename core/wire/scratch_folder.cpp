#include "core/wire/scratch_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace lockscope::wire {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "lockscope-run-";
constexpr const char* kOwnerFile = ".owner";

fs::path parentFolder()
{
    std::error_code problem;
    fs::path folder = fs::temp_directory_path(problem);
    return problem ? fs::path("/tmp") : folder;
}

bool isPrivate(const struct stat& status)
{
    return status.st_uid == ::geteuid() && (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

/// True if a process owned the folder and does not exist any more. The owner file is filled after
/// it was locked: an empty one belongs to a folder that is only being made.
bool isAbandoned(int folder)
{
    struct stat status {};
    if (::fstat(folder, &status) != 0 || !isPrivate(status)) {
        return false;
    }
    const int owner = ::openat(folder, kOwnerFile, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const bool isOurs = owner >= 0 && ::flock(owner, LOCK_EX | LOCK_NB) == 0
                        && ::fstat(owner, &status) == 0 && status.st_size > 0;
    if (owner >= 0) {
        ::close(owner);
    }
    return isOurs;
}

void removeAll(const fs::path& folder)
{
    std::error_code ignored;
    fs::remove_all(folder, ignored);
}

} // namespace

ScratchFolder::ScratchFolder()
{
    std::string path = (parentFolder() / (std::string(kPrefix) + "XXXXXX")).string();
    if (::mkdtemp(path.data()) == nullptr) {
        return;
    }
    const std::string owner = path + '/' + kOwnerFile;
    m_owner = ::open(owner.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    const std::string process = std::to_string(::getpid()) + '\n';
    const bool isOwned = m_owner >= 0 && ::flock(m_owner, LOCK_EX) == 0
                         && ::write(m_owner, process.data(), process.size()) > 0;
    if (isOwned) {
        m_path = path;
    } else {
        removeAll(path);
    }
}

ScratchFolder::~ScratchFolder()
{
    if (!m_path.empty()) {
        removeAll(m_path);
    }
    if (m_owner >= 0) {
        ::close(m_owner);
    }
}

std::string ScratchFolder::filePath(std::string_view name) const
{
    return m_path + '/' + std::string(name);
}

void ScratchFolder::removeAbandoned()
{
    std::error_code problem;
    for (fs::directory_iterator each(parentFolder(), problem);
         !problem && each != fs::directory_iterator(); each.increment(problem)) {
        const fs::path& path = each->path();
        if (!path.filename().string().starts_with(kPrefix)) {
            continue;
        }
        const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder < 0) {
            continue;
        }
        if (isAbandoned(folder)) {
            removeAll(path);
        }
        ::close(folder);
    }
}

} // namespace lockscope::wire
