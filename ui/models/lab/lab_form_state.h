#pragma once

#include "ui/models/lab/protocol_draft.h"
#include "ui/models/lab/scenario_draft.h"

#include <QByteArray>
#include <QList>

#include <map>

namespace lockscope::models {

/// A custom protocol that is being written and has changes that are in no file.
struct EditedProtocol {
    QString file; // that it is from; empty: none
    ProtocolDraft typed;
    ProtocolDraft saved; // as it was before the changes

    friend bool operator==(const EditedProtocol&, const EditedProtocol&) = default;
};

/// What was on the form of the Lab page, as it is kept from one run of the program to the next:
/// all that was typed, wrong or not.
struct LabFormState {
    struct Fault {
        bool isOn = true;
        FaultDraft typed;

        friend bool operator==(const Fault&, const Fault&) = default;
    };

    QString protocol; // its id; empty: nothing was kept
    bool isOwnScenario = false;
    ScenarioEdits scenario;                   // besides what is usual for the protocol
    QString scenarioFile;                     // that the scenario is in; empty: none
    QString savedScenario;                    // the text there
    std::map<world::FaultKind, Fault> faults; // those that are missing are as at first
    int clientCount = 0;                      // 0: as at first, likewise of the other numbers
    int schedulesMax = 0;
    int runCount = 0;
    QList<EditedProtocol> edited;

    QByteArray text() const;
    /// What cannot be understood is as at first.
    static LabFormState of(const QByteArray& text);

    friend bool operator==(const LabFormState&, const LabFormState&) = default;
};

} // namespace lockscope::models
