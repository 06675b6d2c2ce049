#include "app/cli/options/protocol_choice.h"

#include "app/quoted_words.h"
#include "core/files/file_limits.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/own_protocol.h"

#include <utility>
#include <variant>

namespace lockscope::cli {

using app::ArgumentError;
using app::inQuotes;
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

} // namespace

std::string ProtocolChoice::ownFile() const
{
    return isFileName(id) ? id : file;
}

std::vector<ProtocolPtr> knownProtocols(const ProtocolChoice& choice)
{
    std::vector<ProtocolPtr> known = builtinOnes();
    if (const std::string path = choice.ownFile(); !path.empty()) {
        known.push_back(savedProtocolOfFile(path).protocol);
    }
    return known;
}

ProtocolPtr protocolOf(std::string_view id, const std::vector<ProtocolPtr>& known)
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
    throw ArgumentError{meant.empty() ? reason + "; \"lockscope-cli protocols\" lists them"
                                      : reason + "; did you mean " + std::string(meant) + '?'};
}

ProtocolPtr chosenProtocol(const ProtocolChoice& choice, std::string_view fallback,
                           std::size_t serverCount)
{
    const std::vector<ProtocolPtr> known = knownProtocols(choice);
    const bool isOwn = isFileName(choice.id) || (choice.id.empty() && !choice.file.empty());
    const std::string id = isOwn               ? known.back()->info().id
                           : choice.id.empty() ? std::string(fallback)
                                               : choice.id;
    if (id.empty()) {
        throw ArgumentError{"--protocol ID is missing; \"lockscope-cli protocols\" lists them"};
    }
    ProtocolPtr chosen = protocolOf(id, known);
    if (serverCount > 1 && chosen->info().keys != KeyUse::OnePerServer) {
        throw ArgumentError{id + " uses a single server, but " + std::to_string(serverCount)
                            + " are specified with --url"};
    }
    return chosen;
}

std::string contentOf(const std::string& path, std::string_view what, std::size_t sizeMax)
{
    auto read = files::readWhole(path, sizeMax);
    if (const auto* const failure = std::get_if<files::Unreadable>(&read)) {
        throw ArgumentError{std::string(what) + ' ' + inQuotes(path) + " cannot be read ("
                            + failure->reason + ')'};
    }
    return std::move(std::get<std::string>(read));
}

report::SavedProtocol savedProtocolOfFile(const std::string& path)
{
    report::SavedProtocol saved;
    saved.ownText = contentOf(path, "the protocol file", files::kProtocolFileMax);
    auto read = protocol::readProtocol(saved.ownText);
    if (const auto* const error = std::get_if<protocol::ProtocolFileError>(&read)) {
        throw ArgumentError{"the protocol file " + inQuotes(path) + ", " + toText(*error)};
    }
    saved.protocol = std::move(std::get<std::unique_ptr<LockProtocol>>(read));
    return saved;
}

report::SavedProtocol savedProtocol(const std::string& word)
{
    return isFileName(word) ? savedProtocolOfFile(word)
                            : report::SavedProtocol{protocolOf(word, builtinOnes()), {}};
}

} // namespace lockscope::cli
