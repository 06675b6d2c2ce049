#include "core/kernel/base/natural_order.h"

#include "core/kernel/base/characters.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace lockscope {

namespace {

/// Takes the digits at the start of the text away; without the zeros that lead them.
std::string_view takeNumber(std::string_view& text)
{
    const auto end = std::ranges::find_if_not(text, isDigit);
    std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(number.size());
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size() - 1));
    return number;
}

std::strong_ordering numberOrder(std::string_view a, std::string_view b)
{
    return a.size() == b.size() ? a <=> b : a.size() <=> b.size();
}

/// Bytes one after the other, as many as there is room for.
class Writer {
public:
    explicit Writer(std::span<unsigned char> out) : m_out(out) {}

    bool isFull() const { return m_at == m_out.size(); }

    void write(unsigned char byte)
    {
        if (!isFull()) {
            m_out[m_at++] = byte;
        }
    }

    void write(std::string_view text)
    {
        for (const char c : text) {
            write(static_cast<unsigned char>(c));
        }
    }

private:
    std::span<unsigned char> m_out;
    std::size_t m_at = 0;
};

/// A digit that says how many digits follow, and where one digit cannot say it a byte behind it.
/// False where even that is not enough: what follows is undecided then.
bool writeLength(Writer& writer, std::size_t length)
{
    constexpr std::size_t kByDigit = 9;
    constexpr std::size_t kMost = 0xff;
    if (length <= kByDigit) {
        writer.write(static_cast<unsigned char>('0' + length - 1));
        return true;
    }
    writer.write('9');
    writer.write(static_cast<unsigned char>(std::min(length, kMost)));
    return length < kMost;
}

} // namespace

std::strong_ordering naturalOrder(std::string_view a, std::string_view b)
{
    std::string_view restOfA = a;
    std::string_view restOfB = b;
    while (!restOfA.empty() && !restOfB.empty()) {
        std::strong_ordering order = std::strong_ordering::equal;
        if (isDigit(restOfA.front()) && isDigit(restOfB.front())) {
            const std::string_view number = takeNumber(restOfA);
            order = numberOrder(number, takeNumber(restOfB));
        } else {
            order = restOfA.substr(0, 1) <=> restOfB.substr(0, 1);
            restOfA.remove_prefix(1);
            restOfB.remove_prefix(1);
        }
        if (order != 0) {
            return order;
        }
    }
    const std::strong_ordering order = restOfA.size() <=> restOfB.size();
    return order != 0 ? order : a <=> b;
}

void writeNaturalBeginning(std::string_view text, std::span<unsigned char> out)
{
    std::ranges::fill(out, std::uint8_t{0});
    Writer writer(out);
    while (!writer.isFull() && !text.empty()) {
        if (!isDigit(text.front())) {
            writer.write(text.substr(0, 1));
            text.remove_prefix(1);
            continue;
        }
        const std::string_view number = takeNumber(text);
        if (!writeLength(writer, number.size())) {
            return;
        }
        writer.write(number);
    }
}

} // namespace lockscope
