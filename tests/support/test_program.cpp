#include "tests/support/test_program.h"

#include <algorithm>

namespace lockscope::testing {
namespace {

/// Classes register themselves before main(), in any order.
std::vector<TestClass>& registry()
{
    static std::vector<TestClass> all;
    return all;
}

std::string stemOf(std::string_view file)
{
    file.remove_prefix(file.find_last_of('/') + 1); // npos + 1 is 0
    return std::string(file.substr(0, file.find_last_of('.')));
}

} // namespace

TestRegistration::TestRegistration(std::string_view file, TestClass test)
{
    test.name = stemOf(file);
    registry().push_back(std::move(test));
}

std::vector<TestClass> registeredTests()
{
    std::vector<TestClass> sorted = registry();
    std::sort(sorted.begin(), sorted.end(),
              [](const TestClass& a, const TestClass& b) { return a.name < b.name; });
    return sorted;
}

} // namespace lockscope::testing
