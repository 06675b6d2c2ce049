#pragma once

#include "core/kernel/protocol/file_section.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Numbers in files. Whatever is not as it should be throws a protocol::FileFault.
namespace lockscope::report {

/// A whole number from `least` to `most`, which has to be there.
std::int64_t readInteger(const protocol::FileSection& file, std::string_view name,
                         std::int64_t least, std::int64_t most);

/// A column that is a member of a section: typed, a plain list of numbers in JSON or, in older
/// files, packed. Read number by number.
class FileColumn {
public:
    /// Numbers beyond the limits are faults. `section` and `name` outlive this.
    FileColumn(const protocol::FileSection& section, std::string_view name, std::int64_t least,
               std::int64_t most);

    std::int64_t next();

    template<class T>
    T nextAs()
    {
        return static_cast<T>(next());
    }

    bool isAtEnd() const { return m_place == m_numbers.size(); }
    /// A fault unless everything was read.
    void expectEnd() const;
    std::size_t count() const { return m_numbers.size(); }

    [[noreturn]] void fail(std::string reason) const;

private:
    const protocol::FileSection& m_section;
    std::string_view m_name;
    std::int64_t m_least;
    std::int64_t m_most;
    std::vector<std::int64_t> m_numbers;
    std::size_t m_place = 0;
};

} // namespace lockscope::report
