#include "core/kernel/exports/interval_csv.h"

#include "core/kernel/exports/span_words.h"
#include "core/kernel/report/csv_text.h"

#include <string_view>
#include <vector>

namespace lockscope::exports {

using trace::Chronicle;
using trace::RunLabels;
using trace::Span;

namespace {

constexpr std::string_view kHead =
    "contender,lock,kind,mode,from_us,to_us,duration_us,end,with\r\n";

/// One row; what it has no word for is empty.
struct Row {
    std::string contender;
    std::string lock;
    std::string_view kind;
    std::string_view mode;
    Instant from{};
    Instant to{};
    std::string_view end;
    std::string with;
};

std::string textOf(const Row& row, Instant origin)
{
    const std::string fields[] = {report::csvField(row.contender),
                                  report::csvField(row.lock),
                                  std::string(row.kind),
                                  std::string(row.mode),
                                  std::to_string((row.from - origin).count()),
                                  std::to_string((row.to - origin).count()),
                                  std::to_string((row.to - row.from).count()),
                                  std::string(row.end),
                                  report::csvField(row.with)};
    std::string text;
    for (const std::string& field : fields) {
        text += (&field == fields ? "" : ",") + field;
    }
    return text + "\r\n";
}

Row rowOf(const Span& span, const RunLabels& labels)
{
    const std::string_view mode = span.isRead ? "read" : "exclusive";
    return {labels.contender(span.contender),
            isOfLock(span) ? labels.lock(span.lock) : std::string(),
            wordOf(span.kind),
            isOfLock(span) ? mode : std::string_view(),
            span.from,
            span.to,
            idOf(span.end),
            {}};
}

} // namespace

std::string intervalCsv(const Chronicle& chronicle, const RunLabels& labels)
{
    std::string text(kHead);
    for (const Span& span : chronicle.spans) {
        text += textOf(rowOf(span, labels), labels.origin);
    }
    for (const trace::ServerHold& serverHold : chronicle.serverHolds) {
        text += textOf({serverHold.holder ? labels.contender(*serverHold.holder) : "",
                        labels.lock(serverHold.lock), "tenure", "", serverHold.from, serverHold.to,
                        idOf(serverHold.end),
                        serverHold.node ? labels.server(static_cast<std::size_t>(*serverHold.node))
                                        : std::string()},
                       labels.origin);
    }
    for (const trace::Overlap& overlap : chronicle.overlaps) {
        text += textOf({labels.contender(overlap.first), labels.lock(overlap.lock), "overlap", "",
                        overlap.from, overlap.to, "", labels.contender(overlap.second)},
                       labels.origin);
    }
    return text;
}

} // namespace lockscope::exports
