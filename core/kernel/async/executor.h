#pragma once

namespace lockscope::async {

/// Something that is to run once, later, on an executor. It is a node of the executor's queue and
/// leaves the queue when it is destroyed, so dropping the owner cancels the call. Neither copied
/// nor moved.
class Continuation {
public:
    Continuation() = default;
    Continuation(const Continuation&) = delete;
    Continuation& operator=(const Continuation&) = delete;

    virtual ~Continuation() { unlink(); }

    virtual void run() = 0;

    bool isQueued() const { return m_next != nullptr; }

private:
    friend class ReadyQueue;

    void unlink()
    {
        if (m_next == nullptr) {
            return;
        }
        m_previous->m_next = m_next;
        m_next->m_previous = m_previous;
        m_previous = m_next = nullptr;
    }

    Continuation* m_previous = nullptr;
    Continuation* m_next = nullptr;
};

/// Where continuations run. One executor belongs to one thread: nothing here is safe to call from
/// another.
class Executor {
public:
    virtual ~Executor() = default;

    /// Runs `continuation` later, never from inside this call. Posting one that is queued already
    /// does nothing.
    virtual void post(Continuation& continuation) = 0;
};

/// A first-in first-out executor that runs on request: the core of all other executors.
class ReadyQueue final : public Executor {
public:
    ReadyQueue() { m_head.m_previous = m_head.m_next = &m_head; }
    ~ReadyQueue() override
    {
        while (!isEmpty()) {
            m_head.m_next->unlink();
        }
    }
    ReadyQueue(const ReadyQueue&) = delete;
    ReadyQueue& operator=(const ReadyQueue&) = delete;

    bool isEmpty() const { return m_head.m_next == &m_head; }

    void post(Continuation& continuation) override
    {
        if (continuation.isQueued()) {
            return;
        }
        continuation.m_previous = m_head.m_previous;
        continuation.m_next = &m_head;
        m_head.m_previous->m_next = &continuation;
        m_head.m_previous = &continuation;
    }

    /// Runs the oldest continuation. Returns false when there was none.
    bool runOne()
    {
        if (isEmpty()) {
            return false;
        }
        Continuation* const first = m_head.m_next;
        first->unlink();
        first->run();
        return true;
    }

    void runAll()
    {
        while (runOne()) {}
    }

private:
    struct Head final : Continuation {
        void run() override {}
    };
    Head m_head; // the ring's fixed node: its neighbours are the oldest and the newest entry
};

} // namespace lockscope::async
