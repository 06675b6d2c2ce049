// Every function that the preloaded library stands before. A name on a line begins a wait of 30
// seconds in it; "end" ends it early, as it can be: by what it waits for, or else by a signal. The
// answer are the seconds that two clocks say it took, and how it ended. "rounds N" is the other
// thing it does: see rounds().

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <functional>
#include <iostream>
#include <linux/futex.h>
#include <map>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <string>
#include <thread>
#include <threads.h>
#include <utility>

namespace {

constexpr int kSpan = 30; // seconds

int emptyPipe[2];
sem_t semaphore;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;      // of the conditions
pthread_mutex_t takenMutex = PTHREAD_MUTEX_INITIALIZER; // the main thread's
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_cond_t monotonicCondition;
std::atomic<bool> isOver = false; // what the conditions are about
std::atomic<std::uint32_t> word = 0;

timespec after(clockid_t clock, int seconds)
{
    timespec time{};
    clock_gettime(clock, &time);
    time.tv_sec += seconds;
    return time;
}

double secondsOf(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

const timespec kRelative{kSpan, 0};

std::string endOf(int error)
{
    return error == 0           ? "ready"
           : error == ETIMEDOUT ? "timeout"
           : error == EINTR     ? "signal"
                                : std::to_string(error);
}

std::string endOfSleep(int error)
{
    return error == 0 ? "timeout" : endOf(error);
}

/// Of a library that prefers libc to what stands before it.
int sleepInExtension()
{
    void* const extension = dlopen(LOCKSCOPE_WAITING_EXTENSION, RTLD_NOW | RTLD_DEEPBIND);
    void* const found = extension != nullptr ? dlsym(extension, "sleepInExtension") : nullptr;
    if (found == nullptr) {
        return ENOENT;
    }
    return reinterpret_cast<int (*)(unsigned)>(found)(kSpan) == 0 ? 0 : errno;
}

std::string endOfPoll(int result)
{
    return result > 0 ? "ready" : result == 0 ? "timeout" : endOf(errno);
}

std::string inCondition(const std::function<int()>& wait)
{
    pthread_mutex_lock(&mutex);
    int error = 0;
    while (!isOver && error == 0) {
        error = wait();
    }
    pthread_mutex_unlock(&mutex);
    return endOf(error);
}

std::string inStandardCondition()
{
    static std::mutex own;
    static std::condition_variable variable;
    std::unique_lock<std::mutex> lock(own);
    std::thread messenger([] {
        std::uint32_t seen = 0;
        while ((seen = word) == 0) {
            syscall(SYS_futex, &word, FUTEX_WAIT, seen, nullptr, nullptr, 0);
        }
        const std::lock_guard<std::mutex> guard(own);
        variable.notify_one();
    });
    const bool over = variable.wait_for(lock, std::chrono::seconds(kSpan),
                                        [] { return isOver.load(); });
    lock.unlock();
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
    messenger.join();
    return over ? "ready" : "timeout";
}

std::string inSelect(bool withMask)
{
    fd_set set;
    FD_ZERO(&set);
    FD_SET(emptyPipe[0], &set);
    timeval span{kSpan, 0};
    const int result = withMask
                           ? pselect(emptyPipe[0] + 1, &set, nullptr, nullptr, &kRelative, nullptr)
                           : select(emptyPipe[0] + 1, &set, nullptr, nullptr, &span);
    if (result == 0
        && (FD_ISSET(emptyPipe[0], &set)
            || (!withMask && (span.tv_sec != 0 || span.tv_usec != 0)))) {
        return "wrong";
    }
    return endOfPoll(result);
}

std::string inEpoll(const std::function<int(int, epoll_event*)>& wait)
{
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    epoll_event event{EPOLLIN, {}};
    epoll_ctl(epoll, EPOLL_CTL_ADD, emptyPipe[0], &event);
    const std::string end = endOfPoll(wait(epoll, &event));
    close(epoll);
    return end;
}

std::string inFutex(int operation, const timespec& time)
{
    const long result = syscall(SYS_futex, &word, operation, 0, &time, nullptr,
                                FUTEX_BITSET_MATCH_ANY);
    return endOf(result == 0 ? 0 : errno);
}

std::string inMutex(int error)
{
    if (error == 0) {
        pthread_mutex_unlock(&takenMutex);
    }
    return endOf(error);
}

std::string inTimer()
{
    const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    const itimerspec span{{0, 0}, kRelative};
    timerfd_settime(timer, 0, &span, nullptr);
    std::array<pollfd, 2> fds{pollfd{timer, POLLIN, 0}, pollfd{emptyPipe[0], POLLIN, 0}};
    poll(fds.data(), fds.size(), -1);
    std::uint64_t count = 0;
    const bool fired = fds[0].revents != 0 && read(timer, &count, sizeof count) == sizeof count
                       && count == 1;
    close(timer);
    return fired ? "timeout" : "ready";
}

std::string inSignalWait()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    const int result = sigtimedwait(&set, nullptr, &kRelative);
    return result >= 0 ? "ready" : errno == EAGAIN ? "timeout" : endOf(errno);
}

/// A thread that is cancelled in a wait must not leave its slot behind. Its result comes after the
/// cancellation.
std::string inCancelled(void* (*wait)(void*))
{
    pthread_t thread{};
    pthread_create(&thread, nullptr, wait, nullptr);
    while (!isOver) {
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, nullptr, nullptr, 0);
    }
    pthread_cancel(thread);
    void* result = nullptr;
    pthread_join(thread, &result);
    return result == PTHREAD_CANCELED ? "ready" : "wrong";
}

