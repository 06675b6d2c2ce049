#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/options/protocol_choice.h"
#include "core/kernel/workload/scenario.h"

#include <memory>
#include <string>

namespace lockscope::cli {

struct ContendArguments {
    ProtocolPtr protocol;
    workload::Scenario scenario;
    int privateServerCount = 0; // 0: on the servers that were named
    int threadCount = 2;
    bool isPrediction = false;   // --predict: by the contention model, without servers
    bool isPredictedToo = false; // --with-prediction: beside what was measured
    std::string protocolFile;    // which it was read from; empty: it is built in
    std::string ownText;         // what is in it
    std::string runFile;         // of --save-run; empty: nowhere
    Format format = Format::Table;
};

/// `contend`: runs contenders until the time is over or an interrupt comes, and reports.
std::unique_ptr<Command> contendCommand();

} // namespace lockscope::cli
