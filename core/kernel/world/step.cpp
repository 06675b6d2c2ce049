#include "core/kernel/world/step.h"

#include "core/kernel/world/world_plan.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string>
#include <vector>

namespace lockscope::world {

namespace {

constexpr int kClientMax = 26;

char letterOf(LinkRole role)
{
    switch (role) {
    case LinkRole::Commands: return 'c';
    case LinkRole::Blocking: return 'b';
    case LinkRole::Channels: break;
    }
    return 's';
}

std::optional<LinkRole> roleOf(std::string_view text)
{
    for (const auto role : {LinkRole::Commands, LinkRole::Blocking, LinkRole::Channels}) {
        if (text == std::string_view(std::string(1, letterOf(role)))) {
            return role;
        }
    }
    return std::nullopt;
}

std::optional<std::uint8_t> numberIn(std::string_view text)
{
    std::uint8_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isNumber = error == std::errc() && end == text.data() + text.size();
    return isNumber ? std::optional(number) : std::nullopt;
}

std::optional<std::uint8_t> clientIn(std::string_view text)
{
    if (text.size() == 1 && text[0] >= 'A' && text[0] < 'A' + kClientMax) {
        return static_cast<std::uint8_t>(text[0] - 'A');
    }
    return std::nullopt;
}

std::vector<std::string> wordsOf(std::string_view text)
{
    std::istringstream stream{std::string(text)};
    std::vector<std::string> words;
    for (std::string word; stream >> word;) {
        words.push_back(word);
    }
    return words;
}

/// The words from `first` on: client, node, role.
bool readPlace(const std::vector<std::string>& words, Step& step)
{
    const auto client = clientIn(words[1]);
    const auto node = numberIn(words[2]);
    const auto role = roleOf(words[3]);
    if (!client || !node || !role) {
        return false;
    }
    step.client = *client;
    step.node = *node;
    step.role = *role;
    return true;
}

} // namespace

std::string toText(const Step& step)
{
    const std::string place = ' ' + clientName(step.client) + ' ' + std::to_string(step.node) + ' '
                              + letterOf(step.role);
    switch (step.kind) {
    case Step::Kind::Serve: return "serve" + place;
    case Step::Kind::ServeLate: return "late " + std::to_string(step.variant);
    case Step::Kind::Advance: return "advance";
    case Step::Kind::Fault: break;
    }
    return std::string(idOf(step.fault)) + place + ' ' + std::to_string(step.variant);
}

std::optional<Step> parseStep(std::string_view text)
{
    const std::vector<std::string> words = wordsOf(text);
    Step step;
    if (words.size() == 1 && words[0] == "advance") {
        return step;
    }
    if (words.size() == 2 && words[0] == "late") {
        step.kind = Step::Kind::ServeLate;
        const auto index = numberIn(words[1]);
        step.variant = index.value_or(0);
        return index ? std::optional(step) : std::nullopt;
    }
    if (words.size() == 4 && words[0] == "serve") {
        step.kind = Step::Kind::Serve;
        return readPlace(words, step) ? std::optional(step) : std::nullopt;
    }
    const auto fault = words.size() == 5 ? faultKindOf(words[0]) : std::nullopt;
    const auto variant = fault ? numberIn(words[4]) : std::nullopt;
    if (!variant || !readPlace(words, step)) {
        return std::nullopt;
    }
    step.kind = Step::Kind::Fault;
    step.fault = *fault;
    step.variant = *variant;
    return step;
}

std::vector<FaultKind> faultsIn(std::span<const Step> steps)
{
    std::vector<FaultKind> kinds;
    for (const Step& step : steps) {
        const bool isNew = std::ranges::find(kinds, step.fault) == kinds.end();
        if (step.kind == Step::Kind::Fault && isNew) {
            kinds.push_back(step.fault);
        }
    }
    return kinds;
}

} // namespace lockscope::world
