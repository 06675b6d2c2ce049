// P6 of scripts/bench: the timeline with a million spans, panned and zoomed, beside the time that a
// bare painter takes for the same number of rectangles. Prints one line per figure.

#include "core/kernel/base/rng.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

namespace {

using namespace lockscope;
using namespace std::chrono_literals;
using trace::Chronicle;
using trace::Span;
using trace::SpanEnd;

constexpr std::size_t kSpans = 1'000'000;
constexpr int kFrames = 300;
constexpr QSize kSize{1440, 900};
constexpr std::uint64_t kSeed = 1;

double millisecondsOf(const std::function<void()>& work)
{
    QElapsedTimer timer;
    timer.start();
    work();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

double percentile(std::vector<double> figures, double share)
{
    std::sort(figures.begin(), figures.end());
    return figures[static_cast<std::size_t>(share * static_cast<double>(figures.size() - 1))];
}

/// All contenders wait and hold in turn, for times of very different length, with refusals, and
/// with pauses that make two believe to hold.
std::shared_ptr<const Chronicle> busyRun(std::uint32_t contenders)
{
    Rng random(kSeed);
    auto chronicle = std::make_shared<Chronicle>();
    std::vector<Instant> until(contenders);
    for (std::size_t i = 0; i < kSpans; ++i) {
        const auto who = static_cast<std::uint32_t>(i % contenders);
        const bool isHold = i / contenders % 2 == 1;
        const auto scale = std::int64_t(1) << random.below(14);
        const Duration length(10 + static_cast<std::int64_t>(random.below(100)) * scale);
        const Instant from = until[who];
        until[who] = from + length;
        const trace::LockId lock = 0;
        chronicle->spans.push_back({from, until[who], who, lock,
                                    isHold ? Span::Kind::Holding : Span::Kind::Waiting,
                                    isHold ? SpanEnd::Released : SpanEnd::Granted, false});
        if (isHold) {
            chronicle->serverHolds.push_back({from, from + length / contenders, who, lock,
                                              SpanEnd::Released});
        } else {
            chronicle->marks.push_back({from, who, lock, trace::Mark::Kind::Refused});
        }
        if (random.below(1000) == 0) {
            chronicle->overlaps.push_back({from, until[who], lock, who, (who + 1) % contenders});
        }
    }
    std::ranges::stable_sort(chronicle->spans, {}, &Span::from);
    std::ranges::stable_sort(chronicle->marks, {}, &trace::Mark::at);
    std::ranges::stable_sort(chronicle->serverHolds, {}, &trace::ServerHold::from);
    std::ranges::stable_sort(chronicle->overlaps, {}, &trace::Overlap::from);
    chronicle->end = *std::ranges::max_element(until);
    return chronicle;
}

models::TimelineNames names()
{
    return {[](trace::ContenderId id) { return QStringLiteral("Client %1").arg(id); },
            [](trace::LockId) { return QStringLiteral("orders"); }};
}

class TimelineBench {
public:
    explicit TimelineBench(std::uint32_t contenders) : m_contenders(contenders)
    {
        m_view.resize(kSize);
        m_view.show();
        const auto chronicle = busyRun(contenders);
        print("index, once for a run",
              {millisecondsOf([&] { m_view.showChronicle(chronicle, names()); })});
        print("first frame, with the overview", {millisecondsOf([this] { repaint(); })});
    }

    /// From all of the run to a few spans and back.
    void zoom()
    {
        models::ZoomState& zoom = m_view.zoom();
        const Instant middle = zoom.full().from + zoom.full().length() / 3;
        measure("zoom",
                [&](int frame) { zoom.zoomAround(middle, frame < kFrames / 2 ? 1.08 : 1 / 1.08); });
        zoom.fit();
    }

    /// At each of some widths, from the densest to where texts stand on the bars.
    void pan()
    {
        models::ZoomState& zoom = m_view.zoom();
        for (const int parts : {2, 100, 5'000, 100'000}) {
            const Duration length = zoom.full().length() / parts;
            zoom.show({zoom.full().from + length / 2, zoom.full().from + length / 2 + length});
            measure(("pan, 1/" + std::to_string(parts) + " of it").c_str(),
                    [&](int) { zoom.panBy(length / 200); });
        }
        zoom.fit();
    }

    void scroll()
    {
        QScrollBar* const bar = m_view.verticalScrollBar();
        if (bar->maximum() > 0) {
            measure("scroll through all lanes",
                    [bar](int frame) { bar->setValue(bar->maximum() * frame / kFrames); });
        }
    }

private:
    void measure(const char* name, const std::function<void(int)>& step)
    {
        std::vector<double> frames;
        std::vector<double> floors;
        std::size_t most = 0;
        for (int frame = 0; frame < kFrames; ++frame) {
            frames.push_back(millisecondsOf([&] {
                step(frame);
                repaint();
            }));
            const std::vector<QRectF> rects = m_view.paintedRects();
            most = std::max(most, rects.size());
            floors.push_back(millisecondsOf([&] { fill(rects); }));
        }
        print(name, frames);
        print(("  floor: up to " + std::to_string(most) + " rectangles, bare").c_str(), floors);
    }

    /// What the window system would ask for.
    void repaint()
    {
        QCoreApplication::sendPostedEvents();
        m_view.viewport()->render(&m_image);
    }

    void fill(const std::vector<QRectF>& rects)
    {
        m_image.fill(Qt::white);
        QPainter painter(&m_image);
        for (const QRectF& rect : rects) {
            painter.fillRect(rect, Qt::darkGreen);
        }
    }

    void print(const char* name, const std::vector<double>& frames) const
    {
        std::printf("P6 %4u contenders  %-34s p50 %8.2f ms   p99 %8.2f ms\n", m_contenders, name,
                    percentile(frames, 0.5), percentile(frames, 0.99));
        std::fflush(stdout);
    }

    std::uint32_t m_contenders;
    widgets::TimelineView m_view;
    QImage m_image{kSize, QImage::Format_ARGB32_Premultiplied};
};

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    widgets::applyTheme(*qApp, widgets::ThemeChoice::Light);
    std::printf("P6 goal: p99 <= 8 ms a frame, %zu spans, %d × %d\n", kSpans, kSize.width(),
                kSize.height());
    for (const std::uint32_t contenders : {16U, 50U, 200U, 5'000U}) {
        TimelineBench bench(contenders);
        bench.zoom();
        bench.pan();
        bench.scroll();
    }
    return 0;
}
