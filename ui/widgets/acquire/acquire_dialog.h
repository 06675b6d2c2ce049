#pragma once

#include "core/service/lock_keeper.h"
#include "ui/models/locks/held_locks.h"

#include <QDialog>

#include <map>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTimer;
class QVBoxLayout;

namespace lockscope::widgets {

class OptionRow;
class Prompter;
class ProtocolPicker;
class StatusDot;

/// Takes a lock by hand with any protocol, and shows how the attempt is doing. A lock that is held
/// stays held when the dialog closes; one that is still asked for is given up.
class AcquireDialog : public QDialog {
    Q_OBJECT
public:
    struct Context {
        service::LockKeeper& keeper;
        Prompter& prompter;
        models::ProtocolListModel& protocols;
        std::vector<store::Endpoint> servers; // connected, at least one
    };

    explicit AcquireDialog(Context context, QWidget* parent = nullptr);

    void reject() override;

private:
    void createForm(QVBoxLayout& layout);
    void createRows(QVBoxLayout& layout);
    void createState(QVBoxLayout& layout);
    void createButtons(QVBoxLayout& layout);
    OptionRow* addRow(QVBoxLayout& layout, const QString& label, QWidget* field);
    QLineEdit* createEdit(const QString& name);

    void takeProtocol();
    void refreshForm();
    models::AcquireDraft draft() const;
    void acquire();
    void send(const service::KeepOrder& order);
    void takeChange(const service::KeptLock& lock);
    void refreshState();
    void refreshButtons();
    bool isAsking() const;
    bool isHolding() const;

    Context m_context;
    quint64 m_id = 0; // of the attempt that is shown; 0: none yet
    std::optional<service::KeptLock> m_lock;
    bool m_isSending = false;

    QWidget* m_form = nullptr;
    ProtocolPicker* m_picker = nullptr;
    QComboBox* m_server = nullptr;
    QLineEdit* m_key = nullptr;
    QComboBox* m_mode = nullptr;
    QLineEdit* m_lease = nullptr;
    QLineEdit* m_wait = nullptr;
    QLineEdit* m_permits = nullptr;
    QCheckBox* m_renew = nullptr;
    std::map<QWidget*, OptionRow*> m_rows; // by their fields
    bool m_wasKeyTouched = false;

    QWidget* m_state = nullptr;
    StatusDot* m_dot = nullptr;
    QLabel* m_stateWord = nullptr;
    QLabel* m_stateDetail = nullptr;
    QTimer* m_tick = nullptr;
    QPushButton* m_acquire = nullptr;
    QPushButton* m_release = nullptr;
    QPushButton* m_close = nullptr;
};

} // namespace lockscope::widgets
