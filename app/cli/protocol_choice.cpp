#include "cli/protocol_choice.h"

#include "protocol/catalogue.h"
#include "protocol/own_protocol.h"

#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

namespace lockscope::cli {

using app::ArgumentError;
using app::inQuotes;
using app::Words;
using protocol::KeyUse;
using protocol::LockProtocol;

namespace {

ProtocolPtr withoutOwning(const LockProtocol* protocol)
{
    return {std::shared_ptr<const void>(), protocol};
}

std::vector<ProtocolPtr> builtinOnes()
{
    std::vector<ProtocolPtr> protocols;
    for (const LockProtocol* const protocol : protocol::builtinProtocols()) {
        protocols.push_back(withoutOwning(protocol));
    }
    return protocols;
}

/// Ids have neither slashes nor dots.
bool isFileName(std::string_view word)
{
    return word.find('/') != std::string_view::npos || word.ends_with(".json");
}

/// What does not fit between a protocol and the servers that were named; none named fits.
std::string complaintAboutServers(const Words& words, const protocol::ProtocolInfo& info)
{
    const std::size_t count = words.values("url").size();
    if (count > 1 && info.keys != KeyUse::OnePerServer) {
        return info.id + " uses a single server, but " + std::to_string(count)
               + " are specified with --url";
    }
    return {};
}

} // namespace

std::optional<std::string> ownFileOf(const Words& words)
{
    const std::optional<std::string> named = words.value("protocol");
    return named && isFileName(*named) ? named : words.value("protocol-file");
}

std::variant<std::vector<ProtocolPtr>, ArgumentError> knownProtocols(const Words& words)
{
    std::vector<ProtocolPtr> known = builtinOnes();
    if (const std::optional<std::string> path = ownFileOf(words)) {
        auto own = savedProtocolOfFile(*path);
        if (auto* const error = std::get_if<ArgumentError>(&own)) {
            return std::move(*error);
        }
        known.push_back(std::move(std::get<report::SavedProtocol>(own).protocol));
    }
    return known;
}

std::variant<ProtocolPtr, ArgumentError> protocolOf(std::string_view id,
                                                    const std::vector<ProtocolPtr>& known)
{
    std::vector<std::string_view> ids;
    for (const ProtocolPtr& protocol : known) {
        if (protocol->info().id == id) {
            return protocol;
        }
        ids.push_back(protocol->info().id);
    }
    const std::string_view meant = app::closestTo(id, ids);
    const std::string reason = "there is no protocol " + inQuotes(id);
    return ArgumentError{meant.empty() ? reason + "; \"lockscope-cli protocols\" lists them"
                                       : reason + "; did you mean " + std::string(meant) + '?'};
}

std::variant<ProtocolPtr, ArgumentError> chosenProtocol(const Words& words,
                                                        std::string_view fallback)
{
    auto known = knownProtocols(words);
    if (auto* const error = std::get_if<ArgumentError>(&known)) {
        return std::move(*error);
    }
    const auto& protocols = std::get<std::vector<ProtocolPtr>>(known);
    const std::string named = words.value("protocol").value_or("");
    const bool isOwn = isFileName(named) || (named.empty() && ownFileOf(words));
    const std::string id = isOwn            ? protocols.back()->info().id
                           : !named.empty() ? named
                                            : std::string(fallback);
    if (id.empty()) {
        return ArgumentError{"--protocol ID is missing; \"lockscope-cli protocols\" lists them"};
    }
    auto chosen = protocolOf(id, protocols);
    if (const auto* const protocol = std::get_if<ProtocolPtr>(&chosen)) {
        std::string complaint = complaintAboutServers(words, (*protocol)->info());
        if (!complaint.empty()) {
            return ArgumentError{std::move(complaint)};
        }
    }
    return chosen;
}

std::variant<std::string, ArgumentError> contentOf(const std::string& path, std::string_view what)
{
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file.is_open() || file.bad()) {
        return ArgumentError{std::string(what) + ' ' + inQuotes(path) + " cannot be read"};
    }
    return text;
}

std::variant<report::SavedProtocol, ArgumentError> savedProtocolOfFile(const std::string& path)
{
    auto content = contentOf(path, "the protocol file");
    if (auto* const error = std::get_if<ArgumentError>(&content)) {
        return std::move(*error);
    }
    report::SavedProtocol saved;
    saved.ownText = std::move(std::get<std::string>(content));
    auto read = protocol::readProtocol(saved.ownText);
    if (const auto* const error = std::get_if<protocol::ProtocolFileError>(&read)) {
        return ArgumentError{"the protocol file " + inQuotes(path) + ", " + toText(*error)};
    }
    saved.protocol = std::move(std::get<std::unique_ptr<LockProtocol>>(read));
    return saved;
}

std::variant<report::SavedProtocol, ArgumentError> savedProtocol(const std::string& word)
{
    if (isFileName(word)) {
        return savedProtocolOfFile(word);
    }
    auto found = protocolOf(word, builtinOnes());
    if (auto* const error = std::get_if<ArgumentError>(&found)) {
        return std::move(*error);
    }
    return report::SavedProtocol{std::move(std::get<ProtocolPtr>(found)), {}};
}

} // namespace lockscope::cli
