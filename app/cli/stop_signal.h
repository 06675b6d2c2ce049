#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <memory>

namespace lockscope::cli {

/// Turns SIGINT and SIGTERM into a Qt signal, for as long as this lives. Made before any thread is
/// started, so that no other thread gets them.
class StopSignal final : public QObject {
    Q_OBJECT
public:
    StopSignal();
    ~StopSignal() override;

Q_SIGNALS:
    void requested();

private:
    int m_file;
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace lockscope::cli
