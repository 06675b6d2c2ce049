#pragma once

#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/search/inevitability.h"

#include <QFutureWatcher>
#include <QObject>

#include <memory>
#include <optional>

namespace lockscope::widgets {

class RunView;

/// Looks for the line of a story from which on nothing helps, and marks it in the view. That takes
/// hundreds of runs, so it is done in the background. Lives as long as the view.
class TurningPointSearch : public QObject {
    Q_OBJECT
public:
    explicit TurningPointSearch(RunView& view);
    ~TurningPointSearch() override;

    /// Of the run that the view shows now. The answer to an earlier question stays away.
    void ask(std::shared_ptr<const protocol::LockProtocol> protocol, world::WorldPlan plan,
             search::Finding finding);
    /// The answer is not wanted any more.
    void cancel() { m_turn.cancel(); }

private:
    RunView& m_view;
    QFutureWatcher<std::optional<search::TurningPoint>> m_turn;
};

} // namespace lockscope::widgets
