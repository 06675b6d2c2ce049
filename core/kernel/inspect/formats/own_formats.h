#pragma once

#include "core/kernel/inspect/formats/format_table.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::inspect {

/// A file of the user's. The kernel opens none: it is handed their texts.
struct OwnFile {
    std::string path;
    std::string text;
};

/// What is wrong with such a file: the file, the place in it and the reason, in one sentence.
struct OwnFileProblem {
    std::string path;
    std::string sentence; // "/home/me/…/acme.json: line 3, column 5: …"
    friend bool operator==(const OwnFileProblem&, const OwnFileProblem&) = default;
};

/// The formats of these files, which docs/decoders.md describes. A file with a mistake counts for
/// nothing, and the others for what they say. Ids are unique, and none is that of a format that is
/// built in.
std::vector<FormatFile> readFormatFiles(std::span<const OwnFile> formatFiles,
                                        std::vector<OwnFileProblem>& problems);

/// The file of treatments: {"treatAs": [{"keys": "acme:*", "format": "token"}]}, where the format
/// "not-a-lock" says that the keys are no locks. A format that is not among `decoders` is a
/// mistake.
std::vector<Treatment> readTreatments(const OwnFile& file, std::span<const Decoder> decoders,
                                      std::vector<OwnFileProblem>& problems);

/// What names may be treated as: no format that only several keys together have.
bool isTreatable(const Decoder& decoder);

/// These with the newest one first, in the place of an earlier one of the same names.
std::vector<Treatment> withTreatment(std::vector<Treatment> treatments, Treatment newest);

/// The text of that file.
std::string treatmentsText(std::span<const Treatment> treatments);

/// The table that the user's files make. `treatmentsFile` without a text: there is none.
FormatTablePtr tableOf(std::span<const OwnFile> formatFiles, const OwnFile& treatmentsFile,
                       FormatTablePtr previous, std::vector<OwnFileProblem>& problems);

/// What stands in a file of treatments for "these keys are no locks". No format has this id.
constexpr std::string_view kNotALock = "not-a-lock";

/// The glob pattern that matches this name alone.
std::string nameAsPattern(std::string_view key);

/// The names that are meant when a user points at one key: those that differ from it in UUIDs,
/// hexadecimal words and numbers only, as a glob pattern.
std::string namesLike(std::string_view key);

} // namespace lockscope::inspect
