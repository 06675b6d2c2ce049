#pragma once

#include "app/cli/output/output.h"

#include <QObject>
#include <QSocketNotifier>

#include <csignal>
#include <initializer_list>
#include <memory>

namespace lockscope::cli {

/// Turns Unix signals into a Qt signal, for as long as this lives. Made before any thread is
/// started, so that no other thread gets them. A SIGHUP that the caller ignores on purpose (nohup)
/// stays ignored. Output that is not read does not delay them.
class SignalRelay final : public QObject {
    Q_OBJECT
public:
    SignalRelay(std::initializer_list<int> signalNumbers, Output& output);
    ~SignalRelay() override;

Q_SIGNALS:
    void received(int signalNumber);

private:
    void read();

    Output& m_output;
    sigset_t m_set;
    int m_file;
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace lockscope::cli
