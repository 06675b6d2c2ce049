#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockscope::mutation {

/// A script with one mistake in it.
struct ScriptChange {
    std::string operation; // "condition-true"; docs/mutation.md lists them
    int line = 0;          // of the script, where the mistake is
    std::string from;
    std::string to; // empty: left out
    std::string text;

    /// "condition-true 5: value ~= ARGV[1]". Tells the changes of one script apart.
    std::string id() const;
};

/// All the mistakes that the operators of docs/mutation.md make in this script, in the order of the
/// operators. Every text is different from the script and from all others.
std::vector<ScriptChange> changesOf(std::string_view script);

} // namespace lockscope::mutation
