#include "core/kernel/async/pending.h"
#include "core/kernel/async/task.h"
#include "core/kernel/base/arena_images.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::tst_arena_images {

using namespace lockscope::testing;

namespace {

using Texts = std::vector<std::string>;

/// Grows, shrinks or changes.
void changeSomething(Texts& texts, RandomInput& random)
{
    const std::uint64_t what = texts.empty() ? 0 : random.rng().below(3);
    if (what == 0) {
        texts.push_back(random.bytes(300));
    } else if (what == 1) {
        texts.pop_back();
    } else {
        texts[random.rng().below(texts.size())] = random.bytes(300);
    }
}

} // namespace

class TestArenaImages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everythingIsAsItWas();
    void aTaskGoesOnFromWhereItStoodMoreThanOnce();
    void forgottenImagesTakeNoRoom();
    void anImageIsBasedOnTheOneBefore();
    void likeImagesTakeLittleRoom();
    void whatWasGivenBackIsInNoImage();
};

void TestArenaImages::init()
{
    if (!Arena::kIsInBuild) {
        QSKIP("there are no arenas in a build with sanitizers");
    }
}

void TestArenaImages::everythingIsAsItWas()
{
    RandomInput random;
    const auto arena = Arena::take();
    Texts* texts = nullptr;
    {
        const Arena::Scope inside(arena.get());
        texts = new Texts(20, std::string(50, 'x'));
    }
    const Texts first = *texts;
    ArenaImages images(*arena);
    std::map<ArenaImages::Id, Texts> expected;
    for (int i = 0; i < 3000; ++i) {
        const std::uint64_t what = random.rng().below(8);
        if (what == 0 && expected.size() < 40) {
            const ArenaImages::Id id = images.save();
            QVERIFY2(!expected.contains(id), random.recipe().c_str());
            expected.emplace(id, *texts);
        } else if (what == 1 && !expected.empty()) {
            const auto which = std::next(
                expected.begin(), static_cast<std::ptrdiff_t>(random.rng().below(expected.size())));
            images.putBack(which->first);
            QVERIFY2(*texts == which->second, random.recipe().c_str());
        } else if (what == 2 && !expected.empty()) {
            images.forget(expected.begin()->first);
            expected.erase(expected.begin());
        } else if (what == 3 && random.rng().below(8) == 0) {
            images.putBackFirst();
            QVERIFY2(*texts == first, random.recipe().c_str());
        } else {
            const Arena::Scope inside(arena.get());
            changeSomething(*texts, random);
        }
    }
}

namespace {

struct Machine {
    async::ReadyQueue queue;
    async::Completer<int> first;
    async::Completer<int> second;
    int sum = 0;
    async::BackgroundTask task;

    static async::Task<void> add(Machine& machine)
    {
        machine.sum += co_await machine.first.pending();
        machine.sum += 10 * co_await machine.second.pending();
    }
};

} // namespace

void TestArenaImages::aTaskGoesOnFromWhereItStoodMoreThanOnce()
{
    const auto arena = Arena::take();
    Machine* machine = nullptr;
    {
        const Arena::Scope inside(arena.get());
        machine = new Machine;
        machine->task = async::BackgroundTask(machine->queue, Machine::add(*machine));
        machine->queue.runAll();
        machine->first.complete(1);
        machine->queue.runAll();
    }
    QCOMPARE(machine->sum, 1);
    ArenaImages images(*arena);
    for (const int second : {2, 3, 4}) {
        images.putBackFirst();
        QCOMPARE(machine->sum, 1);
        QVERIFY(!machine->task.isFinished());
        const Arena::Scope inside(arena.get());
        machine->second.complete(second);
        machine->queue.runAll();
        QCOMPARE(machine->sum, 1 + 10 * second);
        QVERIFY(machine->task.isFinished());
    }
}

void TestArenaImages::forgottenImagesTakeNoRoom()
{
    const auto arena = Arena::take();
    ArenaImages images(*arena);
    {
        const Arena::Scope inside(arena.get());
        QVERIFY(Arena::owns(::operator new(1000)));
    }
    const ArenaImages::Id id = images.save();
    QVERIFY(images.byteCount() >= 1000);
    images.forget(id);
    images.putBackFirst(); // the next image would have been based on that one
    QCOMPARE(images.byteCount(), std::size_t{0});
    QCOMPARE(images.save(), id);
}

void TestArenaImages::anImageIsBasedOnTheOneBefore()
{
    const auto arena = Arena::take();
    char* block = nullptr;
    {
        const Arena::Scope inside(arena.get());
        block = new char[100'000]();
    }
    ArenaImages images(*arena);
    std::memset(block, 'a', 50'000);
    const ArenaImages::Id base = images.save();
    const std::size_t byteCount = images.byteCount();
    QVERIFY(byteCount > 50'000);
    block[25'000] = 'b';
    const ArenaImages::Id id = images.save();
    QVERIFY(images.byteCount() - byteCount < 1000);
    // What it is based on is kept for it.
    images.forget(base);
    images.putBackFirst();
    QVERIFY(images.byteCount() > byteCount);
    QCOMPARE(block[0], '\0');
    images.putBack(id);
    QCOMPARE(block[25'000], 'b');
    QVERIFY(std::all_of(block, block + 25'000, [](char c) { return c == 'a'; }));
    QCOMPARE(block[50'000], '\0');
    images.forget(id);
    images.putBackFirst();
    QCOMPARE(images.byteCount(), std::size_t{0});
}

void TestArenaImages::likeImagesTakeLittleRoom()
{
    const auto arena = Arena::take();
    char* block = nullptr;
    {
        const Arena::Scope inside(arena.get());
        block = new char[100'000]();
    }
    ArenaImages images(*arena);
    block[50'000] = 'x';
    const ArenaImages::Id id = images.save();
    QVERIFY(images.byteCount() < 1000);
    block[50'000] = 'y';
    images.putBack(id);
    QCOMPARE(block[50'000], 'x');
}

void TestArenaImages::whatWasGivenBackIsInNoImage()
{
    const auto arena = Arena::take();
    ArenaImages images(*arena);
    {
        const Arena::Scope inside(arena.get());
        void* const block = ::operator new(100'000);
        std::memset(block, 1, 100'000);
        ::operator delete(block);
    }
    images.save();
    QVERIFY(images.byteCount() < 3000); // of it a part for each line, whatever is in it
}

LOCKSCOPE_TEST(TestArenaImages, Core)

} // namespace lockscope::tst_arena_images

#include "tst_arena_images.moc"
