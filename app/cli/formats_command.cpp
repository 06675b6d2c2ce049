#include "cli/formats_command.h"

#include "cli/lock_table.h"
#include "inspect/decoder.h"
#include "report/lock_json.h"

namespace lockscope::cli {

namespace {

std::string formatsTable()
{
    std::vector<std::vector<std::string>> lines = {{"FORMAT", "LIBRARY", "DESCRIPTION"}};
    for (const inspect::Decoder& decoder : inspect::builtinDecoders()) {
        lines.push_back({std::string(decoder.id),
                         decoder.library.empty() ? "–" : std::string(decoder.library),
                         std::string(decoder.summary)});
    }
    return alignedColumns(lines);
}

std::string formatsJson()
{
    std::string text = "[";
    for (const inspect::Decoder& decoder : inspect::builtinDecoders()) {
        report::Json entry;
        entry["id"] = decoder.id;
        entry["library"] = decoder.library.empty() ? report::Json(nullptr)
                                                   : report::Json(decoder.library);
        entry["title"] = decoder.title;
        entry["summary"] = decoder.summary;
        text += (text.size() == 1 ? "\n" : ",\n") + entry.dump();
    }
    return text + "\n]\n";
}

} // namespace

std::string formatsText(Format format)
{
    return format == Format::Json ? formatsJson() : formatsTable();
}

} // namespace lockscope::cli
