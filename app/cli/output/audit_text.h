#pragma once

#include "core/kernel/report/audit_trail.h"

#include <string>
#include <vector>

// The audit file for people at a terminal, and for scripts.
namespace lockscope::cli {

/// A line for each attempt; empty without any.
std::string auditTable(const std::vector<const report::AuditRecord*>& records);

/// What the verification of a file came to.
struct AuditVerdict {
    std::string file;
    const report::AuditChainState& chain;
    std::string expectedHash; // empty: none was given
};

std::string verdictText(const AuditVerdict& verdict);
std::string verdictJson(const AuditVerdict& verdict);

} // namespace lockscope::cli
