#pragma once

#include "app/cli/commands/command.h"
#include "app/cli/options/audited_action.h"
#include "app/cli/options/listen_address.h"
#include "app/cli/options/lock_acquisition.h"
#include "app/cli/options/protocol_choice.h"
#include "app/cli/options/search_subject.h"
#include "app/cli/options/selection.h"
#include "app/cli/output/run_outputs.h"
#include "app/cli/session/prove_order.h"
#include "core/kernel/base/bytes.h"
#include "core/kernel/base/time.h"
#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/protocol/own_lock.h"
#include "core/kernel/report/advice.h"
#include "core/kernel/report/audit_trail.h"
#include "core/kernel/workload/scenario.h"
#include "core/operations/access_rules.h"
#include "core/operations/command_feed.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The commands of lockscope-cli: what each is told, and what makes it.
namespace lockscope::cli {

struct ListArguments {
    Selection selection;
    Format format = Format::Table;
    bool listsNearMisses = false; // instead of the locks
};

struct WatchArguments {
    Selection selection;
    Format format = Format::Json;
};

struct ExportArguments {
    ListenAddress address{QHostAddress(QHostAddress::LocalHost), 9469};
    std::vector<std::string> environments; // none, one for all servers, or one for each
    std::vector<std::string> keyPatterns;  // of the locks whose names are exported
    Selection selection;
};

struct ShowArguments {
    Bytes key;
    Duration watchFor{0}; // before it is explained; 0: one look is enough
    Format format = Format::Table;
};

/// The owner as it was typed: the bytes as they are, or in escaped form.
struct OwnerToken {
    std::string text;

