// Any bytes survive being shown and typed in again.

#include "core/kernel/base/bytes.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace lockscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);

    const std::string shown = escaped(bytes);
    if (!isUtf8(shown) || unescaped(shown) != bytes) {
        std::abort();
    }

    const std::string cut = elidedMiddle(shown, 3 + size % 40);
    if (!isUtf8(cut) || cut.size() > shown.size() + 3) {
        std::abort();
    }

    // The bytes as typed text: nonsense is refused, never misread.
    unescaped(bytes);
    return 0;
}
