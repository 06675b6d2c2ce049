#pragma once

#include "core/kernel/diagnosis/diagnosis.h"

#include <string>

namespace lockscope::diagnosis {

/// Collects what speaks for each reason, and what stays open. Lives for one diagnosis.
class Judge {
public:
    explicit Judge(const Observed& observed) : m_observed(observed), m_record(observed.record) {}

    /// What the keys of the lock and the watch of this hold tell.
    void judgeFlags();
    /// What the holds before tell.
    void judgeHistory();
    /// What the format knows of its readers and its queue.
    void judgeCompany();
    /// What the servers say of themselves.
    void judgeServers();

    Diagnosis takeDiagnosis();

private:
    void add(Reason reason, Risk risk, std::string evidence);
    void leaveOpen(Reason reason, std::string why);

    bool isUsualLength() const;
    Risk riskOf(inspect::Flag flag) const;
    std::string evidenceOf(inspect::Flag flag) const;
    void judgeHolder();
    void judgeSilence();
    void judgeLease();
    bool isSilent(Duration usual) const;
    void judgeEviction(const ServerFacts& facts);
    void judgeReplicas(const ServerFacts& facts);
    void judgeReplica(const ServerFacts& facts);
    void judgeClocks();
    bool isOnServer(const ServerFacts& facts) const;

    const Observed& m_observed;
    const inspect::LockRecord& m_record;
    Diagnosis m_diagnosis;
};

} // namespace lockscope::diagnosis
