#pragma once

#include "core/service/live_runner.h"
#include "ui/models/contend/contend_draft.h"
#include "ui/models/contend/contend_form_state.h"
#include "ui/models/protocol_list_model.h"
#include "ui/models/server_choice.h"

#include <QWidget>

#include <map>
#include <optional>
#include <string_view>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace lockscope::widgets {

class CommandBox;
class OptionRow;
class ProtocolPicker;

/// What to run and where: protocol, server, scenario, faults. Fields that mean nothing for the
/// chosen protocol are not there; what is wrong is said where it is.
class ContendForm : public QWidget {
    Q_OBJECT
public:
    explicit ContendForm(models::ProtocolListModel& protocols, QWidget* parent = nullptr);

    /// The servers of the window.
    void setServers(const std::vector<store::Endpoint>& servers);

    /// nullopt while something is wrong.
    std::optional<workload::LiveRunOrder> order() const;
    /// What can be computed instead of run, which may be larger than any machine can run. On the
    /// servers' number alone: none of them is needed. nullopt while something is wrong.
    std::optional<workload::LiveRunOrder> predictable() const;
    /// The same run on the command line.
    QString commandOf(const workload::LiveRunOrder& order) const;

    /// What is on the form, to be there again in a later run of the program.
    models::ContendFormState state() const;
    void restore(const models::ContendFormState& state);

    ProtocolPicker& picker() { return *m_picker; }

Q_SIGNALS:
    void changed();
    /// The user wants to load a protocol of their own.
    void loadRequested();

private:
    void createHead(QVBoxLayout& layout);
    void createGroups(QVBoxLayout& layout);
    void createFoot(QVBoxLayout& layout);
    using Group = workload::RunParameter::Form::Group;
    /// How a field with an editor looks.
    struct FieldLook {
        std::string_view id;
        QString label;
        QString hint;
        QString placeholder{};
    };
    void createKind(QVBoxLayout& layout);
    void addParameters(QVBoxLayout& rows, Group group);
    QVBoxLayout* createGroup(QVBoxLayout& layout, Group group);
    void addTextRow(QVBoxLayout& layout, const FieldLook& look);

    void takeProtocol();
    void takeKind();
    void takeText(std::string_view field, const QString& text);
    void takePlace();
    void refreshServers();
    void showDraft();
    void refresh();
    workload::LiveRunOrder orderOf(const models::ParsedDraft& parsed) const;
    const models::ServerChoice& place() const;

    const protocol::ProtocolInfo& info() const { return m_protocol->info(); }

    models::ProtocolListModel& m_protocols;
    models::ProtocolPtr m_protocol;
    models::ContendDraft m_draft;
    models::ContendDraft m_defaults; // what the draft had before anything was typed
    models::ParsedDraft m_parsed;
    models::ParsedDraft m_predicted; // with the larger numbers that a prediction takes
    std::vector<store::Endpoint> m_connected;
    std::vector<models::ServerChoice> m_places;
    std::vector<store::Endpoint> m_chosen; // where the user wants to run; empty: privately

    ProtocolPicker* m_picker = nullptr;
    QComboBox* m_server = nullptr;
    QLabel* m_obstacle = nullptr;
    QComboBox* m_kind = nullptr;
    std::map<std::string_view, OptionRow*> m_rows;
    std::map<std::string_view, QLineEdit*> m_edits;
    std::map<Group, QWidget*> m_groups;
    QToolButton* m_advanced = nullptr;
    QLabel* m_complaints = nullptr;
    CommandBox* m_command = nullptr;
};

} // namespace lockscope::widgets
