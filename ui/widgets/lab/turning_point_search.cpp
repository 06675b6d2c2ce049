#include "ui/widgets/lab/turning_point_search.h"

#include "core/kernel/search/story.h"
#include "core/kernel/sim/lua_engine.h"
#include "ui/widgets/lab/run_view.h"

#include <QtConcurrentRun>

#include <utility>

namespace lockscope::widgets {

TurningPointSearch::TurningPointSearch(RunView& view) : QObject(&view), m_view(view)
{
    connect(&m_turn, &QFutureWatcherBase::finished, this, [this] {
        if (m_turn.isCanceled()) {
            return;
        }
        if (const auto turn = m_turn.result()) {
            m_view.showTurningPoint(*turn);
        }
    });
}

TurningPointSearch::~TurningPointSearch()
{
    m_turn.cancel();
}

void TurningPointSearch::ask(std::shared_ptr<const protocol::LockProtocol> protocol,
                             world::WorldPlan plan, search::Finding finding)
{
    using Place = std::optional<search::TurningPoint>;
    const auto look = [protocol = std::move(protocol), plan = std::move(plan),
                       finding = std::move(finding)](QPromise<Place>& promise) {
        sim::LuaEngine lua;
        search::Sampling sampling;
        sampling.goOn = [&promise] { return !promise.isCanceled(); };
        const auto continuations = search::sampleContinuations(*protocol, plan, finding, lua,
                                                               sampling);
        promise.addResult(continuations.empty()
                              ? Place()
                              : search::turningPointIn(search::tellStory(*protocol, plan, finding,
                                                                         lua),
                                                       continuations));
    };
    m_turn.setFuture(QtConcurrent::run(look));
}

} // namespace lockscope::widgets
