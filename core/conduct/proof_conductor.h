#pragma once

#include "core/kernel/base/clock.h"
#include "core/service/proof_runner.h"

#include <QTimer>

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>

namespace lockscope::conduct {

struct AdapterSetting;

/// The proof runner of both programs.
class ProofConductor final : public service::ProofRunner {
    Q_OBJECT
public:
    /// The clock, of the owner's thread, outlives it: it tells how fast the search is.
    explicit ProofConductor(const Clock& clock, QObject* parent = nullptr);
    /// Runs that go on are waited for.
    ~ProofConductor() override;

    void start(const service::ProofOrder& order) override;
    void cancel() override;
    const service::ProofProgress& progress() const override { return m_progress; }
    const service::ProofOutcome& outcome() const override { return m_outcome; }

private:
    void conduct(std::uint64_t number);
    bool isBefore(Instant end) const; // and it is not cancelled
    void search(std::uint64_t number);
    void checkOnRealServer(AdapterSetting setting);
    void tellOwner(std::uint64_t number, std::function<void()> news);
    void look();
    void finish();
    void join();

    const Clock& m_clock;
    QTimer m_ticker;
    service::ProofOrder m_order;
    service::ProofProgress m_progress;
    service::ProofOutcome m_outcome; // of the thread until it has finished
    Instant m_begin{};
    std::uint64_t m_number = 0; // of the proof, from 1
    std::atomic<bool> m_isCancelled{false};
    std::atomic<bool> m_isSearching{false}; // it has been tried
    std::atomic<std::uint64_t> m_runCount{0};
    std::atomic<std::size_t> m_bugCount{0};
    std::thread m_thread; // last: it uses the others
};

} // namespace lockscope::conduct
