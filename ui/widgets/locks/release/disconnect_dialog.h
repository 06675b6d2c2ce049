#pragma once

#include "core/service/release_desk.h"
#include "ui/widgets/locks/lock_facts.h"

#include <QDialog>

#include <functional>
#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;

namespace lockscope::widgets {

class FactList;
class SelectableText;
class TypedEdit;

/// Closes the connection of the one client that is certainly the holder of a lock. The lock stays,
/// and the dialog says so. Looks the client up afresh; nothing is sent before the user has typed
/// the end of its address.
class DisconnectDialog : public QDialog {
    Q_OBJECT
public:
    DisconnectDialog(service::ReleaseDesk& desk, std::function<FactContext()> context,
                     const inspect::LockId& id, const Bytes& owner, QWidget* parent = nullptr);

Q_SIGNALS:
    /// What became of it, in a sentence.
    void done(const lockscope::inspect::LockId& id, const QString& sentence);

public Q_SLOTS:
    void reject() override;

private:
    enum class Stage { Looking, Obstacle, Ready, Sent, Answered };

    void createParts();
    void createForm();
    QWidget* createButtons();
    void showFound(quint64 request, const operations::FoundHolder& found);
    void showForm();
    void showReport(quint64 request, const inspect::KillReport& report);
    void say(const QString& sentence, int severity);
    void refresh();
    QString missing() const;
    std::vector<std::pair<std::uint16_t, std::string>> masters() const;
    bool isReasonNeeded() const;
    void send();

    service::ReleaseDesk& m_desk;
    std::function<FactContext()> m_context;
    operations::KillOrder m_order;
    Stage m_stage = Stage::Looking;
    quint64 m_request = 0;
    QString m_confirmation;

    QLabel* m_state = nullptr;
    QWidget* m_form = nullptr;
    QLabel* m_destination = nullptr; // without text unless the client is at a master
    FactList* m_facts = nullptr;
    SelectableText* m_line = nullptr;
    QLineEdit* m_reason = nullptr;
    QLabel* m_prompt = nullptr;
    TypedEdit* m_typed = nullptr;
    QPushButton* m_execute = nullptr;
    QPushButton* m_cancel = nullptr;
};

} // namespace lockscope::widgets
