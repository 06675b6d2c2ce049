#pragma once

#include "core/kernel/inspect/filter/filter_words.h"
#include "core/kernel/inspect/filter/lock_filter.h"
#include "core/kernel/inspect/text_pattern.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
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

/// Something that a filter can ask about a lock.
struct FilterField {
    using TextTest = bool (*)(const LockRecord&, const FilterContext&, const TextPattern&);
    /// Nullopt: not known.
    using NumberReader = std::optional<std::int64_t> (*)(const LockRecord&);
    struct Time {
        Duration (*reader)(const LockRecord&, Instant now) = nullptr;
        bool mayBeEndless = false; // Duration::max(); asked for as "none" and "never"
    };
    struct Values {
        std::size_t count = 0;
        std::string_view (*idAt)(std::size_t index) = nullptr;
        std::uint32_t (*bitsOf)(const LockRecord& record) = nullptr; // the values that the lock has
        bool isSet = false; // a lock may have several or none: asked for as "any" and "none"
    };

    std::string_view name{};
    std::variant<TextTest, Values, NumberReader, Time> meaning{};
    bool isInBareWords = false; // of a text: a word without a field is looked for in it
};

/// What one word of a filter asks for: `sync`, `owner:5f0c*`, `held>10m`.
std::variant<FilterNode, FilterError> filterTerm(const FilterToken& token, FilterFields fields);

} // namespace lockscope::inspect
