#pragma once

#include "ui/models/protocol_list_model.h"

#include <QList>

namespace lockscope::models {

/// A protocol of the user's own, as it is kept from one run of the program to the next.
struct KeptProtocol {
    QString file; // empty: it is in none
    QString text; // of that file, or what would be in it

    friend bool operator==(const KeptProtocol&, const KeptProtocol&) = default;
};

/// No more are kept: the latest.
inline constexpr qsizetype kKeptProtocolsMax = 20;

/// The user's own ones of the list, in its order.
QList<KeptProtocol> keptProtocols(const ProtocolListModel& protocols);

/// Adds them to the list. What is in a file is read from there; a file that is gone or no protocol
/// any more leaves out its protocol.
void addKept(ProtocolListModel& protocols, const QList<KeptProtocol>& kept);

} // namespace lockscope::models
