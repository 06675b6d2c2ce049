#pragma once

#include "ui/models/contend/contend_draft.h"

#include <QString>

#include <vector>

namespace lockscope::widgets {

/// A block of the form.
enum class FieldGroup { Server, Load, Lock, Faults, Advanced };

/// How a field of the form looks.
struct FieldLook {
    models::ContendField field = models::ContendField::Kind;
    FieldGroup group = FieldGroup::Load;
    const char* name = ""; // of the editor, for whoever looks it up: "contendersEdit"
    QString label;
    QString hint;          // what may be written, and what it means
    QString placeholder{}; // what an empty field stands for
};

/// All fields with an editor for text, in the order of the form.
std::vector<FieldLook> fieldLooks();

} // namespace lockscope::widgets
