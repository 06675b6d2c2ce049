#pragma once

namespace lockscope {

/// Unicode knows it as something that is shown as nothing: zero-width spaces and joiners, direction
/// marks, tags, variation selectors, fillers.
bool isInvisible(char32_t c);

/// A combining mark that goes with any letter, such as an accent, a stroke or a dot below.
bool isDiacritic(char32_t c);

/// Any combining mark, also those without which a script cannot be written: it is drawn onto what
/// stands before it.
bool isMark(char32_t c);

} // namespace lockscope
