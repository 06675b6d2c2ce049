#include "core/kernel/protocol/json_file.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/protocol/file_section.h"
#include "core/kernel/protocol/json_places.h"

#include <utility>

namespace lockscope::protocol {

using nlohmann::json;

namespace {

/// "[json.exception.parse_error.101] parse error at line 3, column 5: what is wrong".
std::string reasonIn(std::string_view what)
{
    const std::size_t column = what.find("column ");
    const std::size_t colon = column == std::string_view::npos ? what.find(": ")
                                                               : what.find(": ", column);
    return colon == std::string_view::npos ? std::string(what)
                                           : std::string(what.substr(colon + 2));
}

/// Where the number stands that the parser could not hold: it quotes the number, and says no place.
std::size_t placeOfNumber(std::string_view text, std::string_view what)
{
    const std::size_t begin = what.find('\'');
    const std::size_t end = what.rfind('\'');
    if (begin == std::string_view::npos || end <= begin) {
        return 0;
    }
    const std::size_t place = text.find(what.substr(begin + 1, end - begin - 1));
    return place != std::string_view::npos ? place : 0;
}

FileError errorAt(TextPlace place, std::string reason)
{
    return {place.line, place.column, std::move(reason), {}};
}

std::string placeIn(const FileError& error)
{
    if (error.line > 0) {
        return KernelText::tr("line %1, column %2", error.line, error.column);
    }
    return error.member.empty() ? KernelText::tr("byte %1", error.column) : error.member;
}

} // namespace

std::optional<FileError> readJsonFile(std::string_view text,
                                      const std::function<void(const json&)>& read)
{
    json parsed;
    try {
        parsed = json::parse(text);
    } catch (const json::parse_error& error) {
        return errorAt(placeAt(text, error.byte > 0 ? error.byte - 1 : 0),
                       KernelText::tr("Invalid JSON: %1.", reasonIn(error.what())));
    } catch (const json::out_of_range& error) {
        return errorAt(placeAt(text, placeOfNumber(text, error.what())),
                       KernelText::tr("This number is too large."));
    }
    const JsonPlaces places(text);
    if (places.repeated()) {
        return errorAt(places.repeatedPlace(), KernelText::tr("Duplicate member."));
    }
    try {
        read(parsed);
    } catch (const FileFault& fault) {
        return errorAt(places.of(fault.path), fault.reason);
    }
    return std::nullopt;
}

std::string toText(const FileError& error)
{
    return placeIn(error) + ": " + error.reason;
}

} // namespace lockscope::protocol
