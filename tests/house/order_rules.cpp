#include "tests/house/rule.h"

#include <algorithm>
#include <array>

namespace lockscope::house {

namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

Findings leftovers(const SourceFile& file, const Tree&)
{
    // Written in two parts, so that this file does not find itself.
    static const std::array<std::string, 3> kMarks{std::string("FIX") + "ME",
                                                   std::string("TO") + "DO",
                                                   std::string("XX") + "X"};
    Findings findings;
    for (const std::string& mark : kMarks) {
        for (std::size_t at = findWord(file.raw, mark); at != kNowhere;
             at = findWord(file.raw, mark, at + 1)) {
            findings.push_back({file.path, file.lineOf(at), "a leftover " + mark});
        }
    }
    return findings;
}

Findings includeGuards(const SourceFile& file, const Tree&)
{
    if (file.isHeader() && !file.raw.starts_with("#pragma once\n")) {
        return {{file.path, 1, "does not start with #pragma once"}};
    }
    return {};
}

Findings usingInHeaders(const SourceFile& file, const Tree&)
{
    const std::size_t at = file.isHeader() ? findWord(file.code, "using namespace") : kNowhere;
    if (at == kNowhere) {
        return {};
    }
    return {{file.path, file.lineOf(at), "`using namespace` in a header"}};
}

/// `using a::b::Name;` and nothing that says Name. Where several files are compiled as one, no
/// compiler sees it: the neighbour uses what this file only names.
Findings unusedUsings(const SourceFile& file, const Tree&)
{
    Findings findings;
    if (!file.isCpp() || file.isHeader()) {
        return findings;
    }
    for (std::size_t at = findWord(file.code, "using"); at != kNowhere;
         at = findWord(file.code, "using", at + 1)) {
        const std::size_t end = file.code.find(';', at);
        const std::string_view declaration = std::string_view(file.code).substr(at, end - at);
        const std::size_t colons = declaration.rfind("::");
        const bool namesOne = end != kNowhere && colons != kNowhere
                              && declaration.find_first_of("=<(\n") == kNowhere
                              && findWord(declaration, "namespace") == kNowhere
                              && findWord(declaration, "enum") == kNowhere;
        if (!namesOne) {
            continue;
        }
        const std::string name(declaration.substr(colons + 2));
        const std::size_t inDeclaration = at + colons + 2;
        const std::size_t first = findWord(file.code, name);
        const bool isUsed = first != inDeclaration
                            || findWord(file.code, name, inDeclaration + 1) != kNowhere;
        if (!isUsed && !name.starts_with("operator")) {
            findings.push_back({file.path, file.lineOf(at), "nothing uses " + name});
        }
    }
    return findings;
}

Findings vagueNames(const SourceFile& file, const Tree&)
{
    static constexpr std::array<std::string_view, 5> kVague{"util", "helper", "manager", "misc",
                                                            "common"};
    for (const std::string_view word : kVague) {
        if (file.isCpp() && file.fileName().find(word) != kNowhere) {
            return {{file.path, 0, "the name says \"" + std::string(word) + "\""}};
        }
    }
    return {};
}

/// "tests/kernel/" for core/kernel/…, "tests/ui/" for ui/…; empty where no mirror is asked for.
std::string mirrorFolderOf(const SourceFile& file)
{
    switch (layerOf(file.path)) {
    case Layer::Kernel: return "tests/kernel/";
    case Layer::Operations: return "tests/operations/";
    case Layer::Files: return "tests/files/";
    case Layer::Service: return "tests/service/";
    case Layer::Pool: return "tests/pool/";
    case Layer::Wire: return "tests/wire/";
    case Layer::Conduct: return "tests/conduct/";
    case Layer::Models:
    case Layer::Widgets: return "tests/ui/";
    default: return {};
    }
}

bool includesHeader(const SourceFile& test, const std::string& header)
{
    return std::any_of(test.includes.begin(), test.includes.end(),
                       [&header](const Include& include) {
                           return include.path == header || include.path.ends_with("/" + header);
                       });
}

/// A small piece may be tested along with what it is a piece of, as long as a test names it by its
/// header.
Findings missingMirrors(const SourceFile& file, const Tree& tree)
{
    const std::string folder = mirrorFolderOf(file);
    if (folder.empty() || !file.path.ends_with(".cpp")) {
        return {};
    }
    // Decoders are tested side by side, by what they make of one corpus: half of the work is who
    // wins.
    const bool isDecoder = file.isIn("core/kernel/inspect/decoders/");
    const std::string wanted = isDecoder ? "tst_decoders.cpp"
                                         : "tst_" + std::string(file.stem()) + ".cpp";
    const std::string header = std::string(file.stem()) + ".h";
    const bool isTested =
        std::any_of(tree.files().begin(), tree.files().end(), [&](const SourceFile& test) {
            return test.isIn(folder) && (test.fileName() == wanted || includesHeader(test, header));
        });
    if (isTested) {
        return {};
    }
    return {{file.path, 0,
             "no " + folder + "…/" + wanted + ", and no other test there includes " + header}};
}

/// Every .cpp, .c and .lua of ours is named in the CMakeLists.txt of its folder or of a folder
/// above.
Findings unbuiltSources(const SourceFile& file, const Tree& tree)
{
    if (!file.path.ends_with(".cpp") && !file.path.ends_with(".c")
        && !file.path.ends_with(".lua")) {
        return {};
    }
    std::string folder = file.path.substr(0, file.path.rfind('/'));
    while (true) {
        const SourceFile* const cmake = tree.find(folder + "/CMakeLists.txt");
        const bool isNamed = cmake != nullptr
                             && (findWord(cmake->raw, file.fileName()) != kNowhere
                                 || findWord(cmake->raw, file.stem()) != kNowhere);
        if (isNamed) {
            return {};
        }
        const std::size_t slash = folder.rfind('/');
        if (slash == kNowhere) {
            return {{file.path, 0, "no CMakeLists.txt names it"}};
        }
        folder.resize(slash);
    }
}

Findings scriptsEmbeddedOnce(const SourceFile& file, const Tree& tree)
{
    if (!file.isIn("core/") || !file.path.ends_with(".lua")) {
        return {};
    }
    int count = 0;
    for (const SourceFile& cmake : tree.files()) {
        if (cmake.fileName() != "CMakeLists.txt"
            || cmake.raw.find("lockscope_embed_text(") == std::string::npos) {
            continue;
        }
        for (std::size_t at = findWord(cmake.raw, file.fileName()); at != kNowhere;
             at = findWord(cmake.raw, file.fileName(), at + 1)) {
            ++count;
        }
    }
    if (count == 1) {
        return {};
    }
    return {{file.path, 0, "is embedded " + std::to_string(count) + " times"}};
}

Findings unusedHeaders(const SourceFile& file, const Tree& tree)
{
    if (!file.isHeader()) {
        return {};
    }
    for (const SourceFile& user : tree.files()) {
        for (const Include& include : user.includes) {
            if (include.isAngled || !include.path.ends_with(file.fileName())) {
                continue;
            }
            const SourceFile* const target = tree.find(include.path);
            if (target != nullptr && target->path == file.path) {
                return {};
            }
        }
    }
    return {{file.path, 0, "nobody includes it"}};
}

/// `[text](path)` in a page has to lead somewhere.
Findings brokenLinks(const SourceFile& file, const Tree& tree)
{
    Findings findings;
    if (!file.path.ends_with(".md")) {
        return findings;
    }
    const std::string folder = file.path.substr(0, file.path.size() - file.fileName().size());
    for (std::size_t at = file.raw.find("]("); at != std::string::npos;
         at = file.raw.find("](", at + 1)) {
        const std::size_t end = file.raw.find_first_of("#)\n ", at + 2);
        std::string target = file.raw.substr(at + 2, end - at - 2);
        if (target.empty() || target.find("://") != std::string::npos) {
            continue;
        }
        std::string from = folder;
        while (target.starts_with("../") && !from.empty()) {
            target.erase(0, 3);
            from.resize(from.find_last_of('/', from.size() - 2) == std::string::npos
                            ? 0
                            : from.find_last_of('/', from.size() - 2) + 1);
        }
        if (!tree.hasEntry(from + target)) {
            findings.push_back({file.path, file.lineOf(at),
                                "links to " + target + ", which does not exist"});
        }
    }
    return findings;
}

/// In .clang-tidy: every check that is taken out has a comment line "# -check: reason".
Findings silentlyDisabledChecks(const SourceFile& file, const Tree&)
{
    Findings findings;
    if (file.path != ".clang-tidy") {
        return findings;
    }
    for (int line = 1; line <= file.lineCount(); ++line) {
        std::string_view text = file.rawLine(line);
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        const bool isDisabled = text.starts_with('-') && !text.starts_with("-*")
                                && text.find(' ') == kNowhere;
        const std::string reason = "# " + std::string(text.substr(0, text.find(','))) + ": ";
        if (isDisabled && file.raw.find(reason) == std::string::npos) {
            findings.push_back({file.path, line,
                                "switches off " + std::string(text) + " without a reason"});
        }
    }
    return findings;
}

constexpr std::array kRules{
    Rule{"leftovers", "finish it, or open an issue", leftovers},
    Rule{"pragma-once", "the first line of every header", includeGuards},
    Rule{"using-in-header", "it reaches everybody who includes the header; write the names out",
         usingInHeaders},
    Rule{"unused-using", "delete it", unusedUsings},
    Rule{"vague-name", "name the subject: what has no better name has no owner yet", vagueNames},
    Rule{"mirror-test",
         "every source has a test in the mirrored folder, under the mirrored name or along with "
         "its neighbours",
         missingMirrors},
    Rule{"unbuilt", "list it in CMakeLists.txt or delete it", unbuiltSources},
    Rule{"script-embedded-once", "one lockscope_embed_text() names it, nobody else",
         scriptsEmbeddedOnce},
    Rule{"unused-header", "delete it, or include it where it is used", unusedHeaders},
    Rule{"broken-link", "links in pages are relative to the page", brokenLinks},
    Rule{"tidy-reasons", "say why, in the comment at the top", silentlyDisabledChecks},
};

} // namespace

std::span<const Rule> orderRules()
{
    return kRules;
}

std::vector<Rule> allRules()
{
    std::vector<Rule> rules;
    for (const std::span<const Rule> table :
         {layeringRules(), bannedCallRules(), coroutineRules(), sizeRules(), orderRules()}) {
        rules.insert(rules.end(), table.begin(), table.end());
    }
    return rules;
}

} // namespace lockscope::house
