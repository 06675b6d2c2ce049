#pragma once

#include "core/conduct/cast.h"
#include "core/conduct/clock_library.h"
#include "tests/support/source_tree.h"

#include <chrono>
#include <string>
#include <vector>

namespace lockscope::testing {

/// What starts a program of tests/conduct/clients, which is right or wrong in one way.
inline std::vector<std::string> clientWords(const QString& program, const std::string& habit)
{
    return {"python3",
            inSourceTree(QStringLiteral("tests/conduct/clients/") + program).toStdString(), habit};
}

inline std::vector<std::string> lockClientWords(const std::string& habit)
{
    return clientWords(QStringLiteral("lock_client.py"), habit);
}

/// The same as an adapter with a lease of two seconds, on the clock of the conductor.
inline conduct::AdapterSetting lockClient(const std::string& habit)
{
    conduct::AdapterSetting setting;
    setting.words = lockClientWords(habit);
    setting.lease = std::chrono::seconds(2);
    setting.clockLibrary = conduct::clockLibrary();
    return setting;
}

} // namespace lockscope::testing
