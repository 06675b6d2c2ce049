#pragma once

#include "core/kernel/world/fault_info.h"
#include "ui/models/lab/lab_form_state.h"
#include "ui/models/lab/scenario_draft.h"

#include <QWidget>

#include <map>
#include <vector>

class QCheckBox;
class QLineEdit;
class QVBoxLayout;

namespace lockscope::widgets {

class OptionRow;

/// The switches for what may go wrong; with details, each that is on has fields for how much and
/// how often.
class FaultList : public QWidget {
    Q_OBJECT
public:
    explicit FaultList(QWidget* parent = nullptr);

    /// Only these are there to be switched on.
    void offer(const std::vector<world::FaultKind>& kinds);
    void setDetailed(bool isDetailed);
    /// For what empty fields stand for.
    void setLease(Duration lease);

    std::vector<world::FaultKind> chosen() const;
    /// Of what is chosen.
    models::FaultDrafts drafts() const;
    /// Switches these on and all others off.
    void setDrafts(const models::FaultDrafts& drafts);
    /// All switches, also those that are not offered just now.
    std::map<world::FaultKind, models::LabFormState::Fault> state() const;
    /// Those that are missing stay as they are.
    void restore(const std::map<world::FaultKind, models::LabFormState::Fault>& state);
    void showComplaints(const models::ParsedScenario& parsed);

Q_SIGNALS:
    void changed();

private:
    struct Row {
        world::FaultKind kind;
        QCheckBox* box = nullptr;
        QLineEdit* amount = nullptr; // nullptr: the kind has none
        QLineEdit* count = nullptr;
        OptionRow* row = nullptr;

        models::FaultDraft draft() const;
        void show(bool isOn, const models::FaultDraft& draft) const;
    };

    void createHead(QVBoxLayout& layout);
    void createFaultRow(QVBoxLayout& layout, const world::FaultInfo& fault);
    QLineEdit* createEdit(const QString& name, const QString& hint, int characters);
    void checkAll(bool isChecked);
    void refresh();

    std::vector<Row> m_rows;
    bool m_isDetailed = false;
};

} // namespace lockscope::widgets
