#include "app/cli/output/near_miss_list.h"

#include "app/cli/output/lock_table.h"
#include "core/kernel/base/bytes.h"
#include "core/kernel/report/csv_text.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/report/wording.h"

#include <vector>

namespace lockscope::cli {

using inspect::NearMiss;

namespace {

template<class Use>
void forEach(std::span<const ServerFindings> servers, Use use)
{
    for (const ServerFindings& server : servers) {
        for (const NearMiss& miss : server.findings.nearMisses()) {
            use(server, miss);
        }
    }
}

std::string tableOf(std::span<const ServerFindings> servers, Instant now)
{
    std::vector<std::vector<std::string>> lines{{"KEY", "TYPE", "EXPIRES IN", "REASON"}};
    const bool areSeveral = servers.size() > 1;
    if (areSeveral) {
        lines.front().emplace_back("SERVER");
    }
    forEach(servers, [&](const ServerFindings& server, const NearMiss& miss) {
        constexpr std::size_t kKeyWidthMax = 40;
        std::vector<std::string>& line = lines.emplace_back();
        line.push_back(elidedMiddle(escaped(miss.key), kKeyWidthMax));
        line.emplace_back(inspect::nameOf(miss.type));
        line.push_back(miss.expiresAt ? report::durationText(*miss.expiresAt - now) : "never");
        line.emplace_back(miss.why);
        if (areSeveral) {
            line.push_back(server.serverName);
        }
    });
    return lines.size() > 1 ? alignedColumns(lines) : std::string();
}

std::string jsonOf(std::span<const ServerFindings> servers, Instant now)
{
    report::Json array = report::Json::array();
    forEach(servers, [&](const ServerFindings& server, const NearMiss& miss) {
        array.push_back(report::nearMissJson(miss, server.serverName, server.database, now));
    });
    return array.dump(1) + '\n';
}

std::string csvOf(std::span<const ServerFindings> servers, Instant now)
{
    std::string text = "server,db,key,type,ttlMs,why\r\n";
    forEach(servers, [&](const ServerFindings& server, const NearMiss& miss) {
        const report::Json json = report::nearMissJson(miss, server.serverName, server.database,
                                                       now);
        const std::string ttl = json["ttlMs"].is_null() ? std::string() : json["ttlMs"].dump();
        text += report::csvField(json["server"].get<std::string>()) + ','
                + std::to_string(server.database) + ','
                + report::csvField(json["key"].get<std::string>()) + ','
                + std::string(inspect::nameOf(miss.type)) + ',' + ttl + ','
                + report::csvField(std::string(miss.why)) + "\r\n";
    });
    return text;
}

} // namespace

std::string nearMissText(std::span<const ServerFindings> servers, Format format, Instant now)
{
    switch (format) {
    case Format::Json: return jsonOf(servers, now);
    case Format::Csv: return csvOf(servers, now);
    default: return tableOf(servers, now);
    }
}

} // namespace lockscope::cli
