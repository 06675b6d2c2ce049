#pragma once

#include "core/kernel/store/endpoint.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace lockscope::bench {

/// A foreign lock library, with a program beside this file that measures it.
struct Rival {
    QString name;
    QString program;
    QStringList arguments;
    bool isInstalled = false;
};

/// For so many users at once.
std::vector<Rival> rivals(int userCount);

/// How many users lock and unlock how many keys, none of which two of them want.
struct RivalLoad {
    int userCount;
    int keyCount;
    int seconds;
};

/// What the rival does per second; nullopt when it fails, which it says itself on standard error.
std::optional<double> pairsPerSecond(const Rival& rival, const store::Endpoint& server,
                                     RivalLoad load);

} // namespace lockscope::bench
