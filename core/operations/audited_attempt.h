#pragma once

#include "core/kernel/base/clock.h"
#include "core/kernel/base/rng.h"
#include "core/kernel/protocol/identity.h"
#include "core/kernel/report/audit_json.h"
#include "core/operations/audit_log.h"

#include <string>
#include <utility>

namespace lockscope::operations {

/// Where attempts are written down, and what all of their lines say.
struct AuditBook {
    Clock& clock;
    AuditLog& log;
    report::AuditAuthor author;
    Rng rng;             // for ids that are unique among all programs that share the log
    std::string failure; // why an outcome is not in the log; empty: all of them are
};

/// What a report says of an attempt that could not be announced.
inline std::string notWrittenSentence(const std::string& failure)
{
    return "The attempt could not be written to the audit file, so nothing was sent (" + failure
           + ").";
}

/// One attempt on one server. Even if its task is dropped at any moment: what `report` says when
/// this ends is written down. `Report`: one that auditOutcomeJson() takes; it outlives this.
template<class Report>
class AuditedAttempt {
public:
    AuditedAttempt(AuditBook& book, report::AuditAttempt line, const Report& report)
        : m_book(book),
          m_line(std::move(line)),
          m_report(report)
    {
        m_line.id = protocol::randomUuid(book.rng);
        m_line.author = book.author;
    }

    ~AuditedAttempt()
    {
        if (m_isToEnd) {
            const WallTime now = m_book.clock.wallNow();
            append(report::auditOutcomeJson(m_line, m_report, now), m_book.failure);
        }
    }

    AuditedAttempt(const AuditedAttempt&) = delete;
    AuditedAttempt& operator=(const AuditedAttempt&) = delete;

    void setNode(std::string node) { m_line.node = std::move(node); }

    /// Says what is about to be done. Empty when that is on disk; otherwise this is over.
    std::string announce()
    {
        std::string failure;
        append(report::auditIntentJson(m_line, m_book.clock.wallNow()), failure);
        m_isToEnd = failure.empty();
        return failure;
    }

private:
    void append(const report::Json& json, std::string& failure)
    {
        std::string reason = m_book.log.append(json.dump());
        if (!reason.empty()) {
            failure = std::move(reason);
        }
    }

    AuditBook& m_book;
    report::AuditAttempt m_line;
    const Report& m_report;
    bool m_isToEnd = true;
};

} // namespace lockscope::operations
