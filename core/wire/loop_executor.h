#pragma once

#include "core/kernel/async/executor.h"

#include <QObject>

namespace lockscope::wire {

/// Runs continuations on the event loop of the thread it lives in. Used from that thread only.
class LoopExecutor final : public QObject, public async::Executor {
    Q_OBJECT
public:
    using QObject::QObject;

    void post(async::Continuation& continuation) override;

private:
    void drain();

    async::ReadyQueue m_queue;
    bool m_isDrainScheduled = false;
};

} // namespace lockscope::wire
