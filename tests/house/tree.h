#pragma once

#include "tests/house/source_file.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::house {

/// The layers of docs/architecture.md, and the folders beside them.
enum class Layer {
    Kernel,
    Operations,
    Files,
    Service,
    Pool,
    Wire,
    Conduct,
    Models,
    Widgets,
    App,
    Tests,
    Elsewhere
};

Layer layerOf(std::string_view path);
std::string_view nameOf(Layer layer);

/// Everything of ours, read once.
class Tree {
public:
    /// Reads the sources below `top`: C++, CMake, Lua, Markdown and shell scripts; no build
    /// folders.
    static Tree read(const std::string& top);

    Tree() = default;
    explicit Tree(std::vector<SourceFile> files);

    const std::vector<SourceFile>& files() const { return m_files; }
    /// nullptr: there is none. Our includes are such paths, too: they begin at the root.
    const SourceFile* find(std::string_view path) const;
    bool hasEntry(std::string_view path) const; // a file or a folder, also of kinds that are not
                                                // read

private:
    std::string m_top;
    std::vector<SourceFile> m_files;
    std::map<std::string, std::size_t, std::less<>> m_indexByPath;
};

} // namespace lockscope::house
