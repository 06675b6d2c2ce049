#include "tests/support/live/live_desk.h"

#include "core/wire/audit_file.h"
#include "core/wire/process_author.h"

#include <QFile>

#include <utility>

namespace lockscope::testing {

namespace {

template<class Map>
const typename Map::mapped_type* find(const Map& map, quint64 request)
{
    const auto entry = map.find(request);
    return entry != map.end() ? &entry->second : nullptr;
}

} // namespace

LiveDesk::LiveDesk(std::vector<store::Endpoint> endpoints)
    : m_desk(std::make_unique<wire::AuditFile>(m_folder.filePath(u"audit.jsonl"_qs)),
             wire::authorOfProcess("test 1"))
{
    connect(&m_desk, &wire::RedisReleaseDesk::inspected, this,
            [this](quint64 request, const operations::LockDetails& details) {
                m_details[request] = details;
            });
    connect(&m_desk, &wire::RedisReleaseDesk::executed, this,
            [this](quint64 request, const inspect::ReleaseReport& report) {
                m_reports[request] = report;
            });
    connect(&m_desk, &wire::RedisReleaseDesk::followed, this,
            [this](quint64 request, const inspect::NextHold& nextHold) {
                m_nextHolds[request] = nextHold;
            });
    connect(&m_desk, &wire::RedisReleaseDesk::captured, this,
            [this](quint64 request, const operations::CaptureResult& result) {
                m_captures.insert_or_assign(request, result);
            });
    m_desk.setEndpoints(std::move(endpoints));
}

const operations::LockDetails* LiveDesk::details(quint64 request) const
{
    return find(m_details, request);
}

const inspect::ReleaseReport* LiveDesk::report(quint64 request) const
{
    return find(m_reports, request);
}

const inspect::NextHold* LiveDesk::nextHold(quint64 request) const
{
    return find(m_nextHolds, request);
}

const operations::CaptureResult* LiveDesk::capture(quint64 request) const
{
    return find(m_captures, request);
}

QList<QByteArray> LiveDesk::auditLines() const
{
    QFile file(m_folder.filePath(u"audit.jsonl"_qs));
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().split('\n')
                                          : QList<QByteArray>();
}

} // namespace lockscope::testing
