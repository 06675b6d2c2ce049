#include "app/quoted_words.h"

#include "core/kernel/base/bytes.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockscope::app {

namespace {

constexpr std::size_t kQuotedLengthMax = 60;

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

bool isNumber(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "host:6379", "[fe80::1]:6379", "::1": what stands behind the colon is no password.
bool isHostAndPort(std::string_view authority)
{
    constexpr std::size_t kPortDigitsMax = 5;
    const std::size_t colon = authority.find(':');
    if (authority.starts_with('[') || colon == std::string_view::npos) {
        return true;
    }
    if (authority.find(':', colon + 1) != std::string_view::npos) {
        return authority.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
    }
    const std::string_view port = authority.substr(colon + 1);
    return isNumber(port) && port.size() <= kPortDigitsMax;
}

/// "s1:26379,s2:26379"
bool areHostsAndPorts(std::string_view authority)
{
    while (true) {
        const std::size_t comma = std::min(authority.find(','), authority.size());
        if (!isHostAndPort(authority.substr(0, comma))) {
            return false;
        }
        if (comma == authority.size()) {
            return true;
        }
        authority.remove_prefix(comma + 1);
    }
}

bool namesPassword(std::string_view options)
{
    constexpr std::string_view kWord = "pass";
    const auto isSame = [](char given, char wanted) {
        return given == wanted || given == wanted - 'a' + 'A';
    };
    return std::search(options.begin(), options.end(), kWord.begin(), kWord.end(), isSame)
           != options.end();
}

bool isDatabase(std::string_view option)
{
    return option.starts_with("db=") && isNumber(option.substr(3));
}

} // namespace

std::string_view closestTo(std::string_view word, std::span<const std::string_view> candidates)
{
    std::string_view best;
    std::size_t bestDistance = 1 + std::max<std::size_t>(1, word.size() / 3);
    for (const std::string_view candidate : candidates) {
        const std::size_t distance = editDistance(word, candidate);
        if (distance < bestDistance) {
            best = candidate;
            bestDistance = distance;
        }
    }
    return best;
}

std::vector<std::string_view> passwordsIn(std::string_view word)
{
    std::vector<std::string_view> passwords;
    const std::size_t scheme = word.find("://");
    const bool isUrl = scheme != std::string_view::npos;
    const std::size_t begin = isUrl ? scheme + 3 : 0;
    const std::size_t colon = word.find(':', begin);
    const std::size_t at = word.rfind('@');
    const bool hasHost = at != std::string_view::npos && at >= begin;
    if (hasHost && colon < at) {
        passwords.push_back(word.substr(colon + 1, at - colon - 1));
    } else if (isUrl && !hasHost) {
        const std::string_view authority = word.substr(begin,
                                                       word.find_first_of("/?#&", begin) - begin);
        const std::string_view kind = word.substr(0, scheme);
        const bool namesSeveral = kind.ends_with("+sentinel") || kind.ends_with("+cluster");
        const bool isAddress = namesSeveral ? areHostsAndPorts(authority)
                                            : isHostAndPort(authority);
        if (!isAddress) {
            passwords.push_back(authority.substr(authority.find(':') + 1));
        }
    }
    const std::size_t mark = word.find_first_of("?#&", hasHost ? at : begin);
    const std::string_view options = mark == std::string_view::npos ? std::string_view()
                                                                    : word.substr(mark + 1);
    if ((isUrl && !isDatabase(options)) || namesPassword(options)) {
        passwords.push_back(options);
    }
    std::erase(passwords, std::string_view());
    return passwords;
}

std::string inQuotes(std::string_view word)
{
    std::string shown(word);
    const std::vector<std::string_view> passwords = passwordsIn(word);
    for (auto password = passwords.rbegin(); password != passwords.rend(); ++password) {
        shown.replace(static_cast<std::size_t>(password->data() - word.data()), password->size(),
                      "***");
    }
    return '"' + elidedMiddle(escaped(shown), kQuotedLengthMax) + '"';
}

} // namespace lockscope::app
