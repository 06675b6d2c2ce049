#pragma once

#include "core/kernel/async/gate.h"
#include "core/kernel/base/bytes.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

namespace lockscope::store {

/// What a subscription hears, in order.
struct Notice {
    enum class Kind : std::uint8_t {
        Listening, // the server has confirmed the subscription: nothing published from now on is
                   // missed
        Message,   // a client published `payload`
        Deaf,      // the connection is gone, or the server refused: messages may have been missed.
                   // Listening comes again after a reconnection
    };
    Kind kind = Kind::Deaf;
    Bytes payload;

    friend bool operator==(const Notice&, const Notice&) = default;
};

/// Where the notices of one subscription wait until they are taken.
class Mailbox {
public:
    explicit Mailbox(async::Gate& bell) : m_bell(&bell) {}

    void put(Notice notice)
    {
        if (m_bell != nullptr) {
            m_notices.push_back(std::move(notice));
            m_bell->open();
        }
    }
    std::optional<Notice> takeNotice()
    {
        if (m_notices.empty()) {
            return std::nullopt;
        }
        Notice notice = std::move(m_notices.front());
        m_notices.pop_front();
        return notice;
    }

    /// The subscription is gone: no notice will be taken any more.
    void close() { m_bell = nullptr; }
    bool isClosed() const { return m_bell == nullptr; }

private:
    async::Gate* m_bell;
    std::deque<Notice> m_notices;
};

/// One channel that a task listens to; ends with this object.
class Subscription {
public:
    explicit Subscription(std::shared_ptr<Mailbox> mailbox) : m_mailbox(std::move(mailbox)) {}
    Subscription(Subscription&&) noexcept = default;
    Subscription& operator=(Subscription&& other) noexcept
    {
        std::swap(m_mailbox, other.m_mailbox);
        return *this;
    }
    ~Subscription()
    {
        if (m_mailbox) {
            m_mailbox->close();
        }
    }

    /// The oldest notice that was not taken yet.
    std::optional<Notice> takeNotice() { return m_mailbox->takeNotice(); }

private:
    std::shared_ptr<Mailbox> m_mailbox;
};

/// The pub/sub side of one server. Belongs to one executor.
class Channels {
public:
    virtual ~Channels() = default;

    /// Listens to one channel. `bell` is opened with every notice and outlives the subscription.
    virtual Subscription subscribe(Bytes channel, async::Gate& bell) = 0;
};

} // namespace lockscope::store
