#include "tests/house/rule.h"

#include <algorithm>
#include <array>
#include <vector>

namespace lockscope::house {

namespace {

/// Whom a layer may include beside itself. A layer that is missing on the left may include
/// everything.
struct Permission {
    Layer from;
    std::vector<Layer> to;
};

const std::vector<Permission>& permissions()
{
    static const std::vector<Permission> kAll{
        {Layer::Kernel, {}},
        {Layer::Operations, {Layer::Kernel}},
        {Layer::Files, {Layer::Kernel}},
        {Layer::Service, {Layer::Kernel, Layer::Operations}},
        {Layer::Pool, {Layer::Kernel, Layer::Operations, Layer::Service}},
        {Layer::Wire, {Layer::Kernel, Layer::Files, Layer::Operations, Layer::Service}},
        {Layer::Conduct, {Layer::Kernel, Layer::Files, Layer::Service, Layer::Wire}},
        {Layer::Models, {Layer::Kernel, Layer::Files, Layer::Operations, Layer::Service}},
        {Layer::Widgets,
         {Layer::Kernel, Layer::Files, Layer::Operations, Layer::Service, Layer::Models}},
    };
    return kAll;
}

bool mayInclude(Layer from, Layer to)
{
    const auto it = std::ranges::find(permissions(), from, &Permission::from);
    return from == to || it == permissions().end() || std::ranges::find(it->to, to) != it->to.end();
}

/// These tests must not lean on sockets.
bool isWireFreeTest(const SourceFile& file)
{
    return file.isIn("tests/kernel/") || file.isIn("tests/operations/") || file.isIn("tests/ui/");
}

/// Headers that CMake or moc make; they are in no folder of the tree.
bool isGenerated(const SourceFile& file, std::string_view included, const Tree& tree)
{
    if (included.ends_with(".moc") || included.starts_with("moc_") || included.starts_with("ui_")) {
        return true;
    }
    return std::any_of(tree.files().begin(), tree.files().end(), [&](const SourceFile& cmake) {
        return cmake.fileName() == "CMakeLists.txt"
               && (cmake.isIn("resources/") // data belongs to no layer
                   || mayInclude(layerOf(file.path), layerOf(cmake.path)))
               && (cmake.raw.find("lockscope_embed_text") != std::string::npos
                   || cmake.raw.find("lockscope_builtin_list") != std::string::npos)
               && cmake.raw.find(included) != std::string::npos;
    });
}

Findings includesOfOtherLayers(const SourceFile& file, const Tree& tree)
{
    Findings findings;
    for (const Include& include : file.includes) {
        const SourceFile* const target = include.isAngled ? nullptr : tree.find(include.path);
        if (target == nullptr) {
            continue;
        }
        const Layer to = layerOf(target->path);
        const bool isForbidden = !mayInclude(layerOf(file.path), to)
                                 || (isWireFreeTest(file) && to == Layer::Wire);
        if (isForbidden) {
            findings.push_back({file.path, include.line,
                                "includes \"" + include.path + "\" of the layer "
                                    + std::string(nameOf(to))});
        }
    }
    return findings;
}

Findings unresolvedIncludes(const SourceFile& file, const Tree& tree)
{
    Findings findings;
    for (const Include& include : file.includes) {
        if (!include.isAngled && tree.find(include.path) == nullptr
            && !isGenerated(file, include.path, tree)) {
            findings.push_back({file.path, include.line,
                                "no header of ours is called \"" + include.path + "\""});
        }
    }
    return findings;
}

bool isQtHeader(std::string_view path)
{
    return path.size() > 1 && path[0] == 'Q'
           && (path.starts_with("Qt") || std::isupper(static_cast<unsigned char>(path[1])) != 0);
}

/// What the kernel gives up on purpose, as the headers that bring it.
bool isForbiddenInKernel(std::string_view path)
{
    static constexpr std::array<std::string_view, 16> kHeaders{
        "thread",   "mutex",      "shared_mutex", "condition_variable",
        "future",   "stop_token", "fstream",      "filesystem",
        "iostream", "random",     "ctime",        "time.h",
        "stdio.h",  "unistd.h",   "pthread.h",    "semaphore"};
    return isQtHeader(path) || path.starts_with("sys/") || path.starts_with("netinet/")
           || path.starts_with("arpa/") || path.starts_with("hiredis")
           || std::find(kHeaders.begin(), kHeaders.end(), path) != kHeaders.end();
}

Findings impureKernel(const SourceFile& file, const Tree&)
{
    Findings findings;
    const Layer layer = layerOf(file.path);
    if (layer != Layer::Kernel && layer != Layer::Operations && layer != Layer::Files) {
        return findings;
    }
    for (const Include& include : file.includes) {
        const bool isForbidden = layer == Layer::Files ? isQtHeader(include.path)
                                                       : isForbiddenInKernel(include.path);
        if (include.isAngled && isForbidden) {
            findings.push_back({file.path, include.line,
                                "the " + std::string(nameOf(layer)) + " layer includes <"
                                    + include.path + ">"});
        }
    }
    return findings;
}

/// The promise of docs/architecture.md about real clients: each run belongs to one thread.
Findings conductBeyondItsParts(const SourceFile& file, const Tree&)
{
    static constexpr std::array<std::string_view, 5> kPartsOfWire{
        "core/wire/connection/codec.h", "core/wire/scratch_folder.h", "core/wire/loop_clock.h",
        "core/wire/process_tree.h", "core/wire/program_words.h"};
    static constexpr std::array<std::string_view, 3> kDistributors{"proof_conductor", "stage_team",
                                                                   "script_shelf"};
    static constexpr std::array<std::string_view, 4> kThreads{"thread", "mutex", "atomic",
                                                              "condition_variable"};
    static constexpr std::array<std::string_view, 4> kQt{"QStandardPaths", "QString",
                                                         "QTemporaryDir", "QTimer"};
    Findings findings;
    if (layerOf(file.path) != Layer::Conduct || file.isIn("core/conduct/clock/")) {
        return findings;
    }
    const bool isDistributor = std::ranges::find(kDistributors, file.stem()) != kDistributors.end();
    for (const Include& include : file.includes) {
        const std::string& path = include.path;
        const auto isOneOf = [&path](const auto& list) {
            return std::ranges::find(list, path) != list.end();
        };
        const bool isForbidden = (path.starts_with("core/wire/") && !isOneOf(kPartsOfWire))
                                 || (isOneOf(kThreads) && !isDistributor)
                                 || (isQtHeader(path) && !isOneOf(kQt));
        if (isForbidden) {
            findings.push_back({file.path, include.line, "includes " + path});
        }
    }
    return findings;
}

bool isWidgetHeader(std::string_view path)
{
    static constexpr std::array<std::string_view, 13> kHeaders{
        "QWidget",     "QApplication", "QStyle",     "QStyledItemDelegate", "QStyleOption",
        "QTableView",  "QTreeView",    "QDialog",    "QMainWindow",         "QLabel",
        "QHeaderView", "QLayout",      "QMessageBox"};
    return path.starts_with("QtWidgets")
           || std::find(kHeaders.begin(), kHeaders.end(), path) != kHeaders.end();
}

Findings widgetsInModels(const SourceFile& file, const Tree&)
{
    const Layer layer = layerOf(file.path);
    const bool isWidgetFree = layer == Layer::Models || layer == Layer::Service
                              || layer == Layer::Pool || layer == Layer::Wire;
    Findings findings;
    for (const Include& include : file.includes) {
        if (isWidgetFree && include.isAngled && isWidgetHeader(include.path)) {
            findings.push_back({file.path, include.line,
                                "the layer " + std::string(nameOf(layer)) + " includes <"
                                    + include.path + ">"});
        }
    }
    return findings;
}

Findings hiredisOutsideCodec(const SourceFile& file, const Tree&)
{
    Findings findings;
    if (file.path == "core/wire/connection/codec.cpp" || file.isIn("tests/bench/")) {
        return findings; // the floor of the benchmarks is a plain program over hiredis
    }
    for (const Include& include : file.includes) {
        if (include.path == "hiredis.h" || include.path.starts_with("hiredis/")) {
            findings.push_back({file.path, include.line, "includes hiredis"});
        }
    }
    return findings;
}

/// The page of the window that a path belongs to; empty for what several share.
std::string_view pageOf(std::string_view path)
{
    static constexpr std::array<std::string_view, 4> kPages{"ui/widgets/contend/",
                                                            "ui/widgets/lab/", "ui/widgets/locks/",
                                                            "ui/widgets/matrix/"};
    const auto* const page = std::find_if(kPages.begin(), kPages.end(),
                                          [path](auto folder) { return path.starts_with(folder); });
    return page == kPages.end() ? std::string_view() : *page;
}

Findings includesOfOtherPages(const SourceFile& file, const Tree&)
{
    Findings findings;
    const std::string_view page = pageOf(file.path);
    for (const Include& include : file.includes) {
        const std::string_view other = pageOf(include.path);
        if (!page.empty() && !other.empty() && other != page) {
            findings.push_back({file.path, include.line, "includes \"" + include.path + "\""});
        }
    }
    return findings;
}

constexpr std::array kRules{
    Rule{"layering", "dependencies point down and inward; move the code, or hand the value over",
         includesOfOtherLayers},
    Rule{"pages-apart", "what two pages need belongs to ui/widgets/controls", includesOfOtherPages},
    Rule{"include-path", "write includes from the root, as in \"core/kernel/base/bytes.h\"",
         unresolvedIncludes},
    Rule{"kernel-purity",
         "kernel and operations are given a Store, a Clock and an Rng; do it in wire or app and "
         "hand it in. Files are read without Qt",
         impureKernel},
    Rule{"conduct-parts",
         "conduct uses Qt Core and parts of wire without sockets, and one thread for each run; "
         "change docs/architecture.md together with this rule",
         conductBeyondItsParts},
    Rule{"no-widgets-below-widgets",
         "models format and order; painting and windows belong to ui/widgets", widgetsInModels},
    Rule{"hiredis-in-codec",
         "only core/wire/connection/codec.cpp knows hiredis; use wire::ReplyReader and "
         "appendEncoded()",
         hiredisOutsideCodec},
};

} // namespace

std::span<const Rule> layeringRules()
{
    return kRules;
}

} // namespace lockscope::house
