#include "core/kernel/base/shared.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace lockscope::tst_shared {

class TestShared : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allPointToOneValue();
    void theValueGoesWithItsLastOwner();
    void threadsMayShareOne();
    void isAsSmallAsAPointer();
};

namespace {

/// Counts how many of its kind there are.
struct Counted {
    explicit Counted(int& counter) : count(counter) { ++count; }
    ~Counted() { --count; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

    int& count;
};

} // namespace

void TestShared::allPointToOneValue()
{
    const auto first = makeShared<std::string>("a");
    const Shared<const std::string> second = first;
    *first += "b";
    QCOMPARE(*second, std::string("ab"));
    QCOMPARE(second->size(), std::size_t(2));
    QVERIFY(second == Shared<const std::string>(first));
    QVERIFY(second != makeShared<const std::string>("ab")); // equal, but another one
    const Shared<const std::string> none;
    QVERIFY(!none && none == nullptr && none.get() == nullptr && second != none);
}

void TestShared::theValueGoesWithItsLastOwner()
{
    int count = 0;
    auto first = makeShared<Counted>(count);
    auto second = first;
    Shared<const Counted> third = std::move(second);
    first = nullptr;
    QCOMPARE(count, 1);
    const auto& same = third;
    third = same;
    QCOMPARE(count, 1);
    third = makeShared<const Counted>(count); // the new one is made before the old one goes
    QCOMPARE(count, 1);
    third.reset();
    QCOMPARE(count, 0);
}

void TestShared::threadsMayShareOne()
{
    int count = 0;
    auto value = makeShared<const Counted>(count);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([value] {
            for (int copies = 0; copies < 20'000; ++copies) {
                const auto copy = value; // NOLINT(performance-unnecessary-copy-initialization)
                static_cast<void>(copy);
            }
        });
    }
    value.reset();
    for (std::thread& thread : threads) {
        thread.join();
    }
    threads.clear();
    QCOMPARE(count, 0);
}

void TestShared::isAsSmallAsAPointer()
{
    static_assert(sizeof(Shared<const std::string>) == sizeof(void*));
    static_assert(!std::is_constructible_v<Shared<std::string>, Shared<const std::string>>);
}

LOCKSCOPE_TEST(TestShared, None)

} // namespace lockscope::tst_shared

#include "tst_shared.moc"
