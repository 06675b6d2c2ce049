#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/inspect/lock_record.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lockscope::inspect {

/// One line of CLIENT LIST, as far as it helps to recognise a holder.
struct ClientEntry {
    std::string address;          // addr=
    std::string name;             // name=
    bool isBlockedOnList = false; // in BLPOP or its kin
    std::uint64_t id = 0;         // id=; 0: the server does not tell
    friend bool operator==(const ClientEntry&, const ClientEntry&) = default;
};

/// Reads the reply to CLIENT LIST (Redis 2.4 to 7.2). Lines that make no sense are skipped. nullopt
/// when there are too many clients (limits::kClientsMax): then it cannot be shown that only
/// one of them fits an owner.
std::optional<std::vector<ClientEntry>> parseClientList(std::string_view text);

/// Finds the connected client behind an owner token. Redis does not record who wrote a key, so this
/// only works where the token names the client or the client's name contains the token; how it was
/// found is part of the answer. Nothing is guessed.
class ClientDirectory {
public:
    ClientDirectory() = default;
    explicit ClientDirectory(const std::vector<ClientEntry>& clients);

    /// null when no client fits, or more than one does.
    std::shared_ptr<const ClientInfo> find(std::string_view owner) const;

    /// True when at least one client fits.
    bool hasAnyFor(std::string_view owner) const { return lookUp(owner) != nullptr; }

    bool isEmpty() const { return m_byWord.empty(); }

    /// True when an owner may fit a client of these that fits none of `earlier`.
    bool hasOthersThan(const ClientDirectory& earlier) const;

    /// Whether both say the same of every owner.
    friend bool operator==(const ClientDirectory& a, const ClientDirectory& b);

    /// Of the whole server; nullopt when its clients were not listed.
    std::optional<int> blockedOnListCount() const { return m_blockedOnListCount; }

private:
    using Client = std::shared_ptr<const ClientInfo>; // null: several fit

    void addWord(std::string_view word, const ClientEntry& client, const char* how);
    const Client* lookUp(std::string_view owner) const;
    const Client* lookUpWord(std::string_view word) const;

    /// Words that identify a client; null where two clients share the word.
    std::unordered_map<std::string, Client> m_byWord;
    std::optional<int> m_blockedOnListCount;
};

} // namespace lockscope::inspect
