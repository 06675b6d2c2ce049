#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <csignal>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace lockscope::wire {

/// Turns Unix signals into a Qt signal, for as long as this lives; before and after that they do
/// what they did. There is at most one such object. A SIGHUP that the caller ignores on purpose
/// (nohup) stays ignored. Programs that are started meanwhile get their signals as usual: nothing
/// is blocked, and handlers end with exec.
class SignalRelay : public QObject {
    Q_OBJECT
public:
    explicit SignalRelay(std::initializer_list<int> signalNumbers, QObject* parent = nullptr);
    ~SignalRelay() override;

    /// Can be read as long as a signal has come that was not reported yet.
    int file() const { return m_readEnd; }

Q_SIGNALS:
    void received(int signalNumber);

private:
    void read();

    int m_readEnd = -1;
    int m_writeEnd = -1;
    std::vector<std::pair<int, struct sigaction>> m_before; // by signal
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace lockscope::wire
