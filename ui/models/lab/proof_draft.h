#pragma once

#include "core/kernel/report/run/run_file.h"
#include "core/service/proof_runner.h"

#include <QString>

#include <string>
#include <vector>

namespace lockscope::models {

/// With what a real client is to be proved, as it is typed.
struct ProofDraft {
    QString command; // that starts the adapter, a line for the shell
    QString lease = QStringLiteral("2s");
    QString budget = QStringLiteral("2m");
    conduct::ClientClock clock = conduct::ClientClock::Virtual;
    bool asksForHonestLeases = false;
    int processCount = service::ProofOrder().processCount;
    int serverCount = service::ProofOrder().serverCount;
    int replicaCount = service::ProofOrder().replicaCount; // of each; a real server has none
    bool usesRealServer = false;

    friend bool operator==(const ProofDraft&, const ProofDraft&) = default;
};

/// What was read, and what is wrong with it; empty: nothing.
struct ParsedProof {
    service::ProofOrder order;
    QString commandError;
    QString leaseError;
    QString budgetError;

    bool isGood() const
    {
        return commandError.isEmpty() && leaseError.isEmpty() && budgetError.isEmpty();
    }
};

ParsedProof readProofDraft(const ProofDraft& draft);

/// What lockscope-cli is told to do the same.
QString proveCommand(const ProofDraft& draft);
/// The same for one find alone.
QString replayCommand(const ProofDraft& draft, const conduct::Find& find);

/// The run of a find.
report::RunFile runOf(const ProofDraft& draft, const conduct::Find& find);
/// What it rests on, while the search goes on; with an outcome, what the whole search came to.
std::vector<std::string> assumptionsOf(const conduct::Find& find,
                                       const service::ProofOutcome* outcome);
/// "Shortest so far · 10 of 10 replays", for the heading of its story; with an outcome "Story · 10
/// of 10 replays · 9 of 10 on Redis 7.0.15".
QString proofStoryTitle(const conduct::Find& find, const service::ProofOutcome* outcome);

/// "python3 adapter.py: permanent-lock", for a tab.
QString proofTitle(const ProofDraft& draft, const conduct::Find& find);

/// Of a proof that found nothing, or could not be carried out: one sentence, and what there is to
/// know besides.
struct ProofNotice {
    QString text;
    QString detail;
};

ProofNotice noticeOf(const service::ProofOutcome& outcome, const service::ProofOrder& order);

/// An example of what an adapter is told and answers, with this lease.
QString dialogueExample(const ProofDraft& draft);

} // namespace lockscope::models
