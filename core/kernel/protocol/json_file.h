#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

// Reading files that people write by hand: protocols, scenarios, counterexamples.
namespace lockscope::protocol {

/// What is wrong with such a file.
struct FileError {
    int line = 1;       // from 1; 0: of a binary file, which has none
    int column = 1;     // from 1, in bytes
    std::string reason; // one sentence
    std::string member; // of a binary file, instead of the column: "/events/at"

    friend bool operator==(const FileError&, const FileError&) = default;
};

/// Hands the parsed text to `read`, which throws a FileFault for what it does not like. nullopt:
/// nothing is wrong.
std::optional<FileError> readJsonFile(std::string_view text,
                                      const std::function<void(const nlohmann::json&)>& read);

/// "line 3, column 5: "Lease" is not known here.", "byte 17: …", "/events/at: …"
std::string toText(const FileError& error);

} // namespace lockscope::protocol
