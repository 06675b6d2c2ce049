#pragma once

#include "inspect/filter_words.h"
#include "inspect/lock_filter.h"

#include <memory>
#include <variant>

namespace lockscope::inspect {

/// A part of a filter: decides about one lock. Immutable, so one tree serves every thread.
class LockFilter::Node {
public:
    Node() = default;
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    virtual ~Node() = default;

    virtual bool matches(const LockRecord& record, const FilterContext& context) const = 0;
    virtual bool dependsOnTime() const { return false; }
};

using FilterNode = std::unique_ptr<const LockFilter::Node>;

/// What one word of a filter asks for: `sync`, `owner:5f0c*`, `held>10m`.
std::variant<FilterNode, FilterError> filterTerm(const FilterToken& token);

} // namespace lockscope::inspect
