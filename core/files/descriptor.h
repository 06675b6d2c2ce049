#pragma once

#include <unistd.h>

#include <utility>

namespace lockscope::files {

/// A file descriptor that closes itself; -1: none.
class Descriptor {
public:
    explicit Descriptor(int number) : m_number(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return m_number; }
    /// Some file systems report a full disk only here. False: errno says why.
    bool close()
    {
        const int number = std::exchange(m_number, -1);
        return number < 0 || ::close(number) == 0;
    }

private:
    int m_number;
};

} // namespace lockscope::files
