#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/protocol/promise.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::protocol {

/// Thrown while a protocol file is read: what is wrong, and with which part.
struct FileFault {
    std::string path;   // "/acquire/keys/1"
    std::string reason; // one sentence
};

/// One object of a protocol file, and how to take things out of it. Anything that is not valid
/// throws a FileFault.
class FileSection {
public:
    /// Members that are not among `known` are faults: they are misspelt more often than not.
    /// `object` outlives this.
    FileSection(const nlohmann::json& object, std::string path,
                const std::vector<std::string_view>& known);

    bool has(std::string_view name) const { return m_json.contains(name); }
    std::string pathOf(std::string_view name) const;
    [[noreturn]] void fail(std::string_view name, std::string reason) const;

    /// A member that has to be there.
    const nlohmann::json& at(std::string_view name) const;

    /// A text that has to be there and says something.
    std::string text(std::string_view name) const;
    /// One text, or a list of texts that are its lines.
    std::string lines(std::string_view name) const;
    /// A list of texts; empty when it is not there.
    std::vector<std::string> texts(std::string_view name) const;

    /// A promise by its id, which has to be there.
    Promise promise(std::string_view name) const;

    // Members that need not be there.
    std::string textOr(std::string_view name, std::string fallback) const;
    bool flagOr(std::string_view name, bool fallback) const;
    Duration durationOr(std::string_view name, Duration fallback) const;
    /// A whole number from `least` to `most`.
    std::optional<int> number(std::string_view name, int least, int most) const;

private:
    const nlohmann::json& m_json;
    std::string m_path;
};

/// nullopt when there is no such promise.
std::optional<Promise> promiseNamed(std::string_view id);

} // namespace lockscope::protocol
