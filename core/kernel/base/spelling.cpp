#include "core/kernel/base/spelling.h"

#include <algorithm>
#include <vector>

namespace lockscope {

namespace {

constexpr std::size_t kLongestWord = 64;

} // namespace

std::size_t editDistance(std::string_view a, std::string_view b)
{
    // Three rows of the table of distances between all beginnings of the two words.
    std::vector<std::size_t> beforeLast(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(beforeLast, last);
        std::swap(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
            const bool isSwapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            row[j] = isSwapped ? std::min(row[j], beforeLast[j - 2] + 1) : row[j];
        }
    }
    return row[b.size()];
}

std::string_view nearestWord(std::string_view typed, std::span<const std::string_view> known,
                             std::size_t maxDistance)
{
    std::string_view best;
    std::size_t bestDistance = maxDistance + 1;
    for (const std::string_view word : known) {
        const bool isTooLong = typed.size() > kLongestWord || word.size() > kLongestWord;
        const std::size_t distance = isTooLong ? bestDistance : editDistance(typed, word);
        if (distance < bestDistance) {
            best = word;
            bestDistance = distance;
        }
    }
    return best;
}

} // namespace lockscope
