#pragma once

#include "core/wire/watch/redis_release_desk.h"

#include <QObject>
#include <QTemporaryDir>

#include <map>
#include <string>
#include <vector>

namespace lockscope::testing {

/// A release desk for real servers, and what it answered.
class LiveDesk final : public QObject {
    Q_OBJECT
public:
    explicit LiveDesk(std::vector<store::Endpoint> endpoints);

    wire::RedisReleaseDesk& desk() { return m_desk; }

    /// Answers by request; null while there is none.
    const operations::LockDetails* details(quint64 request) const;
    const inspect::ReleaseReport* report(quint64 request) const;
    const inspect::NextHold* nextHold(quint64 request) const;
    const operations::CaptureResult* capture(quint64 request) const;

    /// The lines of the audit file.
    QList<QByteArray> auditLines() const;

private:
    QTemporaryDir m_folder;
    std::map<quint64, operations::LockDetails> m_details;
    std::map<quint64, inspect::ReleaseReport> m_reports;
    std::map<quint64, inspect::NextHold> m_nextHolds;
    std::map<quint64, operations::CaptureResult> m_captures;
    wire::RedisReleaseDesk m_desk; // last: it talks to everything above
};

} // namespace lockscope::testing