void* sleepForCancel(void*)
{
    nanosleep(&kRelative, nullptr);
    return nullptr;
}

void* waitForCancel(void*)
{
    static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&own);
    const timespec time = after(CLOCK_REALTIME, kSpan);
    pthread_cond_timedwait(&never, &own, &time);
    return nullptr;
}

using Waits = std::map<std::string, std::function<std::string()>>;

Waits sleepsAndPolls()
{
    return {
        {"nanosleep", [] { return endOfSleep(nanosleep(&kRelative, nullptr) == 0 ? 0 : errno); }},
        {"clock_nanosleep",
         [] { return endOfSleep(clock_nanosleep(CLOCK_REALTIME, 0, &kRelative, nullptr)); }},
        {"clock_nanosleep_absolute",
         [] {
             const timespec time = after(CLOCK_MONOTONIC, kSpan);
             return endOfSleep(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr));
         }},
        {"usleep", [] { return endOfSleep(usleep(kSpan * 1'000'000) == 0 ? 0 : errno); }},
        {"sleep", [] { return endOfSleep(sleep(kSpan) == 0 ? 0 : EINTR); }},
        {"sleep_of_an_extension", [] { return endOfSleep(sleepInExtension()); }},
        {"thrd_sleep", [] { return endOfSleep(thrd_sleep(&kRelative, nullptr) == 0 ? 0 : EINTR); }},
        {"poll",
         [] {
             pollfd fd{emptyPipe[0], POLLIN, 0};
             return endOfPoll(poll(&fd, 1, kSpan * 1000));
         }},
        {"ppoll",
         [] {
             pollfd fd{emptyPipe[0], POLLIN, 0};
             return endOfPoll(ppoll(&fd, 1, &kRelative, nullptr));
         }},
        {"select", [] { return inSelect(false); }},
        {"pselect", [] { return inSelect(true); }},
        {"epoll_wait",
         [] {
             return inEpoll([](int epoll, epoll_event* event) {
                 return epoll_wait(epoll, event, 1, kSpan * 1000);
             });
         }},
        {"epoll_pwait",
         [] {
             return inEpoll([](int epoll, epoll_event* event) {
                 return epoll_pwait(epoll, event, 1, kSpan * 1000, nullptr);
             });
         }},
        {"epoll_pwait2",
         [] {
             return inEpoll([](int epoll, epoll_event* event) {
                 return epoll_pwait2(epoll, event, 1, &kRelative, nullptr);
             });
         }},
        {"timerfd", inTimer},
    };
}

