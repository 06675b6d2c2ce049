#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/rng.h"

#include <QByteArray>
#include <QRandomGenerator>

#include <string>
#include <string_view>

namespace lockscope::testing {

/// Input for tests that try what was not thought of. Every run tries something else;
/// LOCKSCOPE_SEED=N in the environment repeats a run, and recipe() says so when a test fails.
class RandomInput {
public:
    RandomInput()
        : m_seed(qEnvironmentVariableIsSet("LOCKSCOPE_SEED")
                     ? qgetenv("LOCKSCOPE_SEED").toULongLong()
                     : QRandomGenerator::global()->generate64()),
          m_rng(m_seed)
    {}

    Rng& rng() { return m_rng; }

    /// Up to `maxLength` bytes of any value.
    Bytes bytes(std::size_t maxLength)
    {
        Bytes out(m_rng.below(maxLength + 1), '\0');
        for (char& c : out) {
            c = static_cast<char>(m_rng.below(256));
        }
        return out;
    }

    /// Up to `maxCount` pieces, one after the other: garbage that gets further than random bytes
    /// would.
    template<class Pieces>
    Bytes assembled(const Pieces& pieces, std::size_t maxCount)
    {
        Bytes out;
        for (std::size_t count = m_rng.below(maxCount + 1); count > 0; --count) {
            out += pieces[m_rng.below(std::size(pieces))];
        }
        return out;
    }

    /// What a failing check prints.
    std::string recipe(std::string_view input = {}) const
    {
        return "LOCKSCOPE_SEED=" + std::to_string(m_seed) + " input: " + escaped(input);
    }

private:
    std::uint64_t m_seed;
    Rng m_rng;
};

} // namespace lockscope::testing
