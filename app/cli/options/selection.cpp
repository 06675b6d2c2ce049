#include "app/cli/options/selection.h"

#include "app/arguments.h"
#include "core/kernel/report/lock_fields.h"

#include <utility>

namespace lockscope::cli {

namespace {

std::string readFilter(const std::string& text, inspect::LockFilter& filter)
{
    auto parsed = inspect::LockFilter::parse(text, report::lockFilterFields());
    if (const auto* const error = std::get_if<inspect::FilterError>(&parsed)) {
        return error->reason + " (at character " + std::to_string(error->at + 1) + ')';
    }
    filter = std::move(std::get<inspect::LockFilter>(parsed));
    return {};
}

} // namespace

bool Selection::isAboutLock(const inspect::LockRecord& record) const
{
    return hasProbablyData || !record.flags.has(inspect::Flag::ProbablyData);
}

void declareSelection(app::OptionSet& options, Selection& selection)
{
    const auto read = [&filter = selection.filter](const std::string& text) {
        return readFilter(text, filter);
    };
    options.add("filter", "EXPR", read,
                "Only locks that match, e.g. \"flag:no-expiry\", \"held>10m\",\n\"owner=worker-7 "
                "or ttl<5s\". The fields are those of the window.");
    app::declareSweepOptions(options, selection.isDeep, selection.patterns);
    options.addSwitch("probably-data", selection.hasProbablyData,
                      "Also the keys that are probably data: their names sound like locks,\nbut "
                      "their values do not.");
}

} // namespace lockscope::cli
