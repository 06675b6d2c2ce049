#pragma once

#include "core/kernel/diagnosis/diagnosis.h"
#include "core/kernel/report/lock_json.h"

#include <string>
#include <vector>

namespace lockscope::diagnosis {

/// "low", "medium", "high".
std::string riskText(Risk risk);

/// A finding in words, for a reader who decides.
struct FindingText {
    std::string title;    // "No expiry"
    int severity = 0;     // as of a flag
    std::string evidence; // what was seen
    std::string risk;     // "Risk of a false alarm: low. May be wrong if …"
    std::string remedy;   // what to do

    friend bool operator==(const FindingText&, const FindingText&) = default;
};
std::vector<FindingText> textsOf(const Diagnosis& diagnosis);

/// What is not known, a line each: "Not known whether it is being renewed. This is the first look
/// at it."
std::vector<std::string> unknownTexts(const Diagnosis& diagnosis);

/// Of a lock that nothing was found of: that, and that it does not prove much where something is
/// not known. Empty with findings.
std::string nothingFoundText(const Diagnosis& diagnosis);

/// {"reasons": [{"id", "title", "severity", "risk", "evidence", "doubt", "remedy", "hazard"}],
/// "notKnown": [{"reason", "what", "why"}]}
report::Json diagnosisJson(const Diagnosis& diagnosis);

} // namespace lockscope::diagnosis
