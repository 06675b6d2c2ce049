#pragma once

#include "ui/models/lab/scenario_draft.h"

#include <QString>

#include <vector>

namespace lockscope::widgets {

/// Where on the form a field stands.
enum class ScenarioGroup { Clients, Lock, Faults, Bounds };

/// How a field of the form looks.
struct ScenarioLook {
    models::ScenarioField field = models::ScenarioField::Contenders;
    ScenarioGroup group = ScenarioGroup::Clients;
    const char* name = ""; // of the editor
    QString label;
    QString hint; // what may be written, and what it means
};

/// All of them, in the order of the form.
std::vector<ScenarioLook> scenarioLooks();

} // namespace lockscope::widgets
