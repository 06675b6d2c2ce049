#include "app/cli/options/run_options.h"

#include "app/quoted_words.h"

#include <algorithm>

namespace lockscope::cli {

using workload::RunParameter;

void RunOptions::declare(app::OptionSet& options, std::initializer_list<std::string_view> ids)
{
    for (const RunParameter& parameter : workload::runParameters()) {
        if (ids.size() == 0 || std::ranges::find(ids, parameter.id) != ids.end()) {
            const auto keep = [this, &parameter](const std::string& text) {
                m_texts[parameter.id] = text;
                return std::string();
            };
            options.add(parameter.id, parameter.operand, keep, parameter.help());
        }
    }
}

void RunOptions::applyTo(workload::Scenario& scenario, const protocol::ProtocolInfo& info,
                         workload::RunPurpose purpose) const
{
    for (const RunParameter& parameter : workload::runParameters()) {
        const auto typed = m_texts.find(parameter.id);
        if (typed == m_texts.end()) {
            continue;
        }
        const std::string complaint = parameter.read(scenario, typed->second, info, purpose);
        if (!complaint.empty()) {
            throw app::ArgumentError{"--" + std::string(parameter.id) + ": "
                                     + app::inQuotes(typed->second) + ' ' + complaint};
        }
    }
}

} // namespace lockscope::cli
