#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/conduct/client_clock.h"
#include "core/kernel/conduct/proof.h"

#include <QObject>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace lockscope::service {

/// What is asked of a proof.
struct ProofOrder {
    static constexpr int kProcessesMin = 2;
    static constexpr int kProcessesMax = 8;
    static constexpr int kServersMax = 9;
    static constexpr int kReplicasMax = 5;

    std::vector<std::string> words; // that start the adapter
    Duration lease = std::chrono::seconds(2);
    conduct::ClientClock clock = conduct::ClientClock::Virtual;
    std::string workload;   // its id; empty: all that suit the adapter
    bool isProgram = false; // the words start a whole program instead of an adapter
    int processCount = 3;
    int serverCount = 1;         // independent ones, as a Redlock has them
    int replicaCount = 0;        // of each server, that the client can ask after
    bool usesRealServer = false; // instead of a simulated one
    conduct::ProofBounds bounds;
    Duration budget = std::chrono::minutes(2); // of real time
    int threadCount = 0; // runs at the same time; 0: as many as suit the cores
};

/// How a proof is doing, some five times a second.
struct ProofProgress {
    enum class Phase : std::uint8_t {
        Idle,   // none yet
        Trying, // what the adapter understands, and whether it works
        Searching,
        Finished,
        Cancelled, // what was seen until then can be had
    };

    Phase phase = Phase::Idle;
    Duration elapsed{0};
    std::uint64_t runCount = 0;
    std::uint64_t runsPerSecond = 0;
    std::size_t bugCount = 0;
    bool isStopping = false; // it was cancelled; runs that go on are waited for

    bool isUnderWay() const { return phase == Phase::Trying || phase == Phase::Searching; }
    bool isOver() const { return phase == Phase::Finished || phase == Phase::Cancelled; }
};

/// What a proof came to.
struct ProofOutcome {
    std::string mistake; // of the adapter, or why it cannot be run, in a sentence; empty: none
    conduct::AdapterTraits traits;
    conduct::Proof proof;
    /// Against which finds were shown again: "Redis 7.0.15"; empty: none is installed, or none was
    /// found.
    std::string realServer;
};

/// Searches real clients: starts processes, plays their server, and ends all of them. One proof at
/// a time. Used on the thread of its owner; signals arrive there.
class ProofRunner : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Nothing is going on, or what goes on is ended first.
    virtual void start(const ProofOrder& order) = 0;
    /// Over when the runs that go on are: within seconds.
    virtual void cancel() = 0;

    virtual const ProofProgress& progress() const = 0;
    /// Complete when it is over.
    virtual const ProofOutcome& outcome() const = 0;

Q_SIGNALS:
    void progressed(const lockscope::service::ProofProgress& progress);
    /// While it goes on, as soon as a find was replayed: a shorter one of the same promise and kind
    /// replaces an earlier one.
    void found(const lockscope::conduct::Find& find);
};

} // namespace lockscope::service
