#include "core/kernel/report/run/file_column.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/report/run/packed_column.h"
#include "core/kernel/report/run/typed_column.h"

#include <limits>
#include <optional>
#include <utility>

namespace lockscope::report {

using protocol::FileSection;

namespace {

/// Of a file that is JSON, which has no bytes.
std::vector<std::int64_t> plainNumbersIn(const FileSection& section, std::string_view name)
{
    std::vector<std::int64_t> numbers;
    for (const nlohmann::json& number : section.at(name)) {
        if (!number.is_number_integer()) {
            section.fail(name, KernelText::tr("A column of numbers is expected."));
        }
        numbers.push_back(number.get<std::int64_t>());
    }
    return numbers;
}

std::vector<std::int64_t> numbersIn(const FileSection& section, std::string_view name)
{
    const nlohmann::json& value = section.at(name);
    if (value.is_array()) {
        return plainNumbersIn(section, name);
    }
    auto numbers = value.is_string() ? unpackedColumn(value.get_ref<const std::string&>())
                                     : numbersInTypedColumn(value);
    if (!numbers) {
        section.fail(name, KernelText::tr("A column of numbers is expected."));
    }
    return std::move(*numbers);
}

} // namespace

std::int64_t readInteger(const FileSection& file, std::string_view name, std::int64_t least,
                         std::int64_t most)
{
    constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
    const nlohmann::json& value = file.at(name);
    const bool isTooLarge = value.is_number_unsigned() && value.get<std::uint64_t>() > kLargest;
    const bool isNumber = value.is_number_integer() && !isTooLarge;
    if (!isNumber || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most) {
        file.fail(name, KernelText::tr("A whole number from %1 to %2 is expected.", least, most));
    }
    return value.get<std::int64_t>();
}

FileColumn::FileColumn(const FileSection& section, std::string_view name, std::int64_t least,
                       std::int64_t most)
    : m_section(section),
      m_name(name),
      m_least(least),
      m_most(most),
      m_numbers(numbersIn(section, name))
{}

std::int64_t FileColumn::next()
{
    if (isAtEnd() || m_numbers[m_place] < m_least || m_numbers[m_place] > m_most) {
        fail(KernelText::tr("A number is missing or out of range."));
    }
    return m_numbers[m_place++];
}

void FileColumn::expectEnd() const
{
    if (!isAtEnd()) {
        fail(KernelText::tr("There are more numbers than \"count\" says."));
    }
}

void FileColumn::fail(std::string reason) const
{
    m_section.fail(m_name, std::move(reason));
}

} // namespace lockscope::report
