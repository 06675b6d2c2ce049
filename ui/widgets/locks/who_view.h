#pragma once

#include "core/service/release_desk.h"
#include "ui/widgets/locks/lock_facts.h"

#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;
class QSpinBox;
class QTimer;

namespace lockscope::widgets {

class CommandBox;

/// Who is it? Where no connected client fits the owner, the user can have the commands of the
/// server listened to: what that costs stands there before, it ends by itself, and it can be
/// stopped.
class WhoView : public QWidget {
    Q_OBJECT
public:
    /// The desk outlives it.
    WhoView(service::ReleaseDesk& desk, std::function<FactContext()> context,
            QWidget* parent = nullptr);

    /// Of another lock, what was found of the one before is forgotten, and listening ends.
    void showLock(const inspect::LockPtr& lock);
    /// Without a connection nobody can be listened to.
    void setOnline(bool isOnline);

private:
    void createForm();
    void listen();
    void takeResult(quint64 request, const operations::CaptureResult& result);
    void endListening();
    void refresh();
    Duration span() const;

    service::ReleaseDesk& m_desk;
    std::function<FactContext()> m_context;
    inspect::LockPtr m_lock;
    quint64 m_request = 0; // the capture that is under way; 0: none
    bool m_isOnline = true;

    QLabel* m_known = nullptr;
    QPushButton* m_open = nullptr;
    QWidget* m_form = nullptr;
    QSpinBox* m_seconds = nullptr;
    QPushButton* m_listen = nullptr;
    QPushButton* m_stop = nullptr;
    QLabel* m_progress = nullptr;
    CommandBox* m_sameAs = nullptr;
    QLabel* m_result = nullptr;
    QTimer* m_rest = nullptr; // as long as it still lasts
    QTimer* m_tick = nullptr;
};

} // namespace lockscope::widgets
