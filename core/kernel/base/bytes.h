#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lockscope {

/// Any octets: a Redis key, value or reply. Not text: it may be empty, binary or huge.
using Bytes = std::string;

/// The bytes as printable UTF-8. Valid UTF-8 stays as it is; control characters and bytes that are
/// not valid UTF-8 become `\xNN`, and so does a backslash before an `x`, which makes it reversible:
/// `unescaped(escaped(b)) == b` for every `b`. What turns or breaks the line, is shown as nothing
/// (zero-width, tags) or changes the letter before it (accents of their own) counts as a control
/// character, as does the mark of a script that has no letter before it: no key disguises itself.
std::string escaped(std::string_view bytes);

/// The inverse of escaped(). A backslash that does not begin `\xNN` stands for itself;
/// `\x` without two hexadecimal digits behind it is malformed and gives nullopt.
std::optional<Bytes> unescaped(std::string_view text);

/// The text cut in the middle ("5f0c…:63") so that at most `maxLength` code points remain, the
/// ellipsis included. Text that fits is returned unchanged. `maxLength` of at least 3.
std::string elidedMiddle(std::string_view text, std::size_t maxLength);

/// The first `maxLength` code points and an ellipsis behind them, where there are more.
std::string elidedEnd(std::string_view text, std::size_t maxLength);

/// Lower-case hexadecimal, two digits per byte.
std::string toHex(std::string_view bytes);

/// True when the bytes are well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms).
bool isUtf8(std::string_view bytes);

} // namespace lockscope
