// P3 of scripts/bench: the lock table with 100,000 rows under 1,000 changes a second, keystrokes in
// the filter box, and the memory of a million rows. Prints one line per figure.

#include "core/kernel/base/rng.h"
#include "core/kernel/inspect/filter/lock_filter.h"
#include "core/kernel/report/lock_fields.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/locks/table/lock_table_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace lockscope;
using namespace std::chrono_literals;

constexpr int kRows = 100'000;
constexpr int kFramesPerSecond = 60;
constexpr int kSeconds = 10;
constexpr int kChangesPerSecond = 1'000;
constexpr std::uint64_t kSeed = 1;

/// Made-up locks whose keys, owners and times look like those of a busy system.
class Population {
public:
    inspect::LockPtr appear(Instant now)
    {
        auto lock = makeShared<inspect::LockRecord>();
        lock->id.name = "order:" + std::to_string(m_nextNumber++);
        lock->kind = m_kind;
        lock->firstSeen = now - below(600) * 1s;
        lock->lease = 30s;
        lock->expiresAt = now + (1 + static_cast<int>(below(30))) * 1s;
        if (below(4) == 0) {
            lock->waiters = static_cast<int>(below(20));
        }
        if (below(200) == 0) {
            lock->flags.add(inspect::Flag::RenewedForever);
        }
        inspect::Holder holder;
        holder.owner = "worker-" + std::to_string(below(500)) + ":" + std::to_string(below(64));
        lock->holders.push_back(std::move(holder));
        return lock;
    }

    inspect::LockPtr renewed(const inspect::LockRecord& before, Instant now)
    {
        auto lock = makeShared<inspect::LockRecord>(before);
        lock->expiresAt = now + lock->lease;
        lock->renewals += 1;
        lock->lastRenewal = now;
        if (lock->waiters) {
            lock->waiters = static_cast<int>(below(20));
        }
        return lock;
    }

    std::size_t below(std::size_t bound) { return m_random.below(bound); }

private:
    Rng m_random{kSeed};
    std::size_t m_nextNumber = 0;
    // As the locks of a book do, they share it.
    Shared<const inspect::LockKind> m_kind = makeShared<const inspect::LockKind>(inspect::LockKind{
        "redisson-lock", "Redisson", {}});
};

struct Figures {
    std::vector<double> milliseconds;

    double percentile(double share) const
    {
        std::vector<double> sorted = milliseconds;
        std::sort(sorted.begin(), sorted.end());
        return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    }
};

double residentMegabytes()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) {
        return 0;
    }
    for (const QByteArray& line : status.readAll().split('\n')) {
        if (line.startsWith("VmRSS:")) {
            return line.mid(6).trimmed().split(' ').first().toDouble() / 1024;
        }
    }
    return 0;
}

class TableBench {
public:
    TableBench()
    {
        m_model.setServers({"10.0.0.5:6379"});
        m_view.resize(1280, 700);
        m_view.show();
    }

    void fill(int rows)
    {
        constexpr int kBatch = 2'000;
        for (int done = 0; done < rows; done += kBatch) {
            inspect::LockDelta delta;
            for (int i = 0; i < std::min(kBatch, rows - done); ++i) {
                m_locks.push_back(m_population.appear(m_now));
                delta.changes.push_back({inspect::ChangeKind::Appeared, m_locks.back(), m_now});
            }
            m_model.apply(delta);
        }
        repaint();
    }

    Figures runFrames()
    {
        Figures frames;
        double owed = 0;
        for (int frame = 0; frame < kSeconds * kFramesPerSecond; ++frame) {
            m_now += Duration(1'000'000 / kFramesPerSecond);
            owed += static_cast<double>(kChangesPerSecond) / kFramesPerSecond;
            inspect::LockDelta delta;
            for (; owed >= 1; owed -= 1) {
                delta.changes.push_back(anyChange());
            }
            QElapsedTimer timer;
            timer.start();
            m_model.apply(delta);
            repaint();
            frames.milliseconds.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        }
        return frames;
    }

