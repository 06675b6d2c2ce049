#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace lockscope {

template<class T>
class Shared;

/// A value and how many point to it.
template<class Value>
struct SharedBox {
    template<class... Arguments>
    explicit SharedBox(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...)
    {}

    std::atomic<std::uint32_t> owners = 1;
    Value value;
};

/// A pointer to a value that lives as long as somebody points to it: as std::shared_ptr, with
/// nothing but the count beside the value, and half the size: worth it where there are a million.
/// Pointers to one value may come and go in several threads.
template<class T>
class Shared {
public:
    Shared() = default;
    Shared(std::nullptr_t) {} // NOLINT(google-explicit-constructor): as of any pointer
    Shared(const Shared& other) : m_box(other.m_box) { keep(); }
    Shared(Shared&& other) noexcept : m_box(std::exchange(other.m_box, nullptr)) {}
    /// Of what may be changed, to be read only.
    template<class Other>
        requires(!std::is_same_v<Other, T> && std::is_same_v<const Other, T>)
    Shared(Shared<Other> other) // NOLINT(google-explicit-constructor)
        : m_box(std::exchange(other.m_box, nullptr))
    {}
    ~Shared() { letGo(); }

    Shared& operator=(Shared other) noexcept
    {
        std::swap(m_box, other.m_box);
        return *this;
    }

    T* get() const { return m_box != nullptr ? &m_box->value : nullptr; }
    T& operator*() const { return m_box->value; }
    T* operator->() const { return &m_box->value; }
    explicit operator bool() const { return m_box != nullptr; }
    void reset() { *this = Shared(); }

    /// The same value, not an equal one.
    friend bool operator==(const Shared& a, const Shared& b) { return a.m_box == b.m_box; }

private:
    template<class Other>
    friend class Shared;
    template<class Made, class... Arguments>
    friend Shared<Made> makeShared(Arguments&&... arguments);

    using Box = SharedBox<std::remove_const_t<T>>;
    explicit Shared(Box* box) : m_box(box) {}

    void keep() const
    {
        if (m_box != nullptr) {
            m_box->owners.fetch_add(1, std::memory_order_relaxed);
        }
    }
    void letGo() const
    {
        if (m_box != nullptr && m_box->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            delete m_box; // NOLINT(*-cplusplus.NewDelete): the analyzer does not count
        }
    }

    Box* m_box = nullptr;
};

template<class Made, class... Arguments>
Shared<Made> makeShared(Arguments&&... arguments)
{
    return Shared<Made>(
        new SharedBox<std::remove_const_t<Made>>(std::forward<Arguments>(arguments)...));
}

} // namespace lockscope
