#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/report/wording.h"

// What is said of owners that have several locks.

namespace lockscope::report {

namespace {

constexpr std::size_t kNamesShown = 6; // more make no sentence
constexpr std::size_t kShownNameLength = 60;

std::string namesText(const std::vector<Bytes>& names)
{
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < names.size() && i < kNamesShown; ++i) {
        shown.push_back(elidedMiddle(escaped(names[i]), kShownNameLength));
    }
    return listText(std::move(shown), names.size());
}

bool isAllOrNothing(const inspect::ReleasePlan& plan)
{
    const inspect::FormatTablePtr formats = plan.formats ? plan.formats
                                                         : inspect::builtinFormatTable();
    const auto* const decoder = formats->recognisers().decoderOf(plan.lock->format());
    return decoder != nullptr && decoder->isAllOrNothing;
}

std::string allOrNothingSentence()
{
    return KernelText::tr("Once one of its locks is gone, this owner's next renewal and release "
                          "fail for all of them.");
}

} // namespace

std::string listText(std::vector<std::string> words, std::size_t count)
{
    if (words.empty()) {
        return {};
    }
    if (count > words.size()) {
        const std::size_t others = count - words.size();
        words.push_back(others == 1 ? KernelText::tr("1 other")
                                    : KernelText::tr("%1 others", others));
    }
    std::string text = words.front();
    for (std::size_t i = 1; i < words.size(); ++i) {
        text = i + 1 < words.size() ? KernelText::tr("%1, %2", text, words[i])
                                    : KernelText::tr("%1 and %2", text, words[i]);
    }
    return text;
}

std::string tieSentence(const inspect::Holder& holder, std::string_view name)
{
    if (!holder.tie()) {
        return {};
    }
    const inspect::OwnerTie& tie = *holder.tie();
    const std::string text = alsoHeldSentence(tie.namesBeside(name), tie.isOfThread);
    const std::string remark = tieRemark(tie);
    return remark.empty() ? text : text + ' ' + remark;
}

std::string alsoHeldSentence(const std::vector<Bytes>& names, bool isOfThread)
{
    if (names.empty()) {
        return {};
    }
    return isOfThread ? KernelText::tr("The same thread also holds %1.", namesText(names))
                      : KernelText::tr("The same owner also holds %1.", namesText(names));
}

std::string tieRemark(const inspect::OwnerTie& tie)
{
    std::string text = tie.isTakenTogether
                           ? KernelText::tr("Taken together: probably one multi-lock.")
                           : std::string();
    if (tie.isAllOrNothing) {
        text += (text.empty() ? "" : " ") + allOrNothingSentence();
    }
    return text;
}

std::string stillHeldSentence(const inspect::ReleasePlan& plan,
                              const inspect::ReleaseReport& report)
{
    if (report.result != inspect::ReleaseResult::Released || report.stillHeld.empty()) {
        return {};
    }
    const std::string names = namesText(report.stillHeld);
    std::string text = plan.ownerScope == inspect::OwnerScope::Thread
                           ? KernelText::tr("Released here; the same thread still holds %1.", names)
                           : KernelText::tr("Released here; the same owner still holds %1.", names);
    return isAllOrNothing(plan) ? text + ' ' + allOrNothingSentence() : text;
}

} // namespace lockscope::report
