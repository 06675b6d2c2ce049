#pragma once

#include "core/kernel/diagnosis/hygiene.h"
#include "core/kernel/report/lock_json.h"

#include <span>
#include <string>

namespace lockscope::diagnosis {

/// For people: each finding with evidence, harm, remedy and the call that shows the harm.
/// `serverNames` has one entry per server.
std::string hygieneText(const Hygiene& hygiene, bool isOfSet,
                        std::span<const std::string> serverNames);

/// {"findings": [{"id", "severity", "title", "servers", "nodes", "evidence", "examples", "harm",
/// "remedy", "story"}], "notKnown": [{"id", "title", "why"}]}
report::Json hygieneJson(const Hygiene& hygiene, bool isOfSet,
                         std::span<const std::string> serverNames);

} // namespace lockscope::diagnosis
