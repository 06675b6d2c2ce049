#pragma once

#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/formats/own_formats.h"
#include "core/operations/owner_names.h"

#include <QObject>
#include <QString>

#include <vector>

namespace lockscope::service {

/// The formats that are recognised, those of the user's files among them, and what the user says
/// some names and some owners are. Runs on the GUI thread.
class FormatStore : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Those of now. Never null.
    virtual inspect::FormatTablePtr formats() const = 0;
    /// Who is behind owner tokens, as the user's owners.json says. Never null.
    virtual operations::OwnerNamesPtr owners() const = 0;
    /// What is wrong with the user's files.
    virtual std::vector<inspect::OwnFileProblem> problems() const = 0;
    /// Where they are: one file for each format.
    virtual QString folder() const = 0;

    /// From now on these count, the first that fits, and are remembered. An empty text: done;
    /// otherwise why they could not be remembered, and nothing changed.
    virtual QString setTreatments(std::vector<inspect::Treatment> treatments) = 0;

Q_SIGNALS:
    /// The user's files changed: formats(), owners() or problems() are others.
    void changed();
};

} // namespace lockscope::service
