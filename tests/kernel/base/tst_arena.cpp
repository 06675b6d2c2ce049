#include "core/kernel/base/arena.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::tst_arena {

using namespace lockscope::testing;

class TestArena : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void onlyWhatIsTakenInsideLiesInIt();
    void oneScopeEndsInsideAnother();
    void whatIsGivenBackIsTakenAgain();
    void outsideNothingIsGivenBack();
    void blocksOfAllSizesLieApart();
    void nobodyReadsWhatIsUnread();
    void whatDoesNotFitLiesElsewhere();
    void clearForgetsEverything();
    void eachHasMemoryOfItsOwn();
};

void TestArena::init()
{
    const bool isThere = Arena::take() != nullptr;
    QCOMPARE(isThere, Arena::kIsInBuild);
    if (!isThere) {
        QSKIP("there are no arenas in a build with sanitizers");
    }
}

void TestArena::onlyWhatIsTakenInsideLiesInIt()
{
    const auto arena = Arena::take();
    void* const before = ::operator new(100);
    void* inside = nullptr;
    {
        const Arena::Scope scope(arena.get());
        QCOMPARE(Arena::current(), arena.get());
        inside = ::operator new(100);
    }
    QVERIFY(Arena::current() == nullptr);
    QVERIFY(!Arena::owns(before));
    QVERIFY(Arena::owns(inside));
    const auto bytes = arena->bytes();
    QVERIFY(inside >= bytes.data() && inside < bytes.data() + bytes.size());
    ::operator delete(inside);
    ::operator delete(before);
}

void TestArena::oneScopeEndsInsideAnother()
{
    const auto arena = Arena::take();
    const Arena::Scope scope(arena.get());
    {
        const Arena::Scope outside(nullptr);
        void* const block = ::operator new(8);
        QVERIFY(!Arena::owns(block));
        ::operator delete(block);
    }
    QCOMPARE(Arena::current(), arena.get());
}

/// With the size, as nearly everywhere, and without it, as GCC gives back frames of coroutines.
void TestArena::whatIsGivenBackIsTakenAgain()
{
    const auto arena = Arena::take();
    const Arena::Scope scope(arena.get());
    for (const std::size_t size : {1, 40, 1300, 100'000}) {
        void* const first = ::operator new(size);
        ::operator delete(first);
        void* const second = ::operator new(size);
        QCOMPARE(second, first);
        ::operator delete(second, size);
        void* const third = ::operator new(size);
        QCOMPARE(third, first);
    }
}

void TestArena::outsideNothingIsGivenBack()
{
    const auto arena = Arena::take();
    const auto other = Arena::take();
    const auto takeInside = [&arena] {
        const Arena::Scope scope(arena.get());
        return ::operator new(64);
    };
    void* const first = takeInside();
    ::operator delete(first);
    void* const second = takeInside();
    QVERIFY(second != first);
    {
        const Arena::Scope scope(other.get());
        ::operator delete(second);
    }
    QVERIFY(takeInside() != second);
}

void TestArena::blocksOfAllSizesLieApart()
{
    RandomInput random;
    struct Block {
        unsigned char* begin = nullptr;
        std::size_t size = 0;
        unsigned char content = 0;
    };
    const auto arena = Arena::take();
    std::vector<Block> blocks;
    blocks.reserve(1000);
    const auto isWhole = [](const Block& block) {
        return std::all_of(block.begin, block.begin + block.size,
                           [&block](unsigned char byte) { return byte == block.content; });
    };
    for (int i = 0; i < 5000; ++i) {
        const Arena::Scope scope(arena.get());
        if (blocks.size() < 50 || (blocks.size() < 1000 && random.rng().below(2) == 0)) {
            const std::size_t size = random.rng().below(std::uint64_t{1} << random.rng().below(13));
            Block block{static_cast<unsigned char*>(::operator new(size)), size,
                        static_cast<unsigned char>(random.rng().below(256))};
            QVERIFY(Arena::owns(block.begin));
            QCOMPARE(reinterpret_cast<std::uintptr_t>(block.begin) % 16, std::uintptr_t{0});
            std::memset(block.begin, block.content, size);
            blocks.push_back(block);
        } else {
            const std::size_t which = random.rng().below(blocks.size());
            QVERIFY2(isWhole(blocks[which]), random.recipe().c_str());
            ::operator delete(blocks[which].begin);
            blocks[which] = blocks.back();
            blocks.pop_back();
        }
    }
}

/// Whatever stands in there: blocks that are in use stay as they are, and new ones are found.
void TestArena::nobodyReadsWhatIsUnread()
{
    RandomInput random;
    const auto arena = Arena::take();
    const Arena::Scope scope(arena.get());
    std::vector<std::string> texts;
    std::vector<Arena::Range> unread;
    std::size_t mostUnread = 0;
    for (int i = 0; i < 2000; ++i) {
        if (texts.size() < 20 || (texts.size() < 200 && random.rng().below(2) == 0)) {
            texts.push_back(std::string(random.rng().below(3000), 'x'));
        } else {
            texts.erase(texts.begin()
                        + static_cast<std::ptrdiff_t>(random.rng().below(texts.size())));
        }
        {
            const Arena::Scope outside(nullptr);
            arena->findUnread(unread);
        }
        for (const Arena::Range& range : unread) {
            QVERIFY(range.begin < range.end && range.end <= arena->bytes().size());
            std::memset(arena->bytes().data() + range.begin, 0xff, range.end - range.begin);
            mostUnread = std::max(mostUnread, range.end - range.begin);
        }
        for (const std::string& text : texts) {
            QVERIFY2(text.find_first_not_of('x') == std::string::npos, random.recipe().c_str());
        }
    }
    QVERIFY(mostUnread > 2000);
}

void TestArena::whatDoesNotFitLiesElsewhere()
{
    const auto arena = Arena::take();
    const Arena::Scope scope(arena.get());
    std::optional<std::vector<char>> large(std::size_t{1} << 20U);
    QVERIFY(Arena::owns(large->data()));
    QVERIFY(!arena->hasOverflowed());
    large.emplace(std::size_t{64} << 20U);
    QVERIFY(!Arena::owns(large->data()));
    QVERIFY(arena->hasOverflowed());
    large.reset();
    arena->clear();
    QVERIFY(!arena->hasOverflowed());
}

void TestArena::clearForgetsEverything()
{
    const auto arena = Arena::take();
    const std::size_t sizeBefore = arena->bytes().size();
    const Arena::Scope scope(arena.get());
    void* const first = ::operator new(500);
    QVERIFY(arena->bytes().size() >= sizeBefore + 500);
    arena->clear();
    QCOMPARE(arena->bytes().size(), sizeBefore);
    QCOMPARE(::operator new(500), first);
}

void TestArena::eachHasMemoryOfItsOwn()
{
    auto first = Arena::take();
    const auto second = Arena::take();
    QVERIFY(first->bytes().data() != second->bytes().data());
    const std::byte* const memory = first->bytes().data();
    first.reset();
    QCOMPARE(Arena::take()->bytes().data(), memory);
}

LOCKSCOPE_TEST(TestArena, Core)

} // namespace lockscope::tst_arena

#include "tst_arena.moc"
