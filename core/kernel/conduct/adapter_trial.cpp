#include "core/kernel/conduct/adapter_trial.h"

#include "core/kernel/base/kernel_text.h"

#include <algorithm>

namespace lockscope::conduct {

namespace {

constexpr int kHolder = 0;
constexpr int kOther = 1;
constexpr int kLeasesHeld = 3;

Workload emptyWorkload(const Vocabulary& vocabulary, const Surroundings& surroundings)
{
    Workload workload;
    workload.name = "trial";
    workload.processCount = 2;
    workload.serverCount = surroundings.serverCount;
    workload.replicaCount = surroundings.replicaCount;
    workload.lease = surroundings.lease;
    workload.traits.vocabulary = vocabulary;
    return workload;
}

/// How the calls of a process ended that had this word, one after the other.
std::vector<Answer> answersOf(const RunLog& log, int process, Word word)
{
    std::vector<Answer> answers;
    for (const LogEntry& entry : log.entries) {
        if (entry.kind == LogEntry::Kind::Answered && entry.process == process
            && entry.word == word) {
            answers.push_back(entry.answer);
        }
    }
    return answers;
}

/// Empty where A did what it was asked for and said yes.
std::string refusalOf(const RunLog& log, Word word)
{
    const std::string name(idOf(word));
    const auto answers = answersOf(log, kHolder, word);
    if (answers.empty()) {
        return KernelText::tr("it did not answer \"%1\", although nothing is in its way", name);
    }
    const Answer& answer = answers.front();
    return answer.kind == Answer::Kind::Yes
               ? std::string()
               : KernelText::tr("it answered \"%1\" with %2, although nothing is in its way", name,
                                describe(answer));
}

std::string mistakeIn(const RunLog& log, const Vocabulary& vocabulary)
{
    if (!log.trouble.empty()) {
        return log.trouble;
    }
    for (const Word word : {Word::Acquire, Word::Held, Word::Release}) {
        const bool isAsked = word != Word::Held || vocabulary.has(word);
        if (std::string refusal = isAsked ? refusalOf(log, word) : std::string();
            !refusal.empty()) {
            return refusal;
        }
    }
    const bool talked = std::any_of(log.entries.begin(), log.entries.end(),
                                    [](const LogEntry& entry) {
                                        return entry.kind == LogEntry::Kind::Executed
                                               && entry.lock >= 0;
                                    });
    return talked ? std::string()
                  : KernelText::tr("it took a lock without a word to the server: none of its "
                                   "commands names the key that it was given");
}

/// Between its answer and the release A made its lock last longer, without being told to.
bool renewsByItself(const RunLog& log)
{
    bool isHolding = false;
    for (const LogEntry& entry : log.entries) {
        if (entry.process != kHolder) {
            continue;
        }
        if (entry.kind == LogEntry::Kind::Called && entry.word == Word::Release) {
            return false;
        }
        isHolding = isHolding
                    || (entry.kind == LogEntry::Kind::Answered && entry.word == Word::Acquire
                        && entry.answer.kind == Answer::Kind::Yes);
        if (isHolding && entry.kind == LogEntry::Kind::Executed
            && std::ranges::any_of(entry.effects, &LockEffect::isProlonged)) {
            return true;
        }
    }
    return false;
}

} // namespace

AdapterTrial tryAdapter(Stage& stage, const Vocabulary& vocabulary,
                        const Surroundings& surroundings)
{
    AdapterTrial trial;
    trial.traits.vocabulary = vocabulary;
    if (!vocabulary.has(Word::Acquire) || !vocabulary.has(Word::Release)) {
        trial.mistake = KernelText::tr("its line \"ready …\" does not name acquire and release");
        return trial;
    }
    Workload first = emptyWorkload(vocabulary, surroundings);
    first.acts = {Act::call(kHolder, Word::Acquire), Act::call(kOther, Word::Acquire)};
    if (vocabulary.has(Word::Held)) {
        first.acts.push_back(Act::call(kHolder, Word::Held));
    }
    first.acts.push_back(Act::call(kHolder, Word::Release));
    first.acts.push_back(Act::call(kOther, Word::Release));
    first.firstFinalAct = static_cast<int>(first.acts.size());
    trial.mistake = mistakeIn(stage.play(first, {}), vocabulary);
    if (!trial.mistake.empty() || surroundings.lease == Duration(0)) {
        return trial;
    }
    Workload second = emptyWorkload(vocabulary, surroundings);
    second.processCount = 1;
    second.acts = {Act::call(kHolder, Word::Acquire), Act::pass(surroundings.lease * kLeasesHeld),
                   Act::call(kHolder, Word::Release)};
    second.firstFinalAct = static_cast<int>(second.acts.size());
    trial.traits.isRenewed = renewsByItself(stage.play(second, {}));
    return trial;
}

AdapterTrial tryProgram(Stage& stage, const Surroundings& surroundings)
{
    AdapterTrial trial;
    Surroundings alone = surroundings;
    alone.processCount = 1;
    const RunLog log = stage.play(programsWorkload(alone), {});
    if (!log.trouble.empty()) {
        trial.mistake = log.trouble;
    } else if (answersOf(log, kHolder, Word::Acquire).empty()) {
        trial.mistake = KernelText::tr("it did not enter its protected section: nothing wrote "
                                       "\"enter\" to the file that LOCKSCOPE_SECTION names");
    } else if (answersOf(log, kHolder, Word::Release).empty()) {
        trial.mistake = KernelText::tr("it did not leave its protected section: nothing wrote "
                                       "\"leave\" to the file that LOCKSCOPE_SECTION names");
    }
    return trial;
}

} // namespace lockscope::conduct
