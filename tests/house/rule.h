#pragma once

#include "tests/house/source_file.h"
#include "tests/house/tree.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::house {

/// One place that breaks a rule.
struct Finding {
    std::string path;
    int line = 0; // 0: the file as a whole
    std::string what;
    int size = 0; // for rules about length: how long it is
};

using Findings = std::vector<Finding>;

/// A rule looks at one file at a time and must not remember anything between two of them.
struct Rule {
    std::string_view id;
    std::string_view better; // what to do instead, printed with every finding
    Findings (*check)(const SourceFile& file, const Tree& tree);
};

/// Rules by subject; each table is written out at the end of its file.
std::span<const Rule> layeringRules();
std::span<const Rule> bannedCallRules();
std::span<const Rule> coroutineRules();
std::span<const Rule> sizeRules();
std::span<const Rule> orderRules();

/// All of the above.
std::vector<Rule> allRules();

/// A finding that is tolerated for now, with the reason. The list is in exemptions.cpp and may only
/// shrink: an entry that is not needed any more fails the test, and so does one whose `size` could
/// be smaller.
struct Exemption {
    std::string_view rule;
    std::string_view path;
    std::string_view what; // a part of the finding's text; empty: any finding in the file
    int size = 0;          // the largest size that is tolerated; 0 for rules without a size
    std::string_view reason;

    bool covers(std::string_view ruleId, const Finding& finding) const;
};

std::span<const Exemption> exemptions();

} // namespace lockscope::house
