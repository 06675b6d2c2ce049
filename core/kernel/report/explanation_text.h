#pragma once

#include "core/kernel/report/lock_explanation.h"

#include <string>
#include <vector>

namespace lockscope::report {

/// A part of an explanation under its heading.
struct ExplanationSection {
    /// A sentence or several, or a command for redis-cli.
    struct Entry {
        std::string heading; // the key that is meant, or what the command is for; may be empty
        std::string text;
        bool isCommand = false;
    };

    std::string title;
    std::vector<Entry> entries; // at least one
};

/// All that an explanation says, in the order in which it is read.
std::vector<ExplanationSection> sectionsOf(const Explanation& explanation);

/// The same as one text: each heading is a line of its own, what is below it is indented.
std::string explanationText(const Explanation& explanation);

} // namespace lockscope::report
