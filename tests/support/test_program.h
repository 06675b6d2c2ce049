#pragma once

#include <QObject>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// A folder's tests are one program. Each class registers itself, and is run by the name of its
/// file: `inspect_tests tst_sweep [functions and options of Qt Test]`.
namespace lockscope::testing {

/// What has to exist while a class runs.
enum class Application { None, Core, Widgets };

struct TestClass {
    std::string name; // of its file, "tst_sweep"
    Application application = Application::Core;
    std::function<void()> prepare; // before there is an application
    std::function<std::unique_ptr<QObject>()> make;
};

/// All that are linked into this program, by name.
std::vector<TestClass> registeredTests();

class TestRegistration {
public:
    TestRegistration(std::string_view file, TestClass test);
};

/// As Qt Test's own main does: a class may have a static initMain().
template<typename Test>
TestClass describeTest(Application application)
{
    TestClass test;
    test.application = application;
    test.prepare = [] {
        if constexpr (requires { Test::initMain(); }) {
            Test::initMain();
        }
    };
    test.make = [] { return std::make_unique<Test>(); };
    return test;
}

} // namespace lockscope::testing

/// Once, in the file of the class: LOCKSCOPE_TEST(TestSweep, Core).
#define LOCKSCOPE_TEST(Class, kind)                                                                \
    static const ::lockscope::testing::TestRegistration registrationOf##Class(                     \
        __FILE__,                                                                                  \
        ::lockscope::testing::describeTest<Class>(::lockscope::testing::Application::kind));
