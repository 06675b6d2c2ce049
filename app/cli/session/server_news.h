#pragma once

#include "app/cli/output/output.h"
#include "core/kernel/inspect/watch/sweep_findings.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/server_info.h"
#include "core/service/lock_monitor.h"

#include <memory>
#include <string>
#include <vector>

namespace lockscope::cli {

/// What a command that goes on says on standard error of one server: each thing once, when it
/// changes, and not that the fifth attempt to connect failed like the fourth.
class ServerNews {
public:
    /// The output outlives this. `isDeep`: every key is read, which some servers should be spared.
    ServerNews(store::Endpoint endpoint, bool isDeep, Output& output);

    void take(const service::LinkStatus& status);
    /// Says what could not be read.
    void take(const service::SweepProgress& progress);

    /// There will be no other attempt to connect.
    bool isHopeless() const { return m_isHopeless; }
    /// What the server said of itself last.
    const store::ServerInfo& info() const { return m_info; }
    /// Of the last complete sweep; null before the first.
    const std::shared_ptr<const inspect::SweepFindings>& findings() const { return m_findings; }

private:
    void takeInfo(store::ServerInfo info);
    void complain(const std::string& sentence) const;

    store::Endpoint m_endpoint;
    bool m_isDeep;
    Output* m_output;
    std::string m_reported; // the last sentence about the connection
    bool m_isHopeless = false;
    store::ServerInfo m_info;
    std::shared_ptr<const inspect::SweepFindings> m_findings;
};

/// One for each server.
std::vector<ServerNews> newsOf(const std::vector<store::Endpoint>& endpoints, bool isDeep,
                               Output& output);

} // namespace lockscope::cli
