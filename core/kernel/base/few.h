#pragma once

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <variant>
#include <vector>

namespace lockscope {

/// A vector of usually one element, which then stands in place instead of somewhere else.
template<class T>
class Few {
public:
    // NOLINTBEGIN(readability-identifier-naming): as std::vector names them
    using value_type = T;
    using iterator = T*;
    using const_iterator = const T*;

    Few() = default;
    Few(std::initializer_list<T> items) : Few(std::vector<T>(items)) {}
    // NOLINTBEGIN(google-explicit-constructor,hicpp-explicit-conversions): as good as one
    Few(std::vector<T> items)
    {
        if (items.size() == 1) {
            m_items = std::move(items.front());
        } else if (!items.empty()) {
            m_items = std::move(items);
        }
    }
    operator std::vector<T>() const { return std::vector<T>(begin(), end()); }
    // NOLINTEND(google-explicit-constructor,hicpp-explicit-conversions)

    std::size_t size() const
    {
        const auto* const many = std::get_if<std::vector<T>>(&m_items);
        return many != nullptr ? many->size() : m_items.index();
    }
    bool empty() const { return size() == 0; }

    T* data()
    {
        auto* const many = std::get_if<std::vector<T>>(&m_items);
        return many != nullptr ? many->data() : std::get_if<T>(&m_items);
    }
    const T* data() const
    {
        const auto* const many = std::get_if<std::vector<T>>(&m_items);
        return many != nullptr ? many->data() : std::get_if<T>(&m_items);
    }
    iterator begin() { return data(); }
    iterator end() { return data() + size(); }
    const_iterator begin() const { return data(); }
    const_iterator end() const { return data() + size(); }
    T& front() { return *data(); }
    const T& front() const { return *data(); }
    T& back() { return data()[size() - 1]; }
    const T& back() const { return data()[size() - 1]; }
    T& operator[](std::size_t index) { return data()[index]; }
    const T& operator[](std::size_t index) const { return data()[index]; }

    void push_back(T item)
    {
        if (auto* const many = std::get_if<std::vector<T>>(&m_items)) {
            many->push_back(std::move(item));
        } else if (auto* const one = std::get_if<T>(&m_items)) {
            std::vector<T> both;
            both.reserve(2);
            both.push_back(std::move(*one));
            both.push_back(std::move(item));
            m_items = std::move(both);
        } else {
            m_items = std::move(item);
        }
    }
    T& emplace_back()
    {
        push_back(T());
        return back();
    }
    void resize(std::size_t count)
    {
        std::vector<T> items = *this;
        items.resize(count);
        *this = std::move(items);
    }
    void assign(std::size_t count, const T& item) { *this = std::vector<T>(count, item); }
    void clear() { m_items = std::monostate(); }
    // NOLINTEND(readability-identifier-naming)

    friend bool operator==(const Few& a, const Few& b)
    {
        if (a.size() != b.size()) {
            return false;
        }
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (!(a[i] == b[i])) {
                return false;
            }
        }
        return true;
    }

private:
    std::variant<std::monostate, T, std::vector<T>> m_items; // a vector has two or more, or has
                                                             // had them
};

} // namespace lockscope
