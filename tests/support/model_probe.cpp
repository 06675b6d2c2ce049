#include "tests/support/model_probe.h"

#include <QAbstractItemModel>
#include <QtGlobal>

namespace lockscope::test {

using inspect::LockPtr;

MadeLock::MadeLock(const std::string& key)
{
    m_record.confidence = inspect::Confidence::High;
    m_record.id.name = key;
    m_record.setFormat("token");
}

MadeLock& MadeLock::on(std::uint16_t server)
{
    m_record.id.server = server;
    return *this;
}

MadeLock& MadeLock::format(std::string_view format)
{
    m_record.setFormat(format);
    return *this;
}

MadeLock& MadeLock::owner(const std::string& token)
{
    inspect::Holder holder;
    holder.owner = token;
    m_record.holders.push_back(holder);
    return *this;
}

MadeLock& MadeLock::readers(int count)
{
    m_record.mode = inspect::Mode::Read;
    for (int i = 1; i <= count; ++i) {
        owner("reader-" + std::to_string(i));
        m_record.holders.back().mode = inspect::Mode::Read;
    }
    return *this;
}

MadeLock& MadeLock::waiters(int count)
{
    m_record.waiters = count;
    return *this;
}

MadeLock& MadeLock::confidence(inspect::Confidence confidence)
{
    m_record.confidence = confidence;
    return *this;
}

MadeLock& MadeLock::flag(inspect::Flag flag)
{
    m_record.flags.add(flag);
    return *this;
}

MadeLock& MadeLock::firstSeen(Instant instant)
{
    m_record.firstSeen = instant;
    return *this;
}

MadeLock& MadeLock::takenWhileWatching()
{
    m_record.isTakenWhileWatching = true;
    return *this;
}

MadeLock& MadeLock::expires(Instant instant)
{
    m_record.expiresAt = instant;
    return *this;
}

MadeLock& MadeLock::lease(Duration lease)
{
    m_record.lease = lease;
    return *this;
}

MadeLock& MadeLock::renewals(std::uint32_t count)
{
    m_record.renewals = count;
    return *this;
}

MadeLock& MadeLock::unconfirmed()
{
    m_record.isConfirmed = false;
    return *this;
}

inspect::LockDelta deltaOf(inspect::ChangeKind kind, std::initializer_list<LockPtr> locks,
                           Instant at)
{
    inspect::LockDelta delta;
    for (const LockPtr& lock : locks) {
        delta.changes.push_back({kind, lock, at});
    }
    return delta;
}

std::uint64_t announcedSeed(std::uint64_t usual)
{
    bool isGiven = false;
    const quint64 given = qEnvironmentVariable("LOCKSCOPE_SEED").toULongLong(&isGiven);
    const quint64 seed = isGiven ? given : usual;
    qInfo("repeat with LOCKSCOPE_SEED=%llu", seed);
    return seed;
}

QStringList columnTexts(const QAbstractItemModel& model, int column)
{
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row) {
        texts.append(model.index(row, column).data().toString());
    }
    return texts;
}

} // namespace lockscope::test
