#pragma once

#include "core/kernel/search/explorer.h"
#include "tests/kernel/world/stage.h"

#include <QByteArray>

#include <algorithm>
#include <string_view>
#include <utility>

namespace lockscope::testing {

/// A search for everything in one plan.
struct SearchBench {
    std::string_view protocol;
    world::WorldPlan plan;
    search::Bounds bounds{};
    std::optional<search::Goal> goal{};
    bool isReduced = true;
    search::GoOn goOn{};

    search::Exploration run() const
    {
        sim::LuaEngine lua;
        return search::Explorer({*protocol::findProtocol(protocol), plan, lua, bounds, goal,
                                 isReduced, goOn})
            .run();
    }
};

/// Every kind that broke with the length of its run, sorted: "double-grant 4; wrong-release 7".
inline QByteArray textOf(const search::Exploration& exploration)
{
    QByteArrayList lines;
    for (const search::Finding& finding : exploration.findings) {
        lines << QByteArray(idOf(finding.violation.kind).data()) + ' '
                     + QByteArray::number(finding.length);
    }
    std::ranges::sort(lines);
    return lines.join("; ");
}

/// The steps as files have them, one after the other.
inline QByteArray textOf(const std::vector<world::Step>& steps)
{
    QByteArrayList lines;
    for (const world::Step& step : steps) {
        lines << QByteArray::fromStdString(toText(step));
    }
    return lines.join("; ");
}

} // namespace lockscope::testing
