#include "ui/models/formatting.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/filter/filter_completion.h"
#include "core/kernel/report/wording.h"
#include "ui/models/ui_text.h"

#include <QDateTime>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>
#include <span>

namespace lockscope::models {

using inspect::Flag;
using inspect::FlagSet;
using inspect::Holder;
using inspect::LockRecord;
using inspect::Mode;

namespace {

Qt::TimeSpec& timeSpec()
{
    static Qt::TimeSpec spec = Qt::LocalTime;
    return spec;
}

/// Most urgent first; of equal urgency in the order of the enumeration.
std::vector<Flag> flagsByUrgency(FlagSet flags)
{
    std::vector<Flag> sorted;
    for (unsigned i = 0; i < static_cast<unsigned>(Flag::FlagCount); ++i) {
        if (flags.has(static_cast<Flag>(i))) {
            sorted.push_back(static_cast<Flag>(i));
        }
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](Flag left, Flag right) {
        return inspect::severityOf(left) > inspect::severityOf(right);
    });
    return sorted;
}

void addLine(QStringList& lines, const QString& line)
{
    if (!line.isEmpty()) {
        lines.append(line);
    }
}

QString holdText(const Holder& holder)
{
    return UiText::tr("%1, %2 × held")
        .arg(toQString(report::modeText(holder.mode)), countText(holder.holds));
}

QString fullClientText(const Holder& holder)
{
    if (holder.client() == nullptr) {
        return {};
    }
    const QString name = bytesText(holder.client()->name);
    return UiText::tr("Client %1%2 (%3)")
        .arg(bytesText(holder.client()->address),
             name.isEmpty() ? QString() : QStringLiteral(" “%1”").arg(name),
             toQString(KernelText::lookUp(holder.client()->how)));
}

QString acquiredText(std::optional<WallTime> acquiredAt)
{
    return acquiredAt ? UiText::tr("Taken at %1, according to the writer's clock")
                            .arg(timeOfDayText(*acquiredAt))
                      : QString();
}

QString holderToolTip(const Holder& holder)
{
    QStringList lines;
    addLine(lines, ownerText(holder));
    addLine(lines, holdText(holder));
    addLine(lines, fullClientText(holder));
    addLine(lines, acquiredText(holder.acquiredAt()));
    return lines.join(u'\n');
}

} // namespace

QString listed(const QStringList& texts)
{
    return texts.join(UiText::tr(", "));
}

QString toQString(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString bytesText(std::string_view bytes, std::size_t maxBytes)
{
    QString text = toQString(escaped(bytes.substr(0, maxBytes)));
    if (bytes.size() > maxBytes) {
        text += u'…';
    }
    return text;
}

QString durationText(Duration duration)
{
    return toQString(report::durationText(duration));
}

QString countText(std::int64_t count)
{
    static const QLocale kEnglish(QLocale::English);
    return kEnglish.toString(static_cast<qlonglong>(count));
}

QString countedText(std::int64_t count, const QString& one, const QString& many)
{
    return countText(count) + u' ' + (count == 1 ? one : many);
}

void showTimesInUtc(bool isUtc)
{
    timeSpec() = isUtc ? Qt::UTC : Qt::LocalTime;
}

QDateTime shownTime(WallTime time)
{
    return QDateTime::fromMSecsSinceEpoch(toEpochMs(time), timeSpec());
}

QString timeOfDayText(WallTime time)
{
    return shownTime(time).toString(QStringLiteral("HH:mm:ss.zzz"));
}

QString formatText(const LockRecord& record, const inspect::Recognisers& recognisers)
{
    QString title = toQString(report::formatTitle(record.format(), recognisers));
    if (record.quorum().total == 0) {
        return title;
    }
    return title + u' ' + quorumText(record.quorum());
}

QString modeText(const LockRecord& record)
{
    const QString mode = toQString(report::modeText(record.mode));
    const bool isShared = record.mode == Mode::Read || record.mode == Mode::Semaphore;
    return isShared && record.holders.size() > 1
               ? QStringLiteral("%1 × %2").arg(mode, countText(std::ssize(record.holders)))
               : mode;
}

QString holdsText(const LockRecord& record)
{
    const QString count = countText(record.holds());
    return record.flags.has(Flag::CountOnlyGrows) ? count + QStringLiteral(" ↑") : count;
}

QString quorumText(const inspect::Quorum& quorum)
{
    const QString known = QStringLiteral("%1 of %2").arg(quorum.held).arg(quorum.total);
    return quorum.unknown == 0 ? known : known + UiText::tr(", %1 unknown").arg(quorum.unknown);
}

QString holderTitle(const LockRecord& record, int holderIndex)
{
    const auto begin = record.holders.begin();
    const Mode mode = (begin + holderIndex)->mode;
    const auto isAlike = [mode](const Holder& holder) { return holder.mode == mode; };
    const auto number = std::count_if(begin, begin + holderIndex + 1, isAlike);
    const bool isOnlyOne = std::count_if(begin, record.holders.end(), isAlike) == 1;
    const QString word = mode == Mode::Read    ? UiText::tr("reader")
                         : mode == Mode::Write ? UiText::tr("writer")
                                               : UiText::tr("holder");
    return isOnlyOne ? word : word + u' ' + countText(number);
}

QString filterWord(const QString& field, const QString& value, bool isPrefix)
{
    return field + u':' + toQString(inspect::filterValue(value.toStdString()))
           + (isPrefix ? QStringLiteral("*") : QString());
}

QString ownerText(const LockRecord& record)
{
    if (record.holders.empty()) {
        return UiText::tr("not recorded");
    }
    return record.holders.size() == 1
               ? ownerText(record.holders.front())
               : UiText::tr("%1 holders").arg(countText(std::ssize(record.holders)));
}

QString ownerText(const Holder& holder)
{
    return holder.owner.empty() ? UiText::tr("not recorded") : bytesText(holder.owner);
}

QString clientText(const LockRecord& record)
{
    return record.holders.size() == 1 ? clientText(record.holders.front()) : QString();
}

QString clientText(const Holder& holder)
{
    if (holder.client() == nullptr) {
        return {};
    }
    return bytesText(holder.client()->name.empty() ? holder.client()->address
                                                   : holder.client()->name);
}

bool isOwnerKnown(const LockRecord& record)
{
    return record.holders.size() == 1 && !record.holders.front().owner.empty();
}

std::optional<Instant> endOf(const LockRecord& record, int holderIndex)
{
    if (holderIndex >= 0 && static_cast<std::size_t>(holderIndex) < record.holders.size()) {
        const Holder& holder = record.holders[static_cast<std::size_t>(holderIndex)];
        return holder.expiresAt ? holder.expiresAt : record.expiresAt;
    }
    return record.expiresAt;
}

QString expiresText(std::optional<Instant> end, Instant now)
{
    if (!end) {
        return UiText::tr("never");
    }
    return *end <= now ? UiText::tr("due") : durationText(*end - now);
}

QString heldText(const LockRecord& record, Instant now)
{
    const QString held = durationText(now - record.firstSeen);
    return record.isTakenWhileWatching ? held : QStringLiteral("≥ ") + held;
}

QString waitersText(const LockRecord& lock)
{
    if (lock.waitersAtMost()) {
        return QStringLiteral("≤ ") + countText(*lock.waitersAtMost());
    }
    if (!lock.waiters) {
        return QStringLiteral("?");
    }
    return *lock.waiters == 0 ? QStringLiteral("–") : countText(*lock.waiters);
}

QString goneText(inspect::ChangeKind kind)
{
    return toQString(report::goneText(kind));
}

QString firstReasonText(FlagSet flags)
{
    const std::vector<Flag> sorted = flagsByUrgency(flags);
    return sorted.empty() ? QString() : toQString(report::flagText(sorted.front()));
}

QString otherReasonsText(FlagSet flags)
{
    const std::vector<Flag> sorted = flagsByUrgency(flags);
    QStringList words;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        words.append(toQString(report::flagText(sorted[i])));
    }
    return words.join(QStringLiteral(" · "));
}

