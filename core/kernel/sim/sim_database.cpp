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

namespace {

/// The beginning of a digest as a number: the same order, and one comparison instead of a call.
/// Digests are as good as random, so it nearly always decides.
std::uint64_t beginningOf(std::string_view digest)
{
    std::uint64_t beginning = 0;
    for (std::size_t i = 0; i < sizeof(beginning); ++i) {
        const auto octet = i < digest.size() ? static_cast<unsigned char>(digest[i]) : 0U;
        beginning = beginning << 8U | octet;
    }
    return beginning;
}

} // namespace

const CachedScript* ScriptCache::find(std::string_view digest) const
{
    const std::span<const CachedScript> known = scripts();
    const std::uint64_t beginning = beginningOf(digest);
    auto place = std::ranges::lower_bound(known, beginning, {}, &CachedScript::beginning);
    while (place != known.end() && place->beginning == beginning && place->digest != digest) {
        ++place;
    }
    return place != known.end() && place->beginning == beginning ? &*place : nullptr;
}

const CachedScript& ScriptCache::remember(std::string_view digest, std::string_view text)
{
    if (const CachedScript* const known = find(digest)) {
        return *known;
    }
    // A new list each time: copies of the server share the old one. Scripts are learnt seldom and
    // servers copied for every run.
    auto scripts = std::make_shared<Scripts>();
    if (m_scripts) {
        *scripts = *m_scripts;
    } else {
        for (const CachedScript& borrowed : m_borrowed) {
            scripts->push_back({borrowed.digest, borrowed.text, nullptr, borrowed.beginning});
        }
    }
    const auto place = std::ranges::lower_bound(*scripts, digest, {}, &CachedScript::digest);
    auto kept = std::make_shared<const CachedScript::Kept>(CachedScript::Kept{Bytes(digest),
                                                                              Bytes(text)});
    const auto added = scripts->insert(place, CachedScript{kept->digest, kept->text, kept,
                                                           beginningOf(kept->digest)});
    const CachedScript& script = *added;
    m_scripts = std::move(scripts);
    m_borrowed = {};
    // The digest stands for the text, and the order in which scripts came means nothing.
    m_hash.add(contentHashOf(digest));
    return script;
}

void ScriptCache::borrow(const ScriptCache& lender)
{
    m_scripts = nullptr;
    m_borrowed = lender.scripts();
    m_hash = lender.m_hash;
}

std::uint64_t SimDatabase::contentHash() const
{
    ContentHash hash(m_keys.contentHash());
    hash.add(m_scripts.contentHash());
    return hash.value();
}

} // namespace lockscope::sim
