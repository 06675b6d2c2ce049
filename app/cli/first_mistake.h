#pragma once

#include "option_parser.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace lockscope::cli {

/// For readers that go on after a mistake, with something harmless in its place, and tell the first
/// one in the end.
class FirstMistake {
public:
    const std::optional<app::ArgumentError>& error() const { return m_error; }

    void fail(std::string reason)
    {
        if (!m_error) {
            m_error = app::ArgumentError{std::move(reason)};
        }
    }

    /// What was read; a default after a mistake.
    template<class T>
    T take(std::variant<T, app::ArgumentError> result)
    {
        if (auto* const error = std::get_if<app::ArgumentError>(&result)) {
            fail(std::move(error->reason));
            return T();
        }
        return std::move(std::get<T>(result));
    }

    /// Everything that was read, unless there was a mistake.
    template<class T>
    std::variant<T, app::ArgumentError> orResult(T all) const
    {
        if (m_error) {
            return *m_error;
        }
        return all;
    }

private:
    std::optional<app::ArgumentError> m_error;
};

} // namespace lockscope::cli
