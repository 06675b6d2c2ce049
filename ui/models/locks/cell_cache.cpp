#include "ui/models/locks/cell_cache.h"

#include "core/files/whole_file.h"
#include "core/kernel/base/sha1.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/protocol_json.h"
#include "core/kernel/report/run/counterexample_file.h"
#include "core/kernel/report/run/world_plan_json.h"
#include "core/kernel/report/saved_cells.h"
#include "core/kernel/search/promise_terms.h"
#include "protocol_scripts.h"
#include "ui/models/formatting.h"
#include "ui/models/user_files.h"

#include <QDir>
#include <QStandardPaths>

#include <utility>

namespace lockscope::models {

using search::SearchTask;
using search::SystematicSearch;

namespace {

/// Raised by every change of the search itself after which it may find something else.
constexpr int kSearchRevision = 3;

/// A row of the matrix takes some hundred kilobytes.
constexpr std::size_t kCellsMax = 100 * files::kMegabyte;

bool isBuiltin(const protocol::LockProtocol& protocol)
{
    return protocol::findProtocol(protocol.info().id) == &protocol;
}

bool canBeKept(const std::vector<SearchTask>& tasks)
{
    return !tasks.empty() && isBuiltin(*tasks.front().protocol);
}

/// Which promises are given in the plan: their conditions have no text of their own.
std::string promisedIn(const world::WorldPlan& plan, const protocol::ProtocolInfo& info)
{
    std::string bits;
    for (int i = 0; i < static_cast<int>(protocol::Promise::PromiseCount); ++i) {
        bits += search::isPromised(static_cast<protocol::Promise>(i), info, plan) ? '1' : '0';
    }
    return bits;
}

std::string describe(const SearchTask& task)
{
    const search::Bounds& bounds = std::get<SystematicSearch>(task.method).bounds;
    std::string text = std::string(idOf(*task.fault)) + '\n' + std::to_string(bounds.schedulesMax)
                       + ' ' + std::to_string(bounds.statesMax) + ' '
                       + std::to_string(bounds.lengthMax) + '\n';
    for (const world::WorldPlan& plan : task.plans) {
        text += report::worldPlanJson(plan).dump() + promisedIn(plan, task.protocol->info()) + '\n';
    }
    return text;
}

std::vector<report::CellOrigin> originsOf(const std::vector<SearchTask>& tasks)
{
    std::vector<report::CellOrigin> origins;
    origins.reserve(tasks.size());
    for (const SearchTask& task : tasks) {
        const protocol::ProtocolInfo& info = task.protocol->info();
        origins.push_back({info.id, report::groupOf(info), *task.fault, task.plans});
    }
    return origins;
}

} // namespace

std::string versionOf(const std::vector<SearchTask>& tasks)
{
    std::string text = std::to_string(report::kEngineRevision) + ' '
                       + std::to_string(kSearchRevision) + '\n';
    // Which scripts a protocol runs is known to its code alone, so a change of any counts for all.
    for (const store::Script& script : protocol::scripts::kAll) {
        text += script.digest;
    }
    for (const SearchTask& task : tasks) {
        if (&task == &tasks.front()) {
            text += report::protocolJson(task.protocol->info()).dump() + '\n';
        }
        text += describe(task);
    }
    return sha1Hex(text);
}

CellCache::CellCache(QString folder, QObject* parent) : QObject(parent), m_folder(std::move(folder))
{
    m_disk.setMaxThreadCount(1);
}

CellCache::~CellCache()
{
    m_disk.waitForDone();
}

QString CellCache::defaultFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)
           + QStringLiteral("/lockscope/matrix");
}

QString CellCache::pathOf(const protocol::LockProtocol& protocol) const
{
    return m_folder + u'/' + toQString(protocol.info().id) + QStringLiteral(".cells");
}

void CellCache::look(std::vector<SearchTask> tasks)
{
    m_disk.start([this, tasks = std::move(tasks)] {
        // Back on the thread of the owner, which the destructor has not left before this is over.
        QMetaObject::invokeMethod(
            this, [this, row = read(tasks)] { Q_EMIT looked(row); }, Qt::QueuedConnection);
    });
}

void CellCache::keep(MatrixRow row)
{
    if (canBeKept(row.tasks)) {
        m_disk.start([this, row = std::move(row)] { write(row); });
    }
}

MatrixRow CellCache::read(std::vector<SearchTask> tasks) const
{
    MatrixRow row{std::move(tasks), {}};
    if (!canBeKept(row.tasks)) {
        return row;
    }
    const ReadFile file = readFile(pathOf(*row.tasks.front().protocol), kCellsMax);
    if (file.isRead()) {
        row.cells = report::readSavedCells(file.content.toStdString(), versionOf(row.tasks),
                                           originsOf(row.tasks));
    }
    return row;
}

void CellCache::write(const MatrixRow& row) const
{
    const std::string text = report::savedCellsText(versionOf(row.tasks), row.cells);
    if (QDir().mkpath(m_folder)) { // what cannot be kept is searched again
        writeFile(pathOf(*row.tasks.front().protocol), QByteArray::fromStdString(text));
    }
}

} // namespace lockscope::models
