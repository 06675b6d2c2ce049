#pragma once

#include "core/kernel/store/reply.h"
#include "core/kernel/trace/event.h"
#include "core/kernel/world/sim_client.h"
#include "core/kernel/world/step.h"
#include "core/kernel/world/violation.h"

#include <optional>

namespace lockscope::world {

/// Hears what happens in a world, for stories and for the replay on a real server. Costs nothing
/// where there is no observer.
class Observer {
public:
    virtual ~Observer() = default;

    virtual void timeWentOn(Instant /*from*/, Instant /*to*/) {}
    /// A client sent it: it is under way from here on.
    virtual void sent(const Request& /*request*/) {}
    /// The server carried the request out; `reply` is what it answered at once. `isAnswerLost`: but
    /// no client received it.
    virtual void served(const Request& /*request*/, const std::optional<store::Reply>& /*reply*/,
                        bool /*isLate*/, bool /*isAnswerLost*/)
    {}
    /// A blocking command was answered, or a subscriber told.
    virtual void delivered(int /*client*/, LinkAddress /*link*/, const store::Reply& /*reply*/) {}
    virtual void faultHappened(const Step& /*step*/, const store::Command* /*concerned*/) {}
    virtual void recorded(const trace::Event& /*event*/) {}
    virtual void broke(const Violation& /*violation*/) {}
};

} // namespace lockscope::world
