#pragma once

#include "core/kernel/base/bytes.h"

#include <QTest>

#include <optional>
#include <string>

// Lets QCOMPARE say what two strings were when they differ.
namespace QTest {

template<>
inline char* toString(const std::string& bytes)
{
    return qstrdup(lockscope::escaped(bytes).c_str());
}

template<>
inline char* toString(const std::optional<std::string>& bytes)
{
    return bytes ? toString(*bytes) : qstrdup("nothing");
}

} // namespace QTest
