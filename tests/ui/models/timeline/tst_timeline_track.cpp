#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"
#include "ui/models/timeline/timeline_track.h"

#include <QTest>

#include <algorithm>
#include <optional>

namespace lockscope::tst_timeline_track {

using namespace lockscope::models;
using namespace std::chrono_literals;

namespace {

/// Of very different lengths and distances, so that some pages are full and others empty.
TimelineTrack randomTrack(Rng& rng, std::size_t count)
{
    TimelineTrack track;
    Instant from(rng.between(-1s, 1s));
    for (std::size_t i = 0; i < count; ++i) {
        const Duration length = rng.between(0us, 1us * (std::int64_t(1) << rng.below(16)));
        track.append(from, from + length, static_cast<std::uint32_t>(i));
        from += rng.below(3) == 0 ? 0us
                                  : rng.between(0us, 1us * (std::int64_t(1) << rng.below(14)));
    }
    track.seal();
    return track;
}

bool operator==(const TimelineBunch& a, const TimelineBunch& b)
{
    return a.count == b.count && a.first == b.first && a.from == b.from && a.to == b.to
           && a.index == b.index;
}

/// Some neighbours, looked at one after the other.
TimelineBunch bunchOf(TimelineTrack::Iterator begin, TimelineTrack::Iterator end)
{
    TimelineBunch bunch;
    for (auto item = begin; item != end; ++item) {
        if (bunch.count == 0) {
            bunch = {item->from, item->from, item->to, item->index, 0};
        } else if (item->to > bunch.to) {
            bunch.from = item->from;
            bunch.to = item->to;
            bunch.index = item->index;
        }
        ++bunch.count;
    }
    return bunch;
}

} // namespace

class TestTimelineTrack : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEmptyTrackHasNothing()
    {
        TimelineTrack track;
        track.seal();
        QVERIFY(track.firstSince(Instant{}) == track.end());
        QCOMPARE(track.reachingInto(Instant{}).count, 0U);
        QVERIFY(track.pagesWithin({Instant{}, Instant(1s)}, 1s).empty());
    }

    void whatReachesIntoARangeIsFound()
    {
        testing::RandomInput random;
        qInfo("repeat with %s", random.recipe().c_str());
        const TimelineTrack track = randomTrack(random.rng(), 500);
        for (int round = 0; round < 200; ++round) {
            const Instant at(random.rng().between(-1s, 3s));
            const auto inside = std::find_if(track.begin(), track.end(),
                                             [at](const auto& item) { return item.from >= at; });
            const auto first = std::find_if(track.begin(), inside,
                                            [at](const auto& item) { return item.to >= at; });
            QVERIFY2(track.firstSince(at) == inside, random.recipe().c_str());
            const TimelineBunch found = track.reachingInto(at);
            QVERIFY2(found == bunchOf(first, inside), random.recipe().c_str());
        }
    }

    /// Each page has exactly what a look at all finds between its neighbours, and together they
    /// have everything of the range.
    void pagesHaveWhatIsInTheTrack()
    {
        testing::RandomInput random;
        qInfo("repeat with %s", random.recipe().c_str());
        Rng& rng = random.rng();
        const TimelineTrack track = randomTrack(rng, 20'000);
        for (int round = 0; round < 50; ++round) {
            const Instant from = track.front().from + rng.between(-1s, 20s);
            const VisibleRange range{from, from + rng.between(0s, 20s)};
            const Duration length = 1us * (std::int64_t(1) << (14 + rng.below(12)));
            const auto pages = track.pagesWithin(range, length);
            auto place = track.firstSince(firstOf(pages));
            QVERIFY2(pages.empty() || firstOf(pages) == Instant::max()
                         || place <= track.firstSince(range.from),
                     random.recipe().c_str());
            for (const TimelineBunch& page : pages) {
                QVERIFY2(page == bunchOf(place, place + page.count), random.recipe().c_str());
                place += page.count;
                const bool isShort = page.count == 0
                                     || std::prev(place)->from - page.first < length;
                QVERIFY2(isShort, random.recipe().c_str());
            }
            const bool isAll = pages.empty() || place == track.end() || place->from > range.to;
            QVERIFY2(isAll, random.recipe().c_str());
        }
    }

    /// A record may come from a file that another program has written.
    void whatComesInDisorderIsPutInOrder()
    {
        testing::RandomInput random;
        qInfo("repeat with %s", random.recipe().c_str());
        TimelineTrack track;
        for (std::uint32_t i = 0; i < 10'000; ++i) {
            const Instant from(random.rng().between(-10s, 10s));
            track.append(from, from + random.rng().between(-1s, 1s), i);
        }
        track.seal();
        QVERIFY(std::ranges::is_sorted(track, {}, &TimelineInterval::from));
        const auto last = std::ranges::max_element(track, {}, &TimelineInterval::to);
        QVERIFY(track.latestEnd() == last->to);
        std::uint32_t count = 0;
        for (const TimelineBunch& page : track.pagesWithin({Instant(-20s), Instant(20s)}, 1s)) {
            count += page.count;
        }
        QCOMPARE(count, 10'000U);
    }

    void whatIsSoonReadHasNoPages()
    {
        testing::RandomInput random;
        const TimelineTrack few = randomTrack(random.rng(), 1000);
        QVERIFY(few.pagesWithin({few.front().from, few.latestEnd()}, 1s).empty());
        const TimelineTrack many = randomTrack(random.rng(), 20'000);
        const VisibleRange all{many.front().from, many.latestEnd()};
        QVERIFY(!many.pagesWithin(all, 1s).empty());
        QVERIFY(many.pagesWithin(all, 1us).empty());
        QVERIFY(many.pagesWithin({all.to + 1s, all.to + 2s}, 1s).empty());
        QVERIFY(many.pagesWithin({all.from - 2s, all.from - 1s}, 1s).empty());
    }

    /// All at one instant: a page cannot be cut in two.
    void allMayBeginAtOnce()
    {
        TimelineTrack track;
        for (std::uint32_t i = 0; i < 10'000; ++i) {
            track.append(Instant(5s), Instant(5s) + 1us * i, i);
        }
        track.seal();
        const auto pages = track.pagesWithin({Instant(0s), Instant(10s)}, 1ms);
        QCOMPARE(pages.size(), 1U);
        QCOMPARE(pages.front().count, 10'000U);
        QCOMPARE(pages.front().index, 9'999U);
    }

private:
    static Instant firstOf(std::span<const TimelineBunch> pages)
    {
        const auto page = std::ranges::find_if(pages, [](const auto& p) { return p.count > 0; });
        return page == pages.end() ? Instant::max() : page->first;
    }
};

LOCKSCOPE_TEST(TestTimelineTrack, Core)

} // namespace lockscope::tst_timeline_track

#include "tst_timeline_track.moc"
