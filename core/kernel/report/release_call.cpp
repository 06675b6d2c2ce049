#include "core/kernel/report/release_call.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/store/endpoint.h"

#include <algorithm>
#include <variant>

// The call of the command-line program that releases what the window shows.
namespace lockscope::report {

namespace {

/// What names the hold to the command-line program: the owner, or the value where no owner is
/// recorded.
Bytes releaseToken(const inspect::ReleasePlan& plan)
{
    if (!plan.owner().empty() || plan.recipe.checks.empty()) {
        return plan.owner();
    }
    const inspect::ReleaseRecipe::KeyCheck& check = plan.recipe.checks.front();
    if (check.kind == inspect::ReleaseRecipe::KeyCheck::Kind::Value) {
        return check.value;
    }
    return check.fields.empty() ? Bytes() : check.fields.front();
}

/// An argument that begins with a dash would be taken for an option.
std::string ownerOption(const std::string& token)
{
    return token.starts_with('-') ? shellQuoted("--owner=" + token)
                                  : "--owner " + shellQuoted(token);
}

} // namespace

std::string releaseCommandLine(std::string_view url, const inspect::ReleasePlan& plan, bool dryRun)
{
    if (plan.action != inspect::ReleaseAction::Release) {
        return {};
    }
    const std::string key = escaped(plan.lock->id.name);
    const bool looksLikeOption = key.starts_with('-');
    std::string line = "lockscope-cli release ";
    line += looksLikeOption ? std::string() : shellQuoted(key) + ' ';
    line += plan.endsSeveral() ? std::string("--all") : ownerOption(escaped(releaseToken(plan)));
    line += plan.needsFormat ? " --as " + shellQuoted(plan.lock->format()) : std::string();
    // Read and written anew, which leaves the password behind; what cannot be read is not repeated.
    const auto endpoint = store::parseEndpoint(url);
    if (const auto* const known = std::get_if<store::Endpoint>(&endpoint)) {
        line += " --url " + shellQuoted(store::toUrl(*known));
    }
    line += dryRun ? " --dry-run" : "";
    return looksLikeOption ? line + " -- " + shellQuoted(key) : line;
}

std::string releaseCommandLine(std::span<const store::Endpoint> endpoints,
                               const inspect::ReleasePlan& plan)
{
    if (endpoints.empty()) {
        return releaseCommandLine(std::string_view(), plan, false);
    }
    const std::size_t server = plan.lock->id.server;
    const bool isOfOne = server < endpoints.size();
    std::string line = releaseCommandLine(store::toUrl(endpoints[isOfOne ? server : 0]), plan,
                                          false);
    if (line.empty() || isOfOne) {
        return line;
    }
    std::string more;
    for (const store::Endpoint& endpoint : endpoints.subspan(1)) {
        more += " --url " + shellQuoted(store::toUrl(endpoint));
    }
    const std::string_view grouping = store::idOf(endpoints.front().grouping);
    more += grouping.empty() ? std::string() : " --" + std::string(grouping);
    more += plan.isOfMinority ? " --minority" : "";
    return line.insert(std::min(line.rfind(" -- "), line.size()), more); // behind it is the key
}

std::string shellQuoted(std::string_view word)
{
    constexpr std::string_view kHarmless =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        "@%+=:,./_-";
    // "~" and "=" mean something at the beginning of a word only, "=" to zsh.
    if (!word.empty() && word.front() != '='
        && word.find_first_not_of(kHarmless) == std::string_view::npos) {
        return std::string(word);
    }
    std::string out = "'";
    for (const char c : word) {
        out += c == '\'' ? std::string_view("'\\''") : std::string_view(&c, 1);
    }
    return out + '\'';
}

std::string shellQuoted(const std::vector<std::string>& words)
{
    std::string line;
    for (const std::string& word : words) {
        line += (line.empty() ? "" : " ") + shellQuoted(word);
    }
    return line;
}

} // namespace lockscope::report
