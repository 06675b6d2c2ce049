#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <string_view>
#include <unordered_set>

namespace lockscope::inspect {

/// The kinds that the locks of a book are of: very few, so that each stands in memory once.
class LockKinds {
public:
    /// The one of those known that is equal, or this one, which is known from now on.
    Shared<const LockKind> shared(const LockKind& kind)
    {
        const auto known = m_kinds.find(kind);
        return known != m_kinds.end() ? *known
                                      : *m_kinds.insert(makeShared<const LockKind>(kind)).first;
    }
    /// The texts of some may be gone soon.
    void clear() { m_kinds.clear(); }

private:
    using KindPtr = Shared<const LockKind>;
    static const LockKind& kindOf(const LockKind& kind) { return kind; }
    static const LockKind& kindOf(const KindPtr& kind) { return *kind; }

    struct Hash {
        using is_transparent = void; // NOLINT(readability-identifier-naming)
        std::size_t operator()(const auto& kind) const
        {
            return std::hash<std::string_view>()(kindOf(kind).format)
                   + kindOf(kind).evidence.count();
        }
    };
    struct Equal {
        using is_transparent = void; // NOLINT(readability-identifier-naming)
        bool operator()(const auto& a, const auto& b) const { return kindOf(a) == kindOf(b); }
    };

    std::unordered_set<KindPtr, Hash, Equal> m_kinds;
};

} // namespace lockscope::inspect
