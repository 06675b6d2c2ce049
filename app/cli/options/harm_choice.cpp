#include "app/cli/options/harm_choice.h"

#include "app/cli/commands/command_list.h"
#include "app/quoted_words.h"
#include "core/kernel/base/joined.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace lockscope::cli {

using search::Harm;

namespace {

std::string idsOf(const std::vector<Harm>& harms)
{
    std::vector<std::string_view> ids;
    ids.reserve(harms.size());
    for (const Harm harm : harms) {
        ids.push_back(idOf(harm));
    }
    return joined(ids, ",");
}

std::string readHarms(const std::string& text, std::vector<Harm>& harms)
{
    std::vector<std::string_view> ids{kEverything};
    for (const Harm harm : search::allHarms()) {
        ids.push_back(idOf(harm));
    }
    harms.clear();
    for (const std::string& word : listedWords(text)) {
        const auto harm = search::harmOfId(word);
        if (word == kEverything) {
            const auto all = search::allHarms();
            harms.assign(all.begin(), all.end());
            return {};
        }
        if (!harm) {
            return app::noneOf(word, ids);
        }
        if (std::ranges::find(harms, *harm) == harms.end()) {
            harms.push_back(*harm);
        }
    }
    return harms.empty() ? "the list is empty" : "";
}

} // namespace

void declareNever(app::OptionSet& options, std::vector<Harm>& never)
{
    const auto read = [&never](const std::string& text) { return readHarms(text, never); };
    options.add("never", "LIST|all", read,
                "What must not happen (" + idsOf(never)
                    + "): two-holders, stuck,\nwrong-release, wrong-count, unfair.");
    std::vector<std::string> ids;
    for (const Harm harm : search::allHarms()) {
        ids.emplace_back(idOf(harm));
    }
    options.suggest("never", std::move(ids));
}

} // namespace lockscope::cli
