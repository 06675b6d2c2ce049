#pragma once

#include "cli/signal_relay.h"

#include <QObject>

namespace lockscope::cli {

/// Turns SIGINT and SIGTERM into a Qt signal, for as long as this lives. Made before any thread is
/// started, so that no other thread gets them.
class StopSignal final : public QObject {
    Q_OBJECT
public:
    explicit StopSignal(Output& output);

Q_SIGNALS:
    void requested();

private:
    SignalRelay m_relay;
};

} // namespace lockscope::cli
