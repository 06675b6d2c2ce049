#include "tests/house/tree.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace lockscope::house {

namespace {

namespace fs = std::filesystem;

struct LayerFolder {
    std::string_view folder;
    Layer layer;
    std::string_view name;
};

constexpr std::array kLayerFolders{
    LayerFolder{"core/kernel/", Layer::Kernel, "kernel"},
    LayerFolder{"core/operations/", Layer::Operations, "operations"},
    LayerFolder{"core/files/", Layer::Files, "files"},
    LayerFolder{"core/service/", Layer::Service, "service"},
    LayerFolder{"core/pool/", Layer::Pool, "pool"},
    LayerFolder{"core/wire/", Layer::Wire, "wire"},
    LayerFolder{"core/conduct/", Layer::Conduct, "conduct"},
    LayerFolder{"ui/models/", Layer::Models, "models"},
    LayerFolder{"ui/widgets/", Layer::Widgets, "widgets"},
    LayerFolder{"app/", Layer::App, "app"},
    LayerFolder{"tests/", Layer::Tests, "tests"},
};

bool isOurs(const fs::path& path)
{
    static constexpr std::array<std::string_view, 8> kExtensions{".h",   ".cpp", ".c",  ".cmake",
                                                                 ".lua", ".md",  ".py", ".js"};
    const std::string extension = path.extension().string();
    const std::string name = path.filename().string();
    return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end()
           || name == "CMakeLists.txt" || name == ".clang-tidy";
}

bool isForeignFolder(const std::string& name)
{
    return name == ".git" || name == "node_modules" || name == "__pycache__"
           || name.starts_with("build");
}

std::string contentOf(const fs::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

} // namespace

Layer layerOf(std::string_view path)
{
    for (const LayerFolder& entry : kLayerFolders) {
        if (path.starts_with(entry.folder)) {
            return entry.layer;
        }
    }
    return Layer::Elsewhere;
}

std::string_view nameOf(Layer layer)
{
    for (const LayerFolder& entry : kLayerFolders) {
        if (entry.layer == layer) {
            return entry.name;
        }
    }
    return "elsewhere";
}

Tree Tree::read(const std::string& top)
{
    std::vector<SourceFile> files;
    const fs::path root(top);
    for (fs::recursive_directory_iterator it(root), end; it != end; ++it) {
        if (it->is_directory() && isForeignFolder(it->path().filename().string())) {
            it.disable_recursion_pending();
        } else if (it->is_regular_file() && isOurs(it->path())) {
            files.push_back(parseSource(it->path().lexically_relative(root).generic_string(),
                                        contentOf(it->path())));
        }
    }
    Tree tree(std::move(files));
    tree.m_top = top;
    return tree;
}

Tree::Tree(std::vector<SourceFile> files) : m_files(std::move(files))
{
    std::sort(m_files.begin(), m_files.end(),
              [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        m_indexByPath.emplace(m_files[i].path, i);
    }
}

const SourceFile* Tree::find(std::string_view path) const
{
    const auto it = m_indexByPath.find(path);
    return it == m_indexByPath.end() ? nullptr : &m_files[it->second];
}

bool Tree::hasEntry(std::string_view path) const
{
    return find(path) != nullptr || (!m_top.empty() && fs::exists(fs::path(m_top) / path));
}

} // namespace lockscope::house
