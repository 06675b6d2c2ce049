#pragma once

#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/sim/sim_database.h"
#include "tests/support/reply_text.h"

#include <QByteArray>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::testing {

/// A simulated server that is spoken to in plain words, at an instant the test chooses.
class SimTalk {
public:
    sim::SimDatabase database;
    sim::LuaEngine lua;
    sim::ServerTime now{std::chrono::seconds(1'000'000)};

    store::Reply ask(std::vector<Bytes> words)
    {
        return database.run(store::Command(std::move(words)), {lua, now});
    }
    /// The words are what stands between single spaces.
    QByteArray operator()(std::string_view line)
    {
        return QByteArray::fromStdString(replyText(ask(wordsOf(line))));
    }
    /// The answer of a script with KEYS {a, b} and ARGV {x, 5}.
    QByteArray eval(std::string_view text)
    {
        return QByteArray::fromStdString(replyText(ask({"EVAL", Bytes(text), "2", "a", "b", "x",
                                                        "5"})));
    }

    static std::vector<Bytes> wordsOf(std::string_view line)
    {
        std::vector<Bytes> words;
        while (true) {
            const std::size_t space = line.find(' ');
            words.emplace_back(line.substr(0, space));
            if (space == std::string_view::npos) {
                return words;
            }
            line.remove_prefix(space + 1);
        }
    }
};

} // namespace lockscope::testing
