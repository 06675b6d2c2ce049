#pragma once

#include "core/kernel/protocol/file_section.h"
#include "core/kernel/report/run/packed_column.h"

#include <cstdint>
#include <string>
#include <string_view>

// Numbers in files. Whatever is not as it should be throws a protocol::FileFault.
namespace lockscope::report {

/// A whole number from `least` to `most`, which has to be there.
std::int64_t readInteger(const protocol::FileSection& file, std::string_view name,
                         std::int64_t least, std::int64_t most);

/// A packed column that is a member of a section, read number by number.
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

    bool isAtEnd() const { return m_reader.isAtEnd(); }
    /// A fault unless everything was read.
    void expectEnd() const;
    /// There are never more numbers than that.
    std::size_t countMax() const { return m_reader.countMax(); }

    [[noreturn]] void fail(std::string reason) const;

private:
    const protocol::FileSection& m_section;
    std::string_view m_name;
    std::int64_t m_least;
    std::int64_t m_most;
    ColumnReader m_reader;
};

} // namespace lockscope::report
