#pragma once

#include "ui/widgets/shell/settings.h"

#include <QByteArray>

namespace lockscope::widgets {

/// Profiles of servers as a file to hand on: JSON, without any password.
QByteArray profilesToJson(const QList<ServerProfile>& profiles);

/// What such a file holds.
struct ReadProfiles {
    QList<ServerProfile> profiles;
    QString problem; // why the file cannot be read; the list is empty then
};

/// A password that somebody wrote into a URL is dropped. Profiles without a name or without an
/// address that can be read are a problem, and nothing is read.
ReadProfiles profilesFromJson(const QByteArray& json);

} // namespace lockscope::widgets
