#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

// Every file that a user names or keeps is read and written here: one place knows the limits, the
// errors of folders and devices, and what a full disk does.
namespace lockscope::files {

inline constexpr std::size_t kMegabyte = 1'000'000;

/// Why a file cannot be read, in the words of the system: "Is a directory".
struct Unreadable {
    std::string reason;
};

/// Returns the bytes of the file. A file of more than `sizeMax` bytes is unreadable.
std::variant<std::string, Unreadable> readWhole(const std::string& path, std::size_t sizeMax);

/// Returns the first `length` bytes of the file, or all bytes of a shorter file.
std::variant<std::string, Unreadable> readBeginning(const std::string& path, std::size_t length);

/// True if the bytes occur in the file, whatever its size. False if it cannot be read.
bool fileHas(const std::string& path, std::string_view bytes);

/// Writes a file whole or not at all: until everything is on disk, the old file stays. Devices and
/// pipes are written in place. Returns why it was not written; empty: it was.
std::string writeWhole(const std::string& path, std::string_view content);

} // namespace lockscope::files
