#pragma once

#include <memory>
#include <optional>
#include <utility>

namespace lockscope {

/// An optional value with a place of its own, so that what holds it stays small where the value is
/// seldom there. A value like any other: copies are copied with what is in them. Empty after it was
/// moved from. Of an empty one a T is read as it is by default: who looks without asking finds no
/// problem, and nothing breaks.
template<class T>
class Boxed {
public:
    Boxed() = default;
    Boxed(std::nullopt_t) {}
    Boxed(T value) : m_value(std::make_unique<T>(std::move(value))) {}
    Boxed(const Boxed& other) : m_value(other ? std::make_unique<T>(*other) : nullptr) {}
    Boxed(Boxed&& other) noexcept = default;
    Boxed& operator=(const Boxed& other)
    {
        m_value = other ? std::make_unique<T>(*other) : nullptr;
        return *this;
    }
    Boxed& operator=(Boxed&& other) noexcept = default;

    // NOLINTNEXTLINE(readability-identifier-naming): as std::optional names it
    bool has_value() const { return m_value != nullptr; }
    explicit operator bool() const { return has_value(); }

    T& operator*()
    {
        if (!m_value) {
            m_value = std::make_unique<T>();
        }
        return *m_value;
    }
    const T& operator*() const
    {
        static const T kDefault{};
        return m_value ? *m_value : kDefault;
    }
    T* operator->() { return &**this; }
    const T* operator->() const { return &**this; }

    friend bool operator==(const Boxed& a, const Boxed& b)
    {
        return a && b ? *a == *b : a.has_value() == b.has_value();
    }

private:
    std::unique_ptr<T> m_value;
};

} // namespace lockscope