Waits locksAndConditions()
{
    return {
        {"pthread_cond_timedwait",
         [] {
             const timespec time = after(CLOCK_REALTIME, kSpan);
             return inCondition([&] { return pthread_cond_timedwait(&condition, &mutex, &time); });
         }},
        {"pthread_cond_timedwait_monotonic",
         [] {
             const timespec time = after(CLOCK_MONOTONIC, kSpan);
             return inCondition([&] {
                 return pthread_cond_timedwait(&monotonicCondition, &mutex, &time);
             });
         }},
        {"pthread_cond_clockwait",
         [] {
             const timespec time = after(CLOCK_MONOTONIC, kSpan);
             return inCondition([&] {
                 return pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &time);
             });
         }},
        {"std::condition_variable", inStandardCondition},
        {"sem_timedwait",
         [] {
             const timespec time = after(CLOCK_REALTIME, kSpan);
             return endOf(sem_timedwait(&semaphore, &time) == 0 ? 0 : errno);
         }},
        {"sem_clockwait",
         [] {
             const timespec time = after(CLOCK_MONOTONIC, kSpan);
             return endOf(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &time) == 0 ? 0 : errno);
         }},
        {"pthread_mutex_timedlock",
         [] {
             const timespec time = after(CLOCK_REALTIME, kSpan);
             return inMutex(pthread_mutex_timedlock(&takenMutex, &time));
         }},
        {"pthread_mutex_clocklock",
         [] {
             const timespec time = after(CLOCK_MONOTONIC, kSpan);
             return inMutex(pthread_mutex_clocklock(&takenMutex, CLOCK_MONOTONIC, &time));
         }},
        {"sigtimedwait", inSignalWait},
        {"futex", [] { return inFutex(FUTEX_WAIT, kRelative); }},
        {"futex_bitset", [] { return inFutex(FUTEX_WAIT_BITSET, after(CLOCK_MONOTONIC, kSpan)); }},
        {"futex_bitset_realtime",
         [] {
             return inFutex(FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, after(CLOCK_REALTIME, kSpan));
         }},
    };
}

Waits cancelledOnes()
{
    return {
        {"cancelled_sleep", [] { return inCancelled(sleepForCancel); }},
        {"cancelled_condition", [] { return inCancelled(waitForCancel); }},
    };
}

/// All that could end a wait, but one kind of it: a sleep can only be disturbed.
void endEarly(const std::string& name, pthread_t thread)
{
    pthread_mutex_lock(&mutex);
    isOver = true;
    pthread_cond_signal(&condition);
    pthread_cond_signal(&monotonicCondition);
    pthread_mutex_unlock(&mutex);
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
    if (name.find("sleep") != std::string::npos && name.find("cancelled") == std::string::npos) {
        pthread_kill(thread, SIGUSR1);
    } else if (name.starts_with("sem_")) {
        sem_post(&semaphore);
    } else if (name.starts_with("pthread_mutex")) {
        pthread_mutex_unlock(&takenMutex);
    } else if (name == "sigtimedwait") {
        pthread_kill(thread, SIGUSR2);
    } else if (name.find("poll") != std::string::npos || name.find("select") != std::string::npos
               || name == "timerfd") {
        (void)!write(emptyPipe[1], "x", 1);
    }
}

void startAfresh()
{
    isOver = false;
    word = 0;
    std::array<char, 16> rest{};
    while (read(emptyPipe[0], rest.data(), rest.size()) > 0) {}
    pthread_mutex_trylock(&takenMutex);
}

/// The thread in which one wait happens.
class Trial {
public:
    Trial(std::string name, const std::function<std::string()>& wait) : m_name(std::move(name))
    {
        startAfresh();
        m_thread = std::thread([&wait] {
            const double monotonic = secondsOf(CLOCK_MONOTONIC);
            const double wall = secondsOf(CLOCK_REALTIME);
            const std::string end = wait();
            std::printf("%.6f %.6f %s\n", secondsOf(CLOCK_MONOTONIC) - monotonic,
                        secondsOf(CLOCK_REALTIME) - wall, end.c_str());
            std::fflush(stdout);
        });
    }
    ~Trial() { m_thread.join(); }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

