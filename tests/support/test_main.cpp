// The main() of every test program: compiled once for each, because only some know Widgets.

#include "tests/support/test_program.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QTest>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <thread>

#ifdef QT_WIDGETS_LIB
#include <QApplication>
#endif

namespace {

using namespace lockscope::testing;

std::unique_ptr<QCoreApplication> applicationFor(Application kind, int& argc, char** argv)
{
    if (kind == Application::None) {
        return nullptr;
    }
#ifdef QT_WIDGETS_LIB
    if (kind == Application::Widgets) {
        QCoreApplication::setAttribute(Qt::AA_Use96Dpi, true);
        return std::make_unique<QApplication>(argc, argv);
    }
#endif
    return std::make_unique<QCoreApplication>(argc, argv);
}

bool hasOtherThreads()
{
    const std::filesystem::directory_iterator threads("/proc/self/task");
    return std::distance(begin(threads), end(threads)) > 1;
}

/// Qt gives up a thread's object while the thread still ends, and that of Qt Test's watchdog ends
/// last of all: a leak check meanwhile reports what only the thread knows (152 bytes, in one of a
/// thousand programs). Threads of libraries that stay are not waited for any longer than the limit.
void waitForEndingThreads()
{
    const QDeadlineTimer limit(std::chrono::milliseconds(200));
    while (hasOtherThreads() && !limit.hasExpired()) {
        std::this_thread::yield();
    }
}

int runWithApplication(const TestClass& test, int argc, char** argv)
{
    const std::unique_ptr<QCoreApplication> application = applicationFor(test.application, argc,
                                                                         argv);
    return QTest::qExec(test.make().get(), argc, argv);
}

int run(const TestClass& test, int argc, char** argv)
{
    test.prepare();
    const int exitCode = runWithApplication(test, argc, argv);
    waitForEndingThreads();
    return exitCode;
}

int listTests(const char* program)
{
    std::printf("%s [NAME [function...] [option of Qt Test...]]\n"
                "Without a name everything runs. The names:\n",
                program);
    for (const TestClass& test : registeredTests()) {
        std::printf("  %s\n", test.name.c_str());
    }
    return 0;
}

/// Each in turn, with an application of its own. How many failed.
int runAll(int argc, char** argv)
{
    int failedCount = 0;
    for (const TestClass& test : registeredTests()) {
        failedCount += run(test, argc, argv) != 0 ? 1 : 0;
    }
    return failedCount;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        return runAll(argc, argv);
    }
    const std::string_view name = argv[1];
    if (name == "--help" || name == "-help" || name == "--list") {
        return listTests(argv[0]);
    }
    for (const TestClass& test : registeredTests()) {
        if (test.name == name) {
            // Qt Test sees the program's name and its own options.
            argv[1] = argv[0];
            return run(test, argc - 1, argv + 1);
        }
    }
    std::fprintf(stderr, "%s has no test called %s; --list shows all\n", argv[0], argv[1]);
    return 2;
}
