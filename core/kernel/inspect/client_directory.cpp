#include "core/kernel/inspect/client_directory.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/store/limits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace lockscope::inspect {

namespace {

/// Shorter pieces of a name or token ("worker", "12") identify no client.
constexpr std::size_t kPieceLengthMin = 8;
constexpr std::string_view kSeparators = ":@/|# ";

std::string_view fieldOf(std::string_view line, std::string_view name)
{
    std::size_t at = 0;
    while (at < line.size()) {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        const std::string_view field = line.substr(at, end - at);
        if (field.size() > name.size() && field.starts_with(name) && field[name.size()] == '=') {
            return field.substr(name.size() + 1);
        }
        at = end + 1;
    }
    return {};
}

/// Empty when it is too long to be worth remembering.
std::string shortFieldOf(std::string_view line, std::string_view name)
{
    const std::string_view field = fieldOf(line, name);
    return field.size() <= store::limits::kClientNameBytesMax ? std::string(field) : std::string();
}

/// 0: it is missing, or no number.
std::uint64_t numberIn(std::string_view line, std::string_view name)
{
    const std::string_view field = fieldOf(line, name);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    return error == std::errc() && end == field.data() + field.size() ? number : 0;
}

/// Connections over a unix socket all have the same address.
bool isSame(const ClientInfo& known, const ClientEntry& client)
{
    return known.address == client.address && known.id == client.id;
}

/// Redis tells that a client is blocked, and by which command, but not on which keys.
bool isBlockedOnList(std::string_view line)
{
    static constexpr std::array<std::string_view, 5> kCommands = {"blpop", "brpop", "brpoplpush",
                                                                  "blmove", "blmpop"};
    return fieldOf(line, "flags").find('b') != std::string_view::npos
           && std::ranges::find(kCommands, fieldOf(line, "cmd")) != kCommands.end();
}

template<class Visit>
void forEachPiece(std::string_view text, Visit visit)
{
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find_first_of(kSeparators, at), text.size());
        if (end > at) {
            visit(text.substr(at, end - at));
        }
        at = end + 1;
    }
}

} // namespace

std::optional<std::vector<ClientEntry>> parseClientList(std::string_view text)
{
    std::vector<ClientEntry> clients;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        ClientEntry entry{shortFieldOf(line, "addr"), shortFieldOf(line, "name"),
                          isBlockedOnList(line), numberIn(line, "id")};
        if (!entry.address.empty() || entry.isBlockedOnList) {
            clients.push_back(std::move(entry));
        }
        if (clients.size() > store::limits::kClientsMax) {
            return std::nullopt;
        }
        at = end + 1;
    }
    return clients;
}

ClientDirectory::ClientDirectory(const std::vector<ClientEntry>& clients)
    : m_blockedOnListCount(std::ranges::count_if(clients, &ClientEntry::isBlockedOnList))
{
    for (const ClientEntry& client : clients) {
        if (client.address.empty()) {
            continue;
        }
        addWord(client.address, client,
                QT_TRANSLATE_NOOP("KernelText", "the token names the address"));
        if (client.name.empty()) {
            continue;
        }
        addWord(client.name, client, QT_TRANSLATE_NOOP("KernelText", "the token names the client"));
        forEachPiece(client.name, [&](std::string_view piece) {
            if (piece.size() >= kPieceLengthMin && piece != client.name) {
                addWord(piece, client,
                        QT_TRANSLATE_NOOP("KernelText", "the client's name contains the token"));
            }
        });
    }
}

void ClientDirectory::addWord(std::string_view word, const ClientEntry& client, const char* how)
{
    const auto [entry, isNew] = m_byWord.try_emplace(std::string(word), nullptr);
    Client& known = entry->second;
    if (isNew) {
        known = std::make_shared<const ClientInfo>(ClientInfo{client.address, client.name, how,
                                                              client.id});
    } else if (known && !isSame(*known, client)) {
        known = nullptr; // a word of two clients points at neither
    }
}

std::shared_ptr<const ClientInfo> ClientDirectory::find(std::string_view owner) const
{
    const Client* const client = lookUp(owner);
    return client != nullptr ? *client : nullptr;
}

const ClientDirectory::Client* ClientDirectory::lookUpWord(std::string_view word) const
{
    const auto entry = m_byWord.find(std::string(word));
    return entry != m_byWord.end() ? &entry->second : nullptr;
}

const ClientDirectory::Client* ClientDirectory::lookUp(std::string_view owner) const
{
    if (owner.empty() || m_byWord.empty()) {
        return nullptr;
    }
    if (const Client* const client = lookUpWord(owner)) {
        return client;
    }
    const Client* best = nullptr;
    const auto consider = [&](std::string_view word) {
        const Client* const found = word.size() >= kPieceLengthMin ? lookUpWord(word) : nullptr;
        if (found != nullptr && (best == nullptr || !*best)) {
            best = found; // one client is better than several that fit
        }
    };
    std::string_view before;
    forEachPiece(owner, [&](std::string_view piece) {
        consider(piece);
        if (!before.empty()) {
            // "10.0.0.7:51622" is two pieces that belong together.
            const auto begin = static_cast<std::size_t>(before.data() - owner.data());
            const auto end = static_cast<std::size_t>(piece.data() - owner.data()) + piece.size();
            consider(owner.substr(begin, end - begin));
        }
        before = piece;
    });
    return best;
}

bool ClientDirectory::hasOthersThan(const ClientDirectory& earlier) const
{
    return std::ranges::any_of(m_byWord, [&earlier](const auto& entry) {
        const auto known = earlier.m_byWord.find(entry.first);
        return known == earlier.m_byWord.end() || (!known->second && entry.second);
    });
}

bool operator==(const ClientDirectory& a, const ClientDirectory& b)
{
    if (a.m_blockedOnListCount != b.m_blockedOnListCount
        || a.m_byWord.size() != b.m_byWord.size()) {
        return false;
    }
    return std::ranges::all_of(a.m_byWord, [&b](const auto& entry) {
        const auto other = b.m_byWord.find(entry.first);
        if (other == b.m_byWord.end() || !entry.second || !other->second) {
            return other != b.m_byWord.end() && entry.second == other->second;
        }
        return *entry.second == *other->second;
    });
}

} // namespace lockscope::inspect
