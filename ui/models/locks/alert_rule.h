#pragma once

#include "core/kernel/base/time.h"

#include <QString>

namespace lockscope::models {

/// Tells when a lock has matched a filter for some time. What is typed is kept as it was typed,
/// also when it cannot be read: then the alert never fires.
struct AlertRule {
    QString name{};
    QString filter{};
    Duration span = std::chrono::seconds(30);  // a lock has to match for so long, without a break
    Duration pause = std::chrono::minutes(10); // the same lock fires no more often than this
    bool isEnabled = true;
    bool notifies = true; // a notification of the desktop
    bool beeps = false;
    QString command{}; // a program and its arguments; empty: none
    QString webhook{}; // a URL; empty: none

    friend bool operator==(const AlertRule&, const AlertRule&) = default;
};

} // namespace lockscope::models
