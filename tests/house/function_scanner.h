#pragma once

#include "tests/house/source_file.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockscope::house {

/// A function with a body, found by its braces. Not a parser: good enough for code that the
/// formatter has laid out.
struct Function {
    std::string name;  // as written before the parameters: "LockBook::fold"
    int firstLine = 0; // of the declaration
    int lastLine = 0;  // of the closing brace
    bool isConstructor = false;

    int lineCount() const { return lastLine - firstLine + 1; }
};

std::vector<Function> functionsOf(const SourceFile& file);

/// A lambda and the places of its body in the code.
struct Lambda {
    std::size_t begin = 0;     // of the '['
    std::size_t bodyBegin = 0; // of the '{'
    std::size_t bodyEnd = 0;   // of the '}'
    bool captures = false;
};

std::vector<Lambda> lambdasOf(std::string_view code);

/// The offset of the bracket that closes the one at `open`; npos when it is never closed.
std::size_t closingBracket(std::string_view code, std::size_t open);

} // namespace lockscope::house
