#pragma once

#include "lab_draft.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QSpinBox;
class QVBoxLayout;

namespace lockscope::widgets {

class CommandBox;
class ProtocolPicker;

/// What is to be searched: the protocol, what may go wrong, how far to look.
class LabForm : public QWidget {
    Q_OBJECT
public:
    explicit LabForm(models::ProtocolListModel& protocols, QWidget* parent = nullptr);

    models::LabDraft draft() const;
    QString command() const;

Q_SIGNALS:
    void changed();

private:
    void createFaults(QVBoxLayout& layout);
    void createBounds(QVBoxLayout& layout);
    void createFoot(QVBoxLayout& layout);
    QSpinBox* addNumber(QVBoxLayout& layout, const QString& name, const QString& label);
    void checkAll(bool isChecked);
    void offerFaults();
    void refresh();

    struct Switch {
        world::FaultKind fault;
        QCheckBox* box = nullptr;
    };

    models::ProtocolListModel& m_protocols;
    ProtocolPicker* m_picker = nullptr;
    std::vector<Switch> m_switches;
    QSpinBox* m_clients = nullptr;
    QSpinBox* m_bound = nullptr;
    CommandBox* m_command = nullptr;
};

} // namespace lockscope::widgets