    bool means(std::string_view owner) const;
    /// True if it names the hold that the plan would end. A format without owners is named by what
    /// the release compares, or by nothing at all.
    bool names(const inspect::ReleasePlan& plan) const;
};

/// What a release leaves in the place of a lock that a renewal would create again.
struct Tombstone {
    std::optional<Duration> stay; // nullopt: until the holder must have tried to renew
};

struct ReleaseArguments : AuditedAction {
    Bytes key;
    OwnerToken owner;
    bool isAll = false;                // all holders, instead of `owner`
    bool isMinority = false;           // only votes that are left over
    std::optional<Duration> followFor; // how long to watch who comes next; nullopt: as usual
    std::optional<Tombstone> tombstone;
    std::string asFormat; // the format that the key is said to be of; empty: what it looks like
    Format format = Format::Table;
};

struct DisconnectArguments : AuditedAction {
    Bytes key;
    OwnerToken owner;
    std::uint64_t client = 0; // its number; 0: only look
    Format format = Format::Table;
};

struct AuditArguments {
    std::string file; // empty: the default one
    bool isVerification = false;
    std::string expectedHash; // of a line that must still be there; empty: none
    report::AuditFilter filter;
    std::optional<Duration> sinceAgo; // instead of filter.since
    Format format = Format::Table;
};

struct FormatsArguments {
    std::string fileToCheck; // instead of the list; empty: none
    Format format = Format::Table;
};

struct TreatArguments {
    std::string names;        // a pattern; empty: list what is remembered
    std::string asFormat;     // the format id; empty: one of the others
    bool isNoLock = false;    // instead
    bool isForgotten = false; // instead
    Format format = Format::Table;
};

struct TreeArguments {
    Duration watchFor{0}; // before the locks are printed; 0: one look is enough
    Format format = Format::Table;
};

struct WhoArguments {
    Bytes key;
    operations::FeedLimits limits;
    Format format = Format::Table;
};

struct DoctorArguments {
    Duration watchFor{0}; // before the servers are judged; 0: one look is enough
    Format format = Format::Table;
};

struct AclArguments {
    operations::Access access;
    bool isOfSentinels = false;                       // their user, and not that of the servers
    std::optional<operations::ServerVersion> version; // nullopt: that of the servers
    std::string user;
    Format format = Format::Table;
};

struct RunArguments {
    LockAcquisition lock;
    Duration killAfter = std::chrono::seconds(10); // between SIGTERM and SIGKILL
    std::vector<std::string> command;              // the program and its arguments
};

struct AcquireArguments {
    LockAcquisition lock;
    Duration hold{0};
    Format format = Format::Table;
};

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

struct ProtocolsArguments {
    std::vector<ProtocolPtr> protocols; // the catalogue, and behind it one of the user's own
    ProtocolPtr chosen;                 // the one to explain; null: list all
    Format format = Format::Table;
};

struct ExploreArguments {
    SearchSubject subject;
    search::Bounds bounds;
};

struct SimulateArguments {
    SearchSubject subject;
    std::uint64_t seed = 1;
    std::uint64_t runCount = 10'000;
};

struct ReplayArguments {
    std::string fileName;
    report::CounterexampleFile example;
    std::optional<report::RunFile> record; // instead of an example: a run that is only looked at
    std::optional<ProveOrder> proof;       // instead: what a real client is to show again
    RunOutputs outputs;
    bool isLive = false; // on real servers, too
    Format format = Format::Text;
};

struct MatrixArguments {
    std::vector<report::SavedProtocol> protocols;
    std::vector<world::FaultKind> faults;
    std::vector<search::Harm> never;         // what must not happen
    std::vector<world::FaultGroup> unfolded; // groups with a column per fault
    search::Bounds bounds;
    int threadCount = 0;
    std::optional<pool::Shard> shard; // nullopt: everything
    Format format = Format::Table;
};

struct MergeArguments {
    int threadCount = 0;
    std::string saveFile; // where the counterexample goes; empty: nowhere
    std::string runFile;  // of --save-run; empty: nowhere
    Format format = Format::Text;
};

struct AdviseArguments {
    report::AdviceQuestion question;
    std::vector<report::SavedProtocol> protocols;
    search::Bounds bounds;
    int threadCount = 0;
    Format format = Format::Table;
};

struct LintArguments {
    std::string fileName;
    report::SavedProtocol protocol;
    protocol::OwnLockPlan plan; // of the same file
    std::vector<world::FaultKind> faults;
    search::Bounds bounds;
    int threadCount = 0;
    Format format = Format::Table;
};

struct ProveArguments {
    ProveOrder order;
    std::string adapter;       // a line for the shell; empty: the words are in `order`
    std::string_view skeleton; // of an adapter, to be printed; empty: something is to be proved
    Format format = Format::Text;
};

struct CompletionArguments {
    std::string shell; // one that is known
};

/// `list`: one complete look at every server, then everything at once, or nothing.
std::unique_ptr<Command> listCommand();
/// `watch`: prints changes until it is interrupted or its output is closed.
std::unique_ptr<Command> watchCommand();
/// `export`: serves metrics until it is interrupted.
std::unique_ptr<Command> exportCommand();
/// `show KEY`: one lock explained.
std::unique_ptr<Command> showCommand();
/// `release KEY --owner TOKEN`: looks, compares, releases, writes it down, and sees who comes next.
std::unique_ptr<Command> releaseCommand();
/// `disconnect KEY --owner TOKEN --client ID`: closes the connection of a holder.
std::unique_ptr<Command> disconnectCommand();
/// `audit`: past attempts to release, and whether their record is as it was written.
std::unique_ptr<Command> auditCommand();
/// `formats`: every format that is recognised, one line or object each.
std::unique_ptr<Command> formatsCommand();
/// `treat PATTERN`: what some names are treated as, remembered; or the list of it.
std::unique_ptr<Command> treatCommand();
/// `acl`: prints what a user of Redis has to be allowed.
std::unique_ptr<Command> aclCommand();
/// `tree`: who waits behind whom.
std::unique_ptr<Command> treeCommand();
/// `who KEY`: which clients act on a lock.
std::unique_ptr<Command> whoCommand();
/// `doctor`: what in the set-up of a server will hurt its locks.
std::unique_ptr<Command> doctorCommand();
/// `run`: holds a lock around a command.
std::unique_ptr<Command> runCommand();
/// `acquire`: takes a lock, keeps it for a while, gives it back.
std::unique_ptr<Command> acquireCommand();
/// `contend`: runs contenders until the time is over or an interrupt comes, and reports.
std::unique_ptr<Command> contendCommand();
/// `protocols`: the catalogue, or one protocol explained.
std::unique_ptr<Command> protocolsCommand();
/// `explore`: looks at every run within the bounds; verdicts and the shortest counterexample.
std::unique_ptr<Command> exploreCommand();
/// `simulate`: seeded random runs in virtual time.
std::unique_ptr<Command> simulateCommand();
/// `replay`: runs a saved counterexample again, or tells a saved run.
std::unique_ptr<Command> replayCommand();
/// `matrix`: protocols and faults, each cell a verdict.
std::unique_ptr<Command> matrixCommand();
/// `merge FILE...`: puts the shares of a search together.
std::unique_ptr<Command> mergeCommand();
/// `advise`: which protocol holds, what it costs, and what would help where none does.
std::unique_ptr<Command> adviseCommand();
/// `lint FILE`: what is wrong or suspicious about a protocol of the user's own.
std::unique_ptr<Command> lintCommand();
/// `prove`: real clients under a conductor.
std::unique_ptr<Command> proveCommand();

/// `completion SHELL`: what a shell reads to complete calls.
std::unique_ptr<Command> completionCommand();

using CommandMaker = std::unique_ptr<Command> (*)();

/// All commands, in the order of the help.
std::span<const CommandMaker> allCommands();

} // namespace lockscope::cli
