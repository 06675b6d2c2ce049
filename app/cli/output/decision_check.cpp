#include "app/cli/output/decision_check.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/report/wording.h"

#include <algorithm>
#include <iterator>

namespace lockscope::cli {

using inspect::LockPtr;

namespace {

constexpr std::size_t kNamed = 3; // of the keys that do not fit

/// A row of several servers is made from votes, which their servers' keys fitted.
bool fits(const inspect::LockRecord& row, const inspect::Treatment& decision,
          const inspect::FormatTable& formats)
{
    const inspect::Decoder* const decoder = formats.recognisers().decoderOf(row.format());
    return row.format() == decision.format
           || (decoder != nullptr && decoder->quorumRole == inspect::QuorumRole::Lock);
}

std::string misfitText(const inspect::LockRecord& row, const inspect::FormatTable& formats)
{
    const inspect::Decoder* const decoder = formats.recognisers().decoderOf(row.format());
    const bool isRead = decoder != nullptr && !decoder->isLastResort;
    return escaped(row.id.name)
           + (isRead ? " (fits " + std::string(row.format()) + ")" : " (fits no format)");
}

} // namespace

std::vector<DecisionCheck> checkDecisions(const std::vector<LockPtr>& rows,
                                          const inspect::FormatTable& formats)
{
    const auto decisions = formats.recognisers().treatments;
    std::vector<DecisionCheck> checks(decisions.size());
    for (const LockPtr& row : rows) {
        const inspect::Treatment* const decision = formats.recognisers().treatmentOf(row->id.name);
        if (decision == nullptr || decision->isNoLock()) {
            continue;
        }
        DecisionCheck& check =
            checks[static_cast<std::size_t>(std::distance(decisions.data(), decision))];
        check.decision = decision;
        if (fits(*row, *decision, formats)) {
            ++check.fittingCount;
        } else {
            check.misfits.push_back(row);
        }
    }
    std::erase_if(checks, [](const DecisionCheck& check) { return check.count() == 0; });
    return checks;
}

std::string misfitsSentence(const DecisionCheck& check, const inspect::FormatTable& formats)
{
    if (check.misfits.empty()) {
        return {};
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(kNamed, check.misfits.size()); ++i) {
        names.push_back(misfitText(*check.misfits[i], formats));
    }
    const std::size_t count = check.misfits.size();
    return std::to_string(count) + " of " + std::to_string(check.count())
           + (check.count() == 1 ? " key" : " keys") + (count == 1 ? " does" : " do")
           + " not fit the format " + check.decision->format + ": "
           + report::listText(std::move(names), count);
}

} // namespace lockscope::cli