QString keyToolTip(const LockRecord& record, const inspect::Recognisers& recognisers)
{
    QStringList lines;
    addLine(lines, bytesText(record.id.name));
    addLine(lines, toQString(report::stateText(inspect::stateOf(record))));
    if (!record.isConfirmed) {
        addLine(lines, UiText::tr("Not confirmed: read before the connection was lost"));
    }
    addLine(lines, UiText::tr("%1, confidence %2")
                       .arg(formatText(record, recognisers),
                            toQString(report::confidenceText(record.confidence))));
    for (std::size_t i = 0; i < record.evidence().count(); ++i) {
        addLine(lines,
                QStringLiteral("• ") + toQString(KernelText::lookUp(record.evidence().at(i))));
    }
    for (const Bytes& key : record.otherKeys()) {
        addLine(lines, UiText::tr("Key ") + bytesText(key));
    }
    return lines.join(u'\n');
}

QString ownerToolTip(const LockRecord& record, int holderIndex)
{
    if (holderIndex >= 0 && static_cast<std::size_t>(holderIndex) < record.holders.size()) {
        return holderToolTip(record.holders[static_cast<std::size_t>(holderIndex)]);
    }
    constexpr std::size_t kHoldersAtMost = 10;
    if (record.holders.empty()) {
        return UiText::tr("This format does not record who holds the lock");
    }
    QStringList blocks;
    for (const Holder& holder :
         std::span(record.holders).first(std::min(record.holders.size(), kHoldersAtMost))) {
        blocks.append(holderToolTip(holder));
    }
    if (record.holders.size() > kHoldersAtMost) {
        blocks.append(UiText::tr("and %1 more")
                          .arg(countText(std::ssize(record.holders) - std::ssize(blocks))));
    }
    return blocks.join(QStringLiteral("\n\n"));
}

QString expiresToolTip(const LockRecord& record, int holderIndex, Instant now)
{
    const std::optional<Instant> end = endOf(record, holderIndex);
    if (!end) {
        return UiText::tr("No expiry: only a release removes it");
    }
    QStringList lines;
    addLine(lines, *end <= now ? UiText::tr(
                       "Expired according to the local clock; waiting for the server to confirm")
                               : UiText::tr("Expires in %1").arg(durationText(*end - now)));
    addLine(lines, UiText::tr("Longest lease seen: %1").arg(durationText(record.lease)));
    if (record.renewals > 0) {
        addLine(lines,
                UiText::tr("Renewed %1 ×, last %2 ago")
                    .arg(countText(record.renewals), durationText(now - record.lastRenewal)));
    }
    return lines.join(u'\n');
}

QString whyToolTip(const LockRecord& record, Instant now)
{
    QStringList blocks;
    for (const Flag flag : flagsByUrgency(record.flags)) {
        blocks.append(toQString(report::flagSentence(flag, record, now)) + u'\n'
                      + toQString(report::flagDoubt(flag)));
    }
    return blocks.join(QStringLiteral("\n\n"));
}

} // namespace lockscope::models
