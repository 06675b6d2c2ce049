#pragma once

#include "core/kernel/base/rng.h"
#include "core/kernel/store/command.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lockscope::testing {

/// Makes up commands and scripts over a few keys and values, most of them well-formed. What they do
/// does not depend on how fast they are carried out: expiries lie minutes ahead or have passed,
/// relative and absolute ones never coincide, and no number that is stored comes from a clock.
class CommandGrammar {
public:
    /// `baseMs`: what the clocks show, more or less, in ms since 1970.
    CommandGrammar(Rng rng, std::int64_t baseMs) : m_rng(rng), m_baseMs(baseMs) {}

    store::Command next();

    /// Whatever can be seen of all keys that next() uses.
    static std::vector<store::Command> stateQueries();

private:
    Bytes word(std::string_view symbol);
    Bytes timeWord(char symbol);
    store::Command fromTemplate(std::string_view form);
    store::Command script();
    store::Command protocolScript();
    void spoil(store::Command& command, std::string_view form);
    template<class Pool>
    Bytes oneOf(const Pool& pool)
    {
        return Bytes(pool[m_rng.below(std::size(pool))]);
    }

    Rng m_rng;
    std::int64_t m_baseMs;
};

} // namespace lockscope::testing
