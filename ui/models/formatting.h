#pragma once

#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/lock_record.h"

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <concepts>
#include <cstdint>
#include <string_view>

// The words of the kernel as Qt strings, and the texts of the table's cells. Text only: colours and
// icons are the delegates' business.
namespace lockscope::models {

QString toQString(std::string_view utf8);

/// "one, two, three", with the comma of the language.
QString listed(const QStringList& texts);

/// Any bytes as one line of printable text; what is longer than `maxBytes` ends in an ellipsis.
QString bytesText(std::string_view bytes, std::size_t maxBytes = 4096);

/// "28.4 s", "2 m 05 s"
QString durationText(Duration duration);

/// "1,000,412"
QString countText(std::int64_t count);
template<std::unsigned_integral Count>
QString countText(Count count)
{
    return countText(static_cast<std::int64_t>(count));
}

/// "1 step", "1,412 steps"
QString countedText(std::int64_t count, const QString& one, const QString& many);

/// From now on all times of day of the window are in UTC, or else in the zone of this machine. Like
/// the language it holds for the whole program. GUI thread.
void showTimesInUtc(bool isUtc);

/// The time as it is to be shown.
QDateTime shownTime(WallTime time);

/// "14:03:22.123", as shownTime().
QString timeOfDayText(WallTime time);

/// "Redisson", "Redlock 2 of 3"
QString formatText(const inspect::LockRecord& record,
                   const inspect::Recognisers& recognisers = inspect::builtinDecoders());

/// "exclusive", "read × 3"
QString modeText(const inspect::LockRecord& record);

/// "4"; "4 ↑" when it only ever grows.
QString holdsText(const inspect::LockRecord& record);

/// "2 of 3": the servers of a Redlock set that have the lock.
QString quorumText(const inspect::Quorum& quorum);

/// What one of several holders is called; those of a kind are counted from 1: "reader 2", "writer".
QString holderTitle(const inspect::LockRecord& record, int holderIndex);

/// The owner's token; "3 holders" for several, "not recorded" when the format has none.
QString ownerText(const inspect::LockRecord& record);
QString ownerText(const inspect::Holder& holder);

/// What is known of the client behind it: its name, or else its address; empty when nothing is.
QString clientText(const inspect::LockRecord& record);
QString clientText(const inspect::Holder& holder);

/// True when there is one holder and its token is known: the text is a token, not a sentence.
bool isOwnerKnown(const inspect::LockRecord& record);

/// When the holder's grant ends: its own end where it has one, the lock's otherwise. nullopt:
/// never.
std::optional<Instant> endOf(const inspect::LockRecord& record, int holderIndex);

/// `field:value` as the filter reads it: the value in quotes where it would read something else
/// into it. `isPrefix`: whatever begins with the value; the wildcard stands outside of the quotes.
QString filterWord(const QString& field, const QString& value, bool isPrefix);

/// "28.4 s", "never", "due" when the predicted end has passed and the server has not confirmed it
/// yet.
QString expiresText(std::optional<Instant> end, Instant now);

/// "41 m"; "≥ 41 m" when it was held already at the first look.
QString heldText(const inspect::LockRecord& record, Instant now);

/// "17"; "–" for none, "?" when the server cannot know.
QString waitersText(const inspect::LockRecord& lock);

/// Words for a lock that is gone: "released", "expired".
QString goneText(inspect::ChangeKind kind);

/// The most urgent flag in words; empty without flags.
QString firstReasonText(inspect::FlagSet flags);
/// The other flags, most urgent first, joined by " · ".
QString otherReasonsText(inspect::FlagSet flags);

/// What the pointer over the key, over the owner and over the reasons explains, complete, as plain
/// text.
QString keyToolTip(const inspect::LockRecord& record,
                   const inspect::Recognisers& recognisers = inspect::builtinDecoders());
QString ownerToolTip(const inspect::LockRecord& record, int holderIndex);
QString expiresToolTip(const inspect::LockRecord& record, int holderIndex, Instant now);
QString whyToolTip(const inspect::LockRecord& record, Instant now);

} // namespace lockscope::models
