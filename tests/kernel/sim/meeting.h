#pragma once

#include "core/kernel/sim/sim_server.h"
#include "tests/kernel/sim/sim_talk.h"

#include <QByteArray>

#include <string_view>

namespace lockscope::testing {

/// Several clients of one simulated server.
struct Meeting {
    sim::LuaEngine lua;
    sim::SimServer server{lua};
    sim::ServerTime now{std::chrono::seconds(1'000'000)};
    sim::SessionId alice = server.connect();
    sim::SessionId bob = server.connect();
    sim::SessionId carol = server.connect();

    QByteArray say(sim::SessionId who, std::string_view line)
    {
        const auto reply = server.run(who, store::Command(SimTalk::wordsOf(line)), now);
        return reply ? QByteArray::fromStdString(replyText(*reply)) : QByteArray("later");
    }
    /// What came by itself: "2: nil; 3: [...]".
    QByteArray heard()
    {
        QByteArray text;
        for (const sim::Delivery& delivery : server.takeDeliveries()) {
            text += (text.isEmpty() ? "" : "; ") + QByteArray::number(delivery.session) + ": "
                    + QByteArray::fromStdString(replyText(delivery.reply));
        }
        return text;
    }
};

} // namespace lockscope::testing
