#include "core/kernel/inspect/formats/own_formats.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/decoders/token_shapes.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/protocol/file_section.h"
#include "core/kernel/protocol/json_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace lockscope::inspect {

namespace {

using protocol::FileError;
using protocol::FileSection;

OwnFileProblem problemOf(const OwnFile& file, const std::string& reason)
{
    return {file.path, file.path + ": " + reason};
}

/// Why a format may not have this id; nullopt: it may.
std::optional<std::string> flawOfId(const std::string& id, const std::vector<FormatFile>& earlier)
{
    if (id == kNotALock || decoderOfFormat(id) != nullptr) {
        return KernelText::tr("The id \"%1\" is that of a built-in format.", id);
    }
    if (std::ranges::find(earlier, id, &FormatFile::id) != earlier.end()) {
        return KernelText::tr("The id \"%1\" is that of another file.", id);
    }
    return std::nullopt;
}

Treatment readTreatment(const nlohmann::json& json, const std::string& path,
                        std::span<const Decoder> decoders)
{
    const FileSection section(json, path, {"keys", "format"});
    Treatment treatment{section.text("keys"), section.text("format")};
    if (treatment.format == kNotALock) {
        treatment.format.clear();
    } else if (std::ranges::find(decoders, treatment.format, &Decoder::id) == decoders.end()) {
        section.fail("format", KernelText::tr("There is no format \"%1\".", treatment.format));
    }
    return treatment;
}

bool isHexDigit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool isWordCharacter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::size_t kUuidLength = 36;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// A long hexadecimal word with digits in it.
bool isHexWord(std::string_view word)
{
    constexpr std::size_t kShortest = 8;
    return word.size() >= kShortest && std::ranges::all_of(word, isHexDigit)
           && std::ranges::any_of(word, isDigit);
}

/// How much of what begins `rest` differs from key to key.
std::size_t variableLength(std::string_view rest, bool isInWord)
{
    if (!isInWord) {
        if (decoders::isUuid(rest.substr(0, kUuidLength))) {
            return kUuidLength;
        }
        const auto end = std::ranges::find_if_not(rest, isWordCharacter);
        const std::string_view word = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
        if (isHexWord(word)) {
            return word.size();
        }
    }
    return static_cast<std::size_t>(std::ranges::find_if_not(rest, isDigit) - rest.begin());
}

/// One character of a name as a glob pattern has it. Bytes that are no text are any byte there.
std::string inGlob(char c, bool isText)
{
    constexpr std::string_view kEscapedInGlobs = "*?[\\";
    if (!isText && static_cast<unsigned char>(c) >= 0x80) {
        return "?";
    }
    return (kEscapedInGlobs.find(c) != std::string_view::npos ? "\\" : "") + std::string(1, c);
}

} // namespace

std::vector<FormatFile> readFormatFiles(std::span<const OwnFile> formatFiles,
                                        std::vector<OwnFileProblem>& problems)
{
    std::vector<FormatFile> formats;
    for (const OwnFile& file : formatFiles) {
        auto read = readFormatFile(file.text);
        if (const auto* const error = std::get_if<FileError>(&read)) {
            problems.push_back(problemOf(file, protocol::toText(*error)));
            continue;
        }
        auto& format = std::get<FormatFile>(read);
        if (const std::optional<std::string> flaw = flawOfId(format.id, formats)) {
            problems.push_back(problemOf(file, *flaw));
            continue;
        }
        format.isOfUser = true;
        formats.push_back(std::move(format));
    }
    return formats;
}

std::vector<Treatment> readTreatments(const OwnFile& file, std::span<const Decoder> decoders,
                                      std::vector<OwnFileProblem>& problems)
{
    std::vector<Treatment> treatments;
    const auto error = protocol::readJsonFile(file.text, [&](const nlohmann::json& json) {
        const FileSection section(json, "", {"treatAs"});
        const nlohmann::json& list = section.at("treatAs");
        if (!list.is_array()) {
            section.fail("treatAs", KernelText::tr("A list is needed here."));
        }
        for (std::size_t i = 0; i < list.size(); ++i) {
            treatments.push_back(readTreatment(list.at(i), "/treatAs/" + std::to_string(i),
                                               decoders));
        }
    });
    if (error) {
        problems.push_back(problemOf(file, protocol::toText(*error)));
    }
    return treatments;
}

bool isTreatable(const Decoder& decoder)
{
    return decoder.quorumRole != QuorumRole::Lock;
}

std::vector<Treatment> withTreatment(std::vector<Treatment> treatments, Treatment newest)
{
    std::erase_if(treatments,
                  [&newest](const Treatment& earlier) { return earlier.names == newest.names; });
    treatments.insert(treatments.begin(), std::move(newest));
    return treatments;
}

std::string treatmentsText(std::span<const Treatment> treatments)
{
    nlohmann::json list = nlohmann::json::array();
    for (const Treatment& treatment : treatments) {
        list.push_back({{"keys", treatment.names},
                        {"format", treatment.isNoLock() ? kNotALock : treatment.format}});
    }
    return nlohmann::json{{"treatAs", std::move(list)}}.dump(
               2, ' ', false, nlohmann::json::error_handler_t::replace)
           + '\n';
}

FormatTablePtr tableOf(std::span<const OwnFile> formatFiles, const OwnFile& treatmentsFile,
                       FormatTablePtr previous, std::vector<OwnFileProblem>& problems)
{
    std::vector<FormatFile> formats = readFormatFiles(formatFiles, problems);
    std::vector<Treatment> treatments;
    if (!treatmentsFile.text.empty()) {
        const auto table = std::make_shared<const FormatTable>(formats, treatments, nullptr);
        treatments = readTreatments(treatmentsFile, table->decoders(), problems);
    }
    return std::make_shared<const FormatTable>(std::move(formats), std::move(treatments),
                                               std::move(previous));
}

std::string nameAsPattern(std::string_view key)
{
    std::string pattern;
    for (const char c : key) {
        pattern += inGlob(c, true);
    }
    return pattern;
}

std::string namesLike(std::string_view key)
{
    const bool isText = isUtf8(key);
    std::string names;
    std::size_t at = 0;
    bool isInWord = false; // hexadecimal words begin where words do
    while (at < key.size()) {
        if (const std::size_t length = variableLength(key.substr(at), isInWord)) {
            names += names.ends_with('*') ? "" : "*";
            at += length;
            isInWord = true;
            continue;
        }
        isInWord = isWordCharacter(key[at]);
        names += inGlob(key[at++], isText);
    }
    return names;
}

} // namespace lockscope::inspect
