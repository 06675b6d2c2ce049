#pragma once

#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/store/endpoint.h"
#include "core/operations/owner_names.h"
#include "core/service/release_desk.h"
#include "ui/models/locks/color_rules.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace lockscope::widgets {

/// What turns a lock into words besides the lock itself.
struct FactContext {
    Instant now{};
    WallTime wallNow{};
    std::vector<store::Endpoint> endpoints; // by LockId::server
    inspect::FormatTablePtr formats = inspect::builtinFormatTable();
    /// The colour rule that marks a lock, null for none; may be empty. The rule lasts no longer
    /// than the call.
    std::function<const models::ColorRule*(const inspect::LockRecord&)> ruleOf{};
    operations::OwnerNamesPtr owners{}; // as the user calls them; null: nobody is named
    /// The master of a server that is a replica, by its address, with all restrictions that are
    /// known of either of them; may be empty.
    std::function<store::Endpoint(std::size_t server, const std::string& master)> masterOf{};
};

/// One labelled line of the details panel.
struct Fact {
    enum class Look { Plain, Mono, Quiet, Alarm };

    QString label;
    QString value;
    Look look = Look::Plain;

    friend bool operator==(const Fact&, const Fact&) = default;
};

/// Everything that is known of the lock, in the order of a reader's questions. What is not known
/// says so. `details` may be null while the lock is being read.
std::vector<Fact> factsOf(const inspect::LockRecord& lock, const operations::LockDetails* details,
                          const FactContext& context);

/// What a single reading tells of a hold: who, how deep, until when.
std::vector<Fact> holdFactsOf(const inspect::LockRecord& lock, const FactContext& context);

/// The facts on which a decision to release rests: who, how deep, until when, renewing or silent,
/// who waits, and as what it was recognised, on which servers and in which keys.
std::vector<Fact> releaseFactsOf(const inspect::LockRecord& lock, const FactContext& context);

/// What a single reading cannot know of a hold, and the watch does: since when, its renewals,
/// and its waiters. `fresh` with that, if `watched` is the same hold; else `fresh` as it is.
inspect::LockRecord withHistoryOf(inspect::LockRecord fresh, const inspect::LockRecord& watched);

/// "string · 1 byte · db 0 · evidence: value is “1”"
QString summaryLine(const inspect::LockRecord& lock, const operations::LockDetails* details,
                    const FactContext& context);

/// A raw value, escaped, no longer than `kValueBytesMax` bytes of it.
struct RawValue {
    static constexpr std::size_t kValueBytesMax = 512;

    QString heading; // "Value of order:42"
    QString text;
    QString remark; // "first 512 of 104,857,600 bytes"; empty when it is all there

    friend bool operator==(const RawValue&, const RawValue&) = default;
};
std::vector<RawValue> rawValuesOf(const operations::LockDetails& details,
                                  const FactContext& context);

/// The lock's name, printable.
QString nameOf(const inspect::LockRecord& lock);

/// The owner token of the first holder, printable; empty when the format records none.
QString ownerOf(const inspect::LockRecord& lock);

/// "10.0.0.5:6379", for a Redlock row the name of the set.
QString serverTextOf(const inspect::LockId& id, const std::vector<store::Endpoint>& endpoints);

/// What a user has to type to confirm a release: the last six characters of the owner token, all of
/// a shorter one, or, for a lock without an owner, the same of its name. Never empty unless the
/// name is.
QString confirmationOf(const inspect::LockRecord& lock);
/// The same for a release of some of its holders. The whole name of the key where no owner names
/// what is ended: several holders at once, or a hold that looks like any other.
QString confirmationOf(const inspect::ReleasePlan& plan);

} // namespace lockscope::widgets
