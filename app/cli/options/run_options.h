#pragma once

#include "app/option_set.h"
#include "core/kernel/workload/run_parameters.h"

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

namespace lockscope::cli {

/// Options made from the table of run parameters. What was typed is read when the protocol is
/// known, as that decides what is usual and what is possible.
class RunOptions {
public:
    /// Those of the ids; none: all.
    void declare(app::OptionSet& options, std::initializer_list<std::string_view> ids = {});
    bool has(std::string_view id) const { return m_texts.contains(id); }
    /// Throws an ArgumentError.
    void applyTo(workload::Scenario& scenario, const protocol::ProtocolInfo& info,
                 workload::RunPurpose purpose = workload::RunPurpose::Run) const;

private:
    std::map<std::string_view, std::string> m_texts;
};

} // namespace lockscope::cli
