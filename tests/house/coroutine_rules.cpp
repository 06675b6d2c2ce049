#include "tests/house/function_scanner.h"
#include "tests/house/rule.h"

#include <array>

namespace lockscope::house {

namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

/// The offset of the first '{' that belongs to the expression beginning at `at`, or npos. The
/// expression ends at the ';', or at the ')' of what it stands in.
std::size_t braceInExpression(std::string_view code, std::size_t at)
{
    int depth = 0;
    for (; at < code.size(); ++at) {
        const char c = code[at];
        if (c == '{') {
            return at;
        }
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (c == ';' || depth < 0) {
            return kNowhere;
        }
    }
    return kNowhere;
}

Findings bracesInAwait(const SourceFile& file, const Tree&)
{
    Findings findings;
    if (!file.isCpp()) {
        return findings;
    }
    constexpr std::string_view kAwait = "co_await";
    for (std::size_t at = findWord(file.code, kAwait); at != kNowhere;
         at = findWord(file.code, kAwait, at + 1)) {
        const std::size_t brace = braceInExpression(file.code, at);
        const bool isOperator = std::string_view(file.code).substr(0, at).ends_with("operator ");
        if (brace != kNowhere && !isOperator) {
            findings.push_back({file.path, file.lineOf(brace),
                                "a brace inside a co_await expression"});
        }
    }
    return findings;
}

const Lambda* innermostAround(const std::vector<Lambda>& lambdas, std::size_t at)
{
    const Lambda* innermost = nullptr;
    for (const Lambda& lambda : lambdas) {
        const bool isAround = lambda.bodyBegin < at && at < lambda.bodyEnd;
        if (isAround && (innermost == nullptr || lambda.bodyBegin > innermost->bodyBegin)) {
            innermost = &lambda;
        }
    }
    return innermost;
}

Findings capturingCoroutines(const SourceFile& file, const Tree&)
{
    Findings findings;
    if (!file.isCpp() || file.code.find("co_") == kNowhere) {
        return findings;
    }
    const std::vector<Lambda> lambdas = lambdasOf(file.code);
    const Lambda* reported = nullptr;
    for (const std::string_view keyword : {"co_await", "co_return", "co_yield"}) {
        for (std::size_t at = findWord(file.code, keyword); at != kNowhere;
             at = findWord(file.code, keyword, at + 1)) {
            const Lambda* const lambda = innermostAround(lambdas, at);
            if (lambda != nullptr && lambda->captures && lambda != reported) {
                findings.push_back({file.path, file.lineOf(lambda->begin),
                                    "a capturing lambda is a coroutine"});
                reported = lambda;
            }
        }
    }
    return findings;
}

constexpr std::array kRules{
    Rule{"braces-in-await",
         "GCC 12 destroys such temporaries twice: name the value first, then move it in",
         bracesInAwait},
    Rule{"capturing-coroutine",
         "the captures die with the lambda, the frame lives on: pass them as parameters",
         capturingCoroutines},
};

} // namespace

std::span<const Rule> coroutineRules()
{
    return kRules;
}

} // namespace lockscope::house
