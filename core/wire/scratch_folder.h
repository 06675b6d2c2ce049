#pragma once

#include <string>
#include <string_view>

namespace lockscope::wire {

/// A folder for the files of a run, below the system's folder for temporary files and for this user
/// alone. It is removed with the object. After a crash, removeAbandoned() of the next start removes
/// it: its owner file is locked for as long as the process lives, however that ends.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    /// Empty if the folder could not be made.
    const std::string& path() const { return m_path; }
    std::string filePath(std::string_view name) const;

    /// Removes the folders of this user whose processes no longer exist. Links are not followed,
    /// and what cannot be removed is left alone.
    static void removeAbandoned();

private:
    std::string m_path;
    int m_owner = -1; // the open owner file, which holds the lock
};

} // namespace lockscope::wire
