#include "core/kernel/sim/sim_database.h"

#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_table.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lockscope::sim {

using store::Reply;

Reply SimDatabase::run(const store::Command& command, const CommandContext& context)
{
    const CommandSpec* const spec = findCommand(command.words);
    if (std::optional<Reply> refusal = refusalOf(command.words, spec)) {
        return std::move(*refusal);
    }
    if (spec->kind == CommandKind::Connection) {
        return replies::error("'" + std::string(spec->name) + "' needs a connection");
    }
    return run(*spec, command.words, context);
}

Reply SimDatabase::run(const CommandSpec& spec, const std::vector<Bytes>& words,
                       const CommandContext& context)
{
    assert(spec.handler != nullptr && spec.acceptsWordCount(words.size()));
    Call call{*this, spec, words, context};
    return spec.handler(call);
}

const CachedScript* ScriptCache::find(std::string_view digest) const
{
    if (!m_scripts) {
        return nullptr;
    }
    const auto place = std::ranges::lower_bound(*m_scripts, digest, std::less<>(),
                                                &CachedScript::digest);
    return place != m_scripts->end() && place->digest == digest ? &*place : nullptr;
}

const CachedScript& ScriptCache::remember(std::string_view digest, std::string_view text)
{
    if (const CachedScript* const known = find(digest)) {
        return *known;
    }
    // A new list each time: copies of the server share the old one. Scripts are learnt seldom and
    // servers copied for every run.
    auto scripts = m_scripts ? std::make_shared<Scripts>(*m_scripts) : std::make_shared<Scripts>();
    const auto place = std::ranges::lower_bound(*scripts, digest, std::less<>(),
                                                &CachedScript::digest);
    const auto added = scripts->insert(place, CachedScript{Bytes(digest),
                                                           std::make_shared<const Bytes>(text)});
    const CachedScript& script = *added;
    m_scripts = std::move(scripts);
    // The digest stands for the text, and the order in which scripts came means nothing.
    m_hash.add(contentHashOf(digest));
    return script;
}

std::uint64_t SimDatabase::contentHash() const
{
    ContentHash hash(m_keys.contentHash());
    hash.add(m_scripts.contentHash());
    return hash.value();
}

} // namespace lockscope::sim