    void endEarly() { ::endEarly(m_name, m_thread.native_handle()); }

private:
    std::string m_name;
    std::thread m_thread;
};

/// What a round of rounds() is about. One thread puts a thing there and signals once. Two wait for
/// it: one without end, one that gives up at its time-out and does not even look, as it may: who
/// times out must not have eaten the signal.
struct Round {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
    pthread_cond_t taken = PTHREAD_COND_INITIALIZER;
    int number = 0;
    int last = 0;
    bool isFull = false;
    int givenUp = 0;

    void take()
    {
        isFull = false;
        ++number;
        pthread_cond_broadcast(&taken);
        if (number == last) { // for who waits without end
            pthread_cond_broadcast(&filled);
        }
    }
    bool isDone() const { return number == last; }
};

void takePatiently(Round& round)
{
    pthread_mutex_lock(&round.mutex);
    while (!round.isDone()) {
        if (round.isFull) {
            round.take();
        } else {
            pthread_cond_wait(&round.filled, &round.mutex);
        }
    }
    pthread_mutex_unlock(&round.mutex);
}

void takeOrGiveUp(Round& round)
{
    pthread_mutex_lock(&round.mutex);
    while (!round.isDone()) {
        timespec time{};
        clock_gettime(CLOCK_REALTIME, &time);
        time.tv_nsec += 1'000 * (1 + round.number * 7919 % 300);
        time.tv_sec += time.tv_nsec / 1'000'000'000;
        time.tv_nsec %= 1'000'000'000;
        const int mine = round.number;
        if (round.isFull) {
            round.take();
        } else if (pthread_cond_timedwait(&round.filled, &round.mutex, &time) == ETIMEDOUT) {
            ++round.givenUp;
            while (round.number == mine) {
                pthread_cond_wait(&round.taken, &round.mutex);
            }
        }
    }
    pthread_mutex_unlock(&round.mutex);
}

void rounds(int count)
{
    Round round;
    round.last = count;
    std::thread patient([&round] { takePatiently(round); });
    std::thread impatient([&round] { takeOrGiveUp(round); });
    pthread_mutex_lock(&round.mutex);
    while (!round.isDone()) {
        round.isFull = true;
        pthread_cond_signal(&round.filled);
        while (round.isFull) {
            pthread_cond_wait(&round.taken, &round.mutex);
        }
        pthread_mutex_unlock(&round.mutex);
        pthread_mutex_lock(&round.mutex);
    }
    pthread_mutex_unlock(&round.mutex);
    patient.join();
    impatient.join();
    std::printf("%d rounds, %d given up\n", round.number, round.givenUp);
    std::fflush(stdout);
}

void prepare()
{
    (void)!pipe2(emptyPipe, O_NONBLOCK | O_CLOEXEC);
    sem_init(&semaphore, 0, 0);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&monotonicCondition, &attributes);
    struct sigaction action {};
    action.sa_handler = [](int) {};
    sigaction(SIGUSR1, &action, nullptr);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

} // namespace

int main()
{
    prepare();
    Waits waits = sleepsAndPolls();
    waits.merge(locksAndConditions());
    waits.merge(cancelledOnes());
    std::string words = "ready";
    for (const auto& [name, wait] : waits) {
        words += " " + name;
    }
    std::puts(words.c_str());
    std::fflush(stdout);
    std::unique_ptr<Trial> trial;
    for (std::string line; std::getline(std::cin, line);) {
        if (line == "end") {
            trial->endEarly();
        } else if (line == "back off") {
            usleep(1000);
            std::puts("done");
            std::fflush(stdout);
        } else if (line.starts_with("rounds ")) {
            rounds(std::atoi(line.c_str() + 7));
        } else {
            trial.reset();
            trial = std::make_unique<Trial>(line, waits.at(line));
        }
    }
    std::_Exit(0);
}
