#include "core/conduct/script_shelf.h"

#include "core/kernel/base/characters.h"

#include <algorithm>

namespace lockscope::conduct {

namespace {

/// nullptr: it sends none.
const Bytes* scriptIn(const store::Command& command)
{
    const std::vector<Bytes>& words = command.words;
    if (words.size() > 2
        && (equalsIgnoringCase(words[0], "eval") || equalsIgnoringCase(words[0], "eval_ro"))) {
        return &words[1];
    }
    const bool isLoad = words.size() == 3 && equalsIgnoringCase(words[0], "script")
                        && equalsIgnoringCase(words[1], "load");
    return isLoad ? &words[2] : nullptr;
}

} // namespace

void ScriptShelf::keep(const store::Command& command)
{
    const Bytes* const script = scriptIn(command);
    if (script == nullptr) {
        return;
    }
    const std::lock_guard guard(m_mutex);
    if (m_size + script->size() <= kSizeMax && m_known.insert(*script).second) {
        m_scripts.push_back(*script);
        m_size += script->size();
    }
}

std::vector<Bytes> ScriptShelf::scriptsFrom(std::size_t count) const
{
    const std::lock_guard guard(m_mutex);
    const auto first = static_cast<std::ptrdiff_t>(std::min(count, m_scripts.size()));
    return {m_scripts.begin() + first, m_scripts.end()};
}

} // namespace lockscope::conduct