    Figures typeFilters()
    {
        constexpr int kRounds = 10;
        const std::string text = "order:77";
        Figures keystrokes;
        for (int round = 0; round < kRounds; ++round) {
            for (std::size_t length = 1; length <= text.size(); ++length) {
                keystrokes.milliseconds.push_back(keystroke(text.substr(0, length)));
            }
            for (std::size_t length = text.size(); length-- > 0;) {
                keystrokes.milliseconds.push_back(keystroke(text.substr(0, length)));
            }
        }
        return keystrokes;
    }

    Figures changeSorting()
    {
        Figures sorts;
        for (int column = 0; column < models::LockTableModel::ColumnCount; ++column) {
            QElapsedTimer timer;
            timer.start();
            m_view.sortByColumn(column, Qt::DescendingOrder);
            repaint();
            sorts.milliseconds.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        }
        m_view.sortByColumn(-1, Qt::AscendingOrder);
        return sorts;
    }

    int rowCount() const { return m_model.rowCount(); }
    void forgetOwnCopies()
    {
        m_locks.clear();
        m_locks.shrink_to_fit();
    }

private:
    double keystroke(const std::string& text)
    {
        QElapsedTimer timer;
        timer.start();
        auto parsed = inspect::LockFilter::parse(text, report::lockFilterFields());
        if (auto* filter = std::get_if<inspect::LockFilter>(&parsed)) {
            m_model.setFilter(*filter);
        }
        repaint();
        return static_cast<double>(timer.nsecsElapsed()) / 1e6;
    }

    /// Six renewals, two arrivals and two releases of ten.
    inspect::LockChange anyChange()
    {
        const std::size_t kind = m_population.below(10);
        if (kind < 2) {
            m_locks.push_back(m_population.appear(m_now));
            return {inspect::ChangeKind::Appeared, m_locks.back(), m_now};
        }
        inspect::LockPtr& lock = m_locks[m_population.below(m_locks.size())];
        if (kind < 4) {
            const inspect::LockPtr gone = std::exchange(lock, m_locks.back());
            m_locks.pop_back();
            return {inspect::ChangeKind::Released, gone, m_now};
        }
        lock = m_population.renewed(*lock, m_now);
        return {inspect::ChangeKind::Renewed, lock, m_now};
    }

    /// What the window system would ask for: everything that is due is laid out, and the viewport
    /// painted whole.
    void repaint()
    {
        QCoreApplication::sendPostedEvents();
        m_image.fill(Qt::transparent);
        m_view.viewport()->render(&m_image);
    }

    Instant m_now{1h};
    Population m_population;
    std::vector<inspect::LockPtr> m_locks;
    models::LockTableModel m_model{[this] { return m_now; }};
    widgets::LockTableView m_view{m_model};
    QImage m_image{1280, 700, QImage::Format_ARGB32_Premultiplied};
};

void print(const char* name, const Figures& figures, double limit)
{
    std::printf("P3 %-34s p50 %7.2f ms   p99 %7.2f ms   max %7.2f ms   goal p99 <= %.0f ms\n", name,
                figures.percentile(0.5), figures.percentile(0.99), figures.percentile(1), limit);
}

void measureSpeed()
{
    TableBench bench;
    QElapsedTimer timer;
    timer.start();
    bench.fill(kRows);
    std::printf("P3 %-34s %d rows in %lld ms\n", "filling, 2,000 locks a batch", bench.rowCount(),
                static_cast<long long>(timer.elapsed()));
    print("frame at 1,000 changes/s", bench.runFrames(), 16);
    print("keystroke in the filter", bench.typeFilters(), 50);
    print("sorting by another column", bench.changeSorting(), 250);
}

void measureMemory()
{
    const double before = residentMegabytes();
    TableBench bench;
    bench.fill(1'000'000);
    bench.forgetOwnCopies();
    std::printf("P3 %-34s %.0f MB with %d rows (%.0f MB before)   goal < 500 MB\n",
                "memory of the process", residentMegabytes(), bench.rowCount(), before);
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    measureMemory(); // first: what a process gave back to its heap still counts as resident
    measureSpeed();
    return 0;
}
