// The mutation score: the default plans against protocols with one mistake each (docs/mutation.md).

#include "core/kernel/base/content_hash.h"
#include "core/kernel/world/fault_info.h"
#include "tests/mutation/equivalents.h"
#include "tests/mutation/score.h"
#include "tests/mutation/variants.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace lockscope;
using namespace lockscope::mutation;

namespace {

constexpr double kGoalPercent = 97;
constexpr std::uint64_t kRunsPerPlan = 3'000; // as the matrix by default

/// The part of the mutants that is tried, and how far each search goes.
struct Choice {
    std::uint64_t sampleOf = 1; // one mutant of so many
    std::uint64_t runs = kRunsPerPlan;
};

struct Result {
    Mutant mutant;
    std::optional<Kill> kill;
    bool isSound = false; // a variant, which nothing tells apart
};

/// One of so many, by the text of its id: always the same ones.
bool isInSample(const Mutant& mutant, std::uint64_t sampleOf)
{
    ContentHash hash;
    hash.add(std::string_view(mutant.id));
    return hash.value() % sampleOf == 0;
}

std::vector<Result> judged(const Subject& subject, const Choice& choice)
{
    Judgement judgement(subject, search::Bounds{choice.runs});
    std::vector<Result> results;
    for (Mutant& mutant : mutantsOf(subject)) {
        if (!isInSample(mutant, choice.sampleOf)) {
            continue;
        }
        std::optional<Kill> kill = judgement.tryOn(mutant);
        results.push_back({std::move(mutant), std::move(kill)});
    }
    for (Mutant& variant : variantsOf(subject)) {
        if (!isInSample(variant, choice.sampleOf)) {
            continue;
        }
        std::optional<Kill> kill = judgement.tryOn(variant);
        results.push_back({std::move(variant), std::move(kill), true});
    }
    return results;
}

/// Each subject on one of the threads of the machine.
std::vector<std::vector<Result>> judgedAll(const std::vector<Subject>& subjects,
                                           const Choice& choice)
{
    std::vector<std::vector<Result>> results(subjects.size());
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
        threads.emplace_back([&] {
            for (std::size_t at = next++; at < subjects.size(); at = next++) {
                results[at] = judged(subjects[at], choice);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    return results;
}

struct Count {
    int all = 0;
    int equivalent = 0;
    int killed = 0;
    int variants = 0;
    int accused = 0;  // of the variants
    int surprise = 0; // what the lists do not say

    double percent() const
    {
        const int others = all - equivalent;
        return others > 0 ? 100.0 * killed / others : 100;
    }
    void add(const Count& other)
    {
        all += other.all;
        equivalent += other.equivalent;
        killed += other.killed;
        variants += other.variants;
        accused += other.accused;
        surprise += other.surprise;
    }
};

std::string textOf(const Kill& kill)
{
    return std::string(idOf(kill.promise)) + " under " + std::string(idOf(kill.fault)) + ", "
           + kill.plan + ", " + std::to_string(kill.length) + " steps";
}

void tell(const char* what, const Result& result)
{
    std::printf("  %s: %s -> %s%s%s\n", what, result.mutant.id.c_str(), result.mutant.to.c_str(),
                result.kill ? ": " : "", result.kill ? textOf(*result.kill).c_str() : "");
}

void countVariant(const Result& result, Count& count)
{
    ++count.variants;
    if (result.kill) {
        const bool isOpen = survivors().contains(result.mutant.id);
        ++count.accused;
        count.surprise += isOpen ? 0 : 1;
        tell(isOpen ? "accused, as before" : "accused", result);
    }
}

void countMutant(const Result& result, bool areAllShown, Count& count)
{
    const bool isEquivalent = !noteOn(result.mutant.id).empty();
    const bool isOpen = survivors().contains(result.mutant.id);
    ++count.all;
    count.equivalent += isEquivalent ? 1 : 0;
    count.killed += result.kill && !isEquivalent ? 1 : 0;
    if (result.kill.has_value() == (isEquivalent || isOpen)) {
        ++count.surprise;
        tell(result.kill ? "killed, and listed as alive" : "survived", result);
    } else if (areAllShown) {
        tell(result.kill ? "killed" : isEquivalent ? "equivalent" : "survived, as before", result);
    }
}

Count counted(const std::vector<Result>& results, bool areAllShown)
{
    Count count;
    for (const Result& result : results) {
        if (result.isSound) {
            countVariant(result, count);
        } else {
            countMutant(result, areAllShown, count);
        }
    }
    return count;
}

/// The number behind the word; nullopt: the word is not there.
std::optional<std::uint64_t> numberBehind(const std::vector<std::string_view>& words,
                                          std::string_view word)
{
    const auto found = std::ranges::find(words, word);
    if (found == words.end() || std::next(found) == words.end()) {
        return std::nullopt;
    }
    return std::strtoull(std::string(*std::next(found)).c_str(), nullptr, 10);
}

} // namespace

/// bench_mutation [--all] [--sample N] [--runs N] [protocol...]: --all shows what became of each
/// mutant, --sample tries one of N, and --runs bounds the search of a plan. Fails on what
/// equivalents.tsv and survivors.txt do not say.
int main(int argumentCount, char** arguments)
{
    const std::vector<std::string_view> words(arguments + 1, arguments + argumentCount);
    const bool areAllShown = std::ranges::find(words, "--all") != words.end();
    Choice choice;
    choice.sampleOf = std::max<std::uint64_t>(1, numberBehind(words, "--sample").value_or(1));
    choice.runs = numberBehind(words, "--runs").value_or(kRunsPerPlan);
    std::vector<Subject> subjects = allSubjects();
    const auto isAsked = [&](const Subject& subject) {
        return std::ranges::find(words, subject.id()) != words.end();
    };
    if (std::ranges::any_of(subjects, isAsked)) {
        std::erase_if(subjects, [&](const Subject& subject) { return !isAsked(subject); });
    }
    const std::vector<std::vector<Result>> results = judgedAll(subjects, choice);
    Count total;
    std::printf("  %-24s %8s %11s %7s %9s\n", "protocol", "mutants", "equivalent", "killed",
                "score");
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        const Count count = counted(results[i], areAllShown);
        std::printf("  %-24s %8d %11d %7d %8.1f%%\n", subjects[i].id().c_str(), count.all,
                    count.equivalent, count.killed, count.percent());
        total.add(count);
    }
    std::printf("  %-24s %8d %11d %7d %8.1f%%  goal %.0f%%\n", "all", total.all, total.equivalent,
                total.killed, total.percent(), kGoalPercent);
    std::printf("  sound variants: %d, accused: %d\n", total.variants, total.accused);
    return total.surprise == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
