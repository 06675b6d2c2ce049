#pragma once

#include "core/kernel/inspect/filter/filter_terms.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/report/lock_sort_key.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockscope::report {

/// The columns of the table in the window, in the order in which they stand at first.
enum LockColumn {
    KeyColumn,
    FormatColumn,
    ConfidenceColumn,
    ModeColumn,
    OwnerColumn,
    HoldsColumn,
    ExpiresColumn,
    HeldColumn,
    RenewalsColumn,
    WaitersColumn,
    ServerColumn,
    NodeColumn,
    SlotColumn,
    WhyColumn,
    ColumnCount
};

/// A lock as it is shown. `serverName` as lockJson() takes it.
struct LockView {
    const inspect::LockRecord& record;
    std::string_view serverName;
    int database = 0;
    Instant now{};
};

/// Something that is known of a lock, and all the places that show it or ask for it: a new field
/// is added here only. A place that is not named here does not have it.
struct LockField {
    /// In the window's table. Its cell says what `text` says unless models/lock_cells knows better.
    struct Column {
        LockColumn column{};
        std::string (*title)() = nullptr;
        std::string (*explanation)() = nullptr;
        bool isNumber = false;
        struct Width { // in characters
            int usual = 0;
            int least = 0;
            int share = 0; // of the room that is left over
        };
        Width width{};
        /// Where the room is too narrow for all columns: 1 is the first to go. 0: it stays; without
        /// key, owner, expiry, holds and mode nobody can judge a lock.
        int givesWay = 0;
        /// A column is sorted by numbers or by a text, which points into the record.
        SortKey (*sortNumber)(const inspect::LockRecord& record) = nullptr;
        std::string_view (*sortText)(const inspect::LockRecord& record) = nullptr;
        /// Whether the cell says something else than before. What only follows the time, the
        /// renewals, and what is known for the first time are no news.
        bool (*isNews)(const inspect::LockRecord& before,
                       const inspect::LockRecord& after) = nullptr;
        bool isForClusters = false; // left out where no lock is in one

        SortKey sortKey(const inspect::LockRecord& record) const
        {
            return sortNumber != nullptr ? sortNumber(record) : sortKeyOfText(sortText(record));
        }
    };
    /// In the table of `lockscope-cli list`.
    struct Terminal {
        int place = 0; // counted from 1
        std::string_view title{};
        std::optional<std::string_view> usual{}; // a column of nothing else is left out
        bool isForSeveralServers = false;
    };

    struct JsonMember {
        std::string_view name{};
        Json (*value)(const LockView& view) = nullptr; // "discarded": not this time
        bool isInCsv = false;
    };
    struct CsvField {
        std::string_view name{};
        std::string (*text)(const LockView& view) = nullptr;
    };

    Column column{};
    std::string (*text)(const LockView& view) = nullptr; // for people, in a line
    Terminal terminal{};
    inspect::FilterField filter{};
    JsonMember json{};
    CsvField csv{}; // where CSV says something else than JSON

    bool hasColumn() const { return column.title != nullptr; }
    bool hasTerminal() const { return terminal.place > 0; }
    std::string_view csvName() const { return json.isInCsv ? json.name : csv.name; }
};

/// In the order of the JSON members, which is documented.
std::span<const LockField> lockFields();

const LockField& lockField(LockColumn column);

/// What can be filtered by, in the order of the alphabet.
std::span<const inspect::FilterField> lockFilterFields();

std::string ownerText(const inspect::LockRecord& record);                // "3 holders"; "–": none
std::string expiresText(const inspect::LockRecord& record, Instant now); // "28.4 s", "never"
std::string formatText(const inspect::LockRecord& record);               // "redlock 2 of 3"

} // namespace lockscope::report
