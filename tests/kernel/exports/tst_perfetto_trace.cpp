// The trace against the documented rules of the format: what its readers rely on.

#include "core/kernel/exports/perfetto_trace.h"
#include "tests/kernel/exports/recorded_example.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace lockscope::tst_perfetto_trace {

using namespace std::chrono_literals;
using nlohmann::json;
using trace::Span;
using trace::SpanEnd;

namespace {

json eventsOf(const trace::Chronicle& chronicle, const trace::RunLabels& labels)
{
    return json::parse(exports::perfettoTrace(chronicle, labels)).at("traceEvents");
}

json eventsOf(const report::RunFile& run)
{
    return eventsOf(run.chronicle(), run.labels);
}

std::size_t countOf(const json& events, const char* phase, const char* category)
{
    return static_cast<std::size_t>(std::count_if(events.begin(), events.end(),
                                                  [&](const json& event) {
                                                      return event.at("ph") == phase
                                                             && event.at("cat") == category;
                                                  }));
}

trace::Chronicle oneAcquisition()
{
    trace::Chronicle chronicle;
    chronicle.spans = {{Instant(5us), Instant(7us), 0, 0, Span::Kind::Waiting, SpanEnd::Granted},
                       {Instant(7us), Instant(7us), 0, 0, Span::Kind::Holding, SpanEnd::Released},
                       {Instant(8us), Instant(9us), 0, 0, Span::Kind::Waiting, SpanEnd::GaveUp}};
    chronicle.end = Instant(10us);
    return chronicle;
}

} // namespace

class TestPerfettoTrace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEventHasWhatReadersNeed();
    void everyBeginningHasItsEnd();
    void anAcquisitionHasOneIdForBothPhases();
    void arrowsLeadFromSliceToSlice();
    void everybodyIsNamed();
    void timesCountFromTheOrigin();
    void namesMayHoldAnything();
};

void TestPerfettoTrace::everyEventHasWhatReadersNeed()
{
    const json events = eventsOf(testing::recordedExample());
    QVERIFY(events.size() > 20);
    std::int64_t latest = 0;
    for (const json& event : events) {
        QVERIFY2(event.at("ts").is_number_integer(), event.dump().c_str());
        QVERIFY(event.at("pid").is_number_integer() && event.at("tid").is_number_integer());
        QVERIFY(event.at("name").is_string() && event.at("cat").is_string());
        QVERIFY(event.at("args").is_object());
        QVERIFY(std::string("beXistfM").find(event.at("ph").get<std::string>())
                != std::string::npos);
        QVERIFY(event.at("ts").get<std::int64_t>() >= latest);
        latest = event.at("ts").get<std::int64_t>();
    }
    for (const char* const category : {"lock", "contender", "tenure", "overlap"}) {
        QVERIFY2(countOf(events, "b", category) > 0, category);
    }
    QVERIFY(countOf(events, "X", "message") > 0);
}

void TestPerfettoTrace::everyBeginningHasItsEnd()
{
    using Key = std::tuple<std::string, std::string, std::int64_t>;
    std::map<Key, std::vector<std::string>> open; // by category, id and process: what nests
    const json events = eventsOf(testing::recordedExample());
    for (const json& event : events) {
        const std::string phase = event.at("ph");
        if (phase != "b" && phase != "e") {
            continue;
        }
        auto& stack = open[{event.at("cat"), event.at("id"), event.at("pid")}];
        if (phase == "b") {
            stack.push_back(event.at("name"));
        } else {
            QVERIFY2(!stack.empty() && stack.back() == event.at("name"), event.dump().c_str());
            stack.pop_back();
        }
    }
    QVERIFY(std::ranges::all_of(open, [](const auto& entry) { return entry.second.empty(); }));
}

void TestPerfettoTrace::anAcquisitionHasOneIdForBothPhases()
{
    const trace::RunLabels labels{"", {"A"}, {"k"}, {}, Instant()};
    std::vector<std::string> lines;
    for (const json& event : eventsOf(oneAcquisition(), labels)) {
        if (event.at("cat") == "lock") {
            const json args = event.value("args", json::object());
            lines.push_back(event.at("ph").get<std::string>() + ' '
                            + event.at("id").get<std::string>() + ' '
                            + event.at("name").get<std::string>() + ' ' + args.value("end", ""));
        }
    }
    const std::vector<std::string> expected{
        "b 0x1 k ",       "b 0x1 waiting ",         "e 0x1 waiting granted",
        "b 0x1 holding ", "e 0x1 holding released", "e 0x1 k released",
        "b 0x3 k ",       "b 0x3 waiting ",         "e 0x3 waiting gave-up",
        "e 0x3 k gave-up"};
    QVERIFY(lines == expected);
}

void TestPerfettoTrace::arrowsLeadFromSliceToSlice()
{
    const json events = eventsOf(testing::recordedExample());
    using Place = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
    const auto placeOf = [](const json& event) {
        return Place(event.at("pid"), event.at("tid"), event.at("ts"));
    };
    std::set<Place> slices;
    std::map<std::string, std::string> arrows;
    for (const json& event : events) {
        const std::string phase = event.at("ph");
        if (phase == "X") {
            slices.insert(placeOf(event));
        } else if (phase == "s" || phase == "t" || phase == "f") {
            QVERIFY(slices.contains(placeOf(event)));
            arrows[event.at("id")] += phase;
        }
    }
    QVERIFY(!arrows.empty());
    for (const auto& [id, phases] : arrows) {
        QVERIFY2(phases == "stf" || phases == "sf", phases.c_str());
    }
}

void TestPerfettoTrace::everybodyIsNamed()
{
    const json events = eventsOf(testing::recordedExample());
    std::set<std::pair<std::int64_t, std::int64_t>> named;
    for (const json& event : events) {
        const std::pair thread(event.at("pid").get<std::int64_t>(),
                               event.at("tid").get<std::int64_t>());
        if (event.at("ph") == "M") {
            QVERIFY(event.at("args").at("name").is_string());
            named.insert(thread);
        } else {
            QVERIFY2(named.contains(thread), event.dump().c_str());
        }
    }
}

void TestPerfettoTrace::timesCountFromTheOrigin()
{
    const trace::RunLabels labels{"", {"A"}, {"k"}, {}, Instant(5us)};
    const json events = eventsOf(oneAcquisition(), labels);
    const auto first = std::find_if(events.begin(), events.end(),
                                    [](const json& event) { return event.at("ph") == "b"; });
    QCOMPARE(first->at("ts").get<int>(), 0);
}

void TestPerfettoTrace::namesMayHoldAnything()
{
    const std::string odd = "a\"\\\n\xff\xe2\x80\xae";
    const json events = eventsOf(oneAcquisition(), {odd, {odd}, {odd}, {}, Instant()});
    QVERIFY(events.size() > 4);
    const json nameless = eventsOf(oneAcquisition(), {});
    QVERIFY(std::any_of(nameless.begin(), nameless.end(),
                        [](const json& event) { return event.at("name") == "lock 1"; }));
}

LOCKSCOPE_TEST(TestPerfettoTrace, None)

} // namespace lockscope::tst_perfetto_trace

#include "tst_perfetto_trace.moc"
