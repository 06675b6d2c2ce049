#pragma once

#include "cli/format.h"
#include "option_parser.h"
#include "protocol/lock_protocol.h"
#include "workload/scenario.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

// The arguments of the commands that lock: protocols, run, acquire, contend.
namespace lockscope::cli {

/// Built-in protocols are shared without owning.
using ProtocolPtr = std::shared_ptr<const protocol::LockProtocol>;

struct ProtocolsArguments {
    std::vector<ProtocolPtr> protocols; // the catalogue, and behind it one of the user's own
    ProtocolPtr chosen;                 // the one to explain; null: list all
    Format format = Format::Table;
};

/// A lock to take, and how to keep it.
struct LockWish {
    ProtocolPtr protocol;
    protocol::LockRequest request;
    protocol::Renewal renewal; // off: it runs out with its lease
};

struct RunArguments {
    LockWish lock;
    Duration killAfter = std::chrono::seconds(10); // between SIGTERM and SIGKILL
    std::vector<std::string> command;              // the program and its arguments
};

struct AcquireArguments {
    LockWish lock;
    Duration hold{0};
    Format format = Format::Table;
};

struct ContendArguments {
    ProtocolPtr protocol;
    workload::Scenario scenario;
    int privateServerCount = 0; // 0: on the servers that were named
    int threadCount = 2;
    bool isPrediction = false; // --predict: by the contention model, without servers
    std::string protocolFile;  // which it was read from; empty: it is built in
    std::string ownText;       // what is in it
    std::string runFile;       // of --save-run; empty: nowhere
    Format format = Format::Table;
};

/// What was typed for one of these commands. `words` without those behind "--".
struct LockingCall {
    const app::Words& words;
    std::vector<std::string> operands; // behind the name of the command, before "--"
    std::vector<std::string> command;  // behind "--"
    Format format = Format::Table;
};

std::variant<ProtocolsArguments, app::ArgumentError> readProtocols(const LockingCall& call);
std::variant<RunArguments, app::ArgumentError> readRun(const LockingCall& call);
std::variant<AcquireArguments, app::ArgumentError> readAcquire(const LockingCall& call);
std::variant<ContendArguments, app::ArgumentError> readContend(const LockingCall& call);

} // namespace lockscope::cli
