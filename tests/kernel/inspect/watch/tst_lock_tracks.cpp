#include "core/kernel/inspect/watch/lock_tracks.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace lockscope::tst_lock_tracks {

using namespace lockscope::inspect;

class TestLockTracks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsWhatAPlainMapFinds();
    void staySmall();
};

namespace {

template<class Tracks>
std::ptrdiff_t countOf(const Tracks& tracks)
{
    std::ptrdiff_t count = 0;
    for ([[maybe_unused]] const LockTrack& track : tracks) {
        ++count;
    }
    return count;
}

LockTrack trackOf(std::uint16_t server, const std::string& name)
{
    LockRecord record;
    record.id = {server, name};
    LockTrack track;
    track.record = makeShared<const LockRecord>(std::move(record));
    return track;
}

} // namespace

void TestLockTracks::findsWhatAPlainMapFinds()
{
    testing::RandomInput input;
    Rng& rng = input.rng();
    LockTracks tracks;
    std::map<std::pair<std::uint16_t, std::string>, LockTrack*> right;
    for (int step = 0; step < 20'000; ++step) {
        const auto server = static_cast<std::uint16_t>(rng.below(2));
        const std::string name = "lock:" + std::to_string(rng.below(100));
        LockTrack* const found = tracks.find(server, name);
        const auto known = right.find({server, name});
        QVERIFY2(found == (known != right.end() ? known->second : nullptr),
                 input.recipe().c_str()); // where it was put: it never moves
        if (found != nullptr) {
            QVERIFY2(found->name() == name && &tracks.at(found->slot) == found,
                     input.recipe().c_str());
            tracks.remove(*found);
            right.erase(known);
        } else {
            right[{server, name}] = &tracks.add(trackOf(server, name));
        }
        const auto ofFirst = std::ranges::count_if(right, [](const auto& entry) {
            return entry.first.first == 0;
        });
        QVERIFY2(tracks.size() == right.size() && countOf(tracks.all()) == std::ssize(right)
                     && countOf(tracks.ofServer(0)) == ofFirst,
                 input.recipe().c_str());
    }
}

/// There may be a million of these. What makes them grow is worth a thought: what few locks have
/// belongs into what stands apart.
void TestLockTracks::staySmall()
{
    static_assert(sizeof(void*) != 8 || sizeof(Holder) <= 56);
    static_assert(sizeof(void*) != 8 || sizeof(SharedBox<LockRecord>) <= 200);
    static_assert(sizeof(void*) != 8 || sizeof(LockTrack) <= 64);
}

LOCKSCOPE_TEST(TestLockTracks, Core)

} // namespace lockscope::tst_lock_tracks

#include "tst_lock_tracks.moc"
