#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::house {

struct Include {
    int line = 0;
    std::string path;
    bool isAngled = false;
};

/// A file of ours, cut into what the rules look at.
struct SourceFile {
    std::string path; // relative to the top of the tree, with forward slashes
    std::string raw;  // as it is
    std::string code; // the same length and line ends; comments, strings and characters are blanks
    std::vector<Include> includes;
    std::vector<std::size_t> lineStarts; // offset of each line in both texts

    bool isHeader() const { return path.ends_with(".h"); }
    bool isCpp() const { return path.ends_with(".cpp") || path.ends_with(".h"); }
    bool isCode() const { return isCpp() || path.ends_with(".c"); }
    bool isIn(std::string_view folder) const { return path.starts_with(folder); }

    /// Counted from 1.
    int lineOf(std::size_t offset) const;
    int lineCount() const { return static_cast<int>(lineStarts.size()); }
    std::string_view rawLine(int line) const;

    /// "tst_codec" of "tests/wire/connection/tst_codec.cpp"; "wire" of
    /// "core/wire/connection/codec.cpp" is the job of layerOf().
    std::string_view fileName() const;
    std::string_view stem() const;
};

SourceFile parseSource(std::string path, std::string text);

/// The text with comments, string and character literals blanked; quotes and line ends stay.
std::string withoutCommentsAndStrings(std::string_view text);

/// The next place at or after `from` where `word` stands by itself, not as a part of a longer name.
/// npos: none.
std::size_t findWord(std::string_view code, std::string_view word, std::size_t from = 0);

bool isNameCharacter(char c);

} // namespace lockscope::house
