#pragma once

#include "ui/models/kept_texts.h"

#include <QByteArray>

namespace lockscope::models {

/// What was on the form of the Contend page, as it is kept from one run of the program to the next:
/// all that was typed, wrong or not. Not where it was to run: a run of a later day begins on
/// private servers.
struct ContendFormState {
    QString protocol; // its id; empty: nothing was kept
    QString kind;     // of the workload
    KeptTexts texts;  // of the fields that are not as usual for protocol and workload
    bool isAdvancedOpen = false;

    QByteArray text() const;
    /// What cannot be understood is as at first.
    static ContendFormState of(const QByteArray& text);

    friend bool operator==(const ContendFormState&, const ContendFormState&) = default;
};

} // namespace lockscope::models
