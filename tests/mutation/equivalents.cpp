#include "tests/mutation/equivalents.h"

#include <algorithm>
#include <fstream>
#include <vector>

namespace lockscope::mutation {

namespace {

/// Without comments.
std::vector<std::string> linesOf(const char* path)
{
    std::vector<std::string> lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && !line.starts_with('#')) {
            lines.push_back(line);
        }
    }
    return lines;
}

std::map<std::string, std::string, std::less<>> readNotes()
{
    std::map<std::string, std::string, std::less<>> notes;
    for (const std::string& line :
         linesOf(LOCKSCOPE_SOURCE_DIR "/tests/mutation/equivalents.tsv")) {
        const std::size_t tab = std::min(line.find('\t'), line.size() - 1);
        notes.emplace(line.substr(0, tab), line.substr(tab + 1));
    }
    return notes;
}

} // namespace

const std::map<std::string, std::string, std::less<>>& notes()
{
    static const auto kNotes = readNotes();
    return kNotes;
}

const std::set<std::string, std::less<>>& survivors()
{
    static const std::set<std::string, std::less<>> kSurvivors = [] {
        const std::vector<std::string> lines = linesOf(LOCKSCOPE_SOURCE_DIR
                                                       "/tests/mutation/survivors.txt");
        return std::set<std::string, std::less<>>(lines.begin(), lines.end());
    }();
    return kSurvivors;
}

std::string_view noteOn(std::string_view mutantId)
{
    const std::size_t colon = mutantId.find(':');
    const std::string ofAll = "*" + std::string(mutantId.substr(std::min(colon, mutantId.size())));
    for (const std::string_view key : {mutantId, std::string_view(ofAll)}) {
        const auto found = notes().find(key);
        if (found != notes().end()) {
            return found->first;
        }
    }
    return {};
}

} // namespace lockscope::mutation
