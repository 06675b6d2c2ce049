#pragma once

#include "core/kernel/report/advice.h"
#include "core/kernel/search/remedies.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

// Whether what could be done about a protocol helps: asked of a search, as everything in an advice.
namespace lockscope::report {

struct RemedyCheck {
    std::vector<search::Remedy> remedies; // together
    std::string protocol;
    std::vector<CellReport> cells; // of the protocol with the remedies, once they are searched
};

/// The search of a check: the faults of the question, one task each.
std::vector<search::SearchTask> tasksOf(
    const RemedyCheck& check, const std::shared_ptr<const protocol::LockProtocol>& protocol,
    const AdviceQuestion& question, const search::Bounds& bounds);

/// Where nothing suits, what would help is searched in two rounds: one thing at a time, and if that
/// makes no protocol hold, two together. Protocols that break on a good day are past help.
class RemedyRounds {
public:
    RemedyRounds() = default; // nothing is searched
    /// `protocols` are those of the advice, and outlive the rounds.
    RemedyRounds(Advice& advice, AdviceQuestion question,
                 std::vector<const protocol::ProtocolInfo*> protocols);

    /// Of the round that is due; empty: none is left. Not more than some dozens, and a dozen of
    /// pairs, the least first: each is a row of the matrix.
    std::span<const RemedyCheck> checks() const { return m_open; }
    bool arePairs() const { return m_arePairs; }

    /// What came of all tasks of these checks, in their order: lists in the advice, which is the
    /// same as before, that with which nothing broke under any fault of the question. Then the next
    /// round is due.
    void take(Advice& advice, std::span<const CellReport> cells);

private:
    void beginPairs(Advice& advice);
    void addSingles(Advice& advice) const;
    void addPairs(Advice& advice) const;
    ProtocolAdvice adviceWith(const RemedyCheck& check) const;
    const protocol::ProtocolInfo& infoOf(std::string_view id) const;

    AdviceQuestion m_question;
    std::vector<const protocol::ProtocolInfo*> m_protocols;
    std::vector<RemedyCheck> m_open;
    std::vector<RemedyCheck> m_done;
    bool m_arePairs = false;
};

} // namespace lockscope::report
