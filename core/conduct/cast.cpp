#include "core/conduct/cast.h"

#include "core/conduct/clock_library.h"
#include "core/conduct/server/real_backend.h"
#include "core/conduct/server/sim_backend.h"
#include "core/kernel/base/joined.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/world/world_plan.h"

#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <system_error>
#include <utility>

namespace lockscope::conduct {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr auto kStartMax = 60s;   // a JVM on a busy machine
constexpr auto kRestMax = 10s;    // for everything that one word causes
constexpr auto kLookAgain = 30us; // while somebody works
/// Who was looked at first may have been woken by who was looked at last.
constexpr int kRestLooks = 2;
/// A program may be one that starts others, between two of which nobody works for a moment.
constexpr auto kProgramPause = 1000us;
constexpr unsigned long kTimerSlackNs = 1; // usually 50 µs, as long as a call takes a client
/// A program that turns round and round until a moment of its clock has come, as Netty does for
/// what is too short for a poll, needs a clock that moves. That much of it for so much work, not
/// for so long a wait: on a busy machine who waits for a processor is not turning. What works in
/// children is seen by waiting alone.
constexpr Duration kSpinPatience = 5ms;
constexpr auto kWaitPatience = 200ms;
constexpr Duration kSpinStep = 1ms;
/// Timers closer together than that are due together: a loop that sleeps a millisecond would take
/// thousands of steps.
constexpr Duration kTimerStep = 5ms;
/// More than that at one moment no call takes.
constexpr int kPumpsMax = 500;
constexpr std::size_t kLastWordsMax = 20;

Backends backendsOf(const AdapterSetting& setting)
{
    Backends backends;
    for (int i = 0; i < setting.serverCount; ++i) {
        if (setting.realServer.empty()) {
            backends.push_back(std::make_unique<SimBackend>(setting.replicaCount));
        } else {
            backends.push_back(std::make_unique<RealBackend>(setting.realServer));
        }
    }
    return backends;
}

/// Of the process that keeps the others waiting, since something was heard of any of them.
class Spinning {
public:
    bool isTooLong(int process, Duration workTime)
    {
        if (process != m_process) {
            m_process = process;
            m_workTime = workTime;
        }
        return workTime - m_workTime > kSpinPatience
               || SteadyClock::now() - m_begin > kWaitPatience;
    }

private:
    int m_process = -1;
    Duration m_workTime{};
    SteadyClock::time_point m_begin = SteadyClock::now();
};

} // namespace

Cast::Cast(AdapterSetting setting)
    : m_setting(std::move(setting)),
      m_timers(m_setting.lease),
      m_epoch(m_clock.begin()),
      m_server(backendsOf(m_setting), m_setting.scripts)
{
    std::signal(SIGPIPE, SIG_IGN); // a process may be gone when it is spoken to
    ::prctl(PR_SET_TIMERSLACK, kTimerSlackNs);
    m_clock.setFlowing(hasOwnClock() || m_setting.doesClockFlow);
}

Cast::~Cast() = default;

Instant Cast::now() const
{
    return Instant(m_clock.now());
}

void Cast::prepare(int processCount, Audience& audience)
{
    const auto count = std::max(m_members.size(), static_cast<std::size_t>(processCount));
    m_members.resize(count);
    m_understudies.resize(count);
    m_onStageCount = processCount;
    if (m_setting.isProgram) {
        return; // they begin in the run
    }
    std::vector<int> fresh;
    for (int process = 0; process < processCount; ++process) {
        if (isAlive(process) && member(process).process->isGone()) {
            kill(process);
        }
        if (!isAlive(process)) {
            takeOver(process);
            fresh.push_back(process);
        }
    }
    for (const int process : fresh) {
        waitUntilReady(process, audience);
    }
    if (!fresh.empty()) {
        settle(audience);
    }
}

/// Asked wherever something of the processes is waited for.
void Cast::checkMayGoOn() const
{
    if (!m_setting.mayGoOn()) {
        throw RunEnded(RunEnded::Cause::Interrupted, KernelText::tr("it was interrupted"));
    }
}

void Cast::takeOver(int process)
{
    Member& understudy = m_understudies[static_cast<std::size_t>(process)];
    if (!understudy.process) {
        understudy = started(process);
    }
    member(process) = std::exchange(understudy, {});
}

void Cast::start(int process)
{
    member(process) = started(process);
    member(process).isReady = true;
}

/// Only for parts that were killed before: most never are.
void Cast::prepareUnderstudy(int process)
{
    Member& understudy = m_understudies[static_cast<std::size_t>(process)];
    if (!understudy.process && !m_setting.isProgram) {
        understudy = started(process);
    }
}

Cast::Member Cast::started(int process)
{
    Member member;
    member.seat = m_seatCount++;
    const std::vector<std::uint16_t> ports = m_server.openPorts(member.seat);
    std::vector<std::string> urls;
    urls.reserve(ports.size());
    for (const std::uint16_t port : ports) {
        urls.push_back("redis://127.0.0.1:" + std::to_string(port) + "/0");
    }
    ClientProcess::Setting setting;
    setting.words = m_setting.words;
    const auto set = [&setting](std::string name, std::string value) {
        setting.variables.emplace_back(std::move(name), std::move(value));
    };
    setting.markVariable = m_setting.isProgram ? "LOCKSCOPE_SECTION" : "";
    set("LOCKSCOPE_HOST", "127.0.0.1");
    set("LOCKSCOPE_PORT", std::to_string(ports.front()));
    set("LOCKSCOPE_URL", urls.front());
    set("LOCKSCOPE_URLS", joined(urls, ","));
    set("LOCKSCOPE_SOCKET", m_server.openSocket(member.seat));
    set("LOCKSCOPE_PROCESS", world::clientName(process));
    set("LOCKSCOPE_KEYS", "lockscope:trial:1 lockscope:trial:2"); // as many as a run may have
    set("LOCKSCOPE_LEASE_MS", std::to_string(toMs(m_setting.lease)));
    set("LOCKSCOPE_WAIT_MS", std::to_string(toMs(m_setting.wait)));
    if (!m_setting.clockLibrary.empty()) {
        set("LD_PRELOAD", m_setting.clockLibrary);
        set(LOCKSCOPE_CLOCK_PAGE_VARIABLE, m_clock.path());
    }
    try {
        member.process = std::make_unique<ClientProcess>(setting);
    } catch (const std::system_error& error) {
        throw AdapterMistake(KernelText::tr("%1 cannot be started: %2", setting.words.front(),
                                            error.code().message()));
    }
    return member;
}

void Cast::waitUntilReady(int process, Audience& audience)
{
    // While programs start, time goes on for them: what sleeps then is no part of any run.
    m_clock.setFlowing(true);
    const auto deadline = SteadyClock::now() + kStartMax;
    while (!member(process).isReady) {
        const bool isGone = member(process).process->isGone();
        pump(audience);
        if (isGone && !member(process).isReady) {
            const std::string words = lastWordsOf(member(process).seat);
            end(member(process));
            throw AdapterMistake(words.empty()
                                     ? KernelText::tr("the adapter ended before it was ready")
                                     : KernelText::tr("the adapter ended before it was ready: %1",
                                                      words));
        }
        checkMayGoOn();
        if (SteadyClock::now() > deadline) {
            throw AdapterMistake(KernelText::tr("the adapter did not print a line \"ready …\""));
        }
        waitForNews(1ms);
    }
    m_clock.setFlowing(hasOwnClock() || m_setting.doesClockFlow);
    checkClock(process);
}

/// A program that does not load our library reads the machine's clock, whatever we do to ours.
void Cast::checkClock(int process)
{
    if (hasOwnClock() || std::exchange(m_isClockChecked, true)) {
        return; // all processes are of one program
    }
    if (!followsClock(member(process).process->id(), m_setting.clockLibrary)) {
        throw AdapterMistake(KernelText::tr("its clock cannot be moved, as with programs in Go and "
                                            "static ones; use the real clock"));
    }
}

std::string Cast::lastWordsOf(int seat) const
{
    const auto last = std::find_if(m_lastWords.rbegin(), m_lastWords.rend(),
                                   [seat](const auto& one) { return one.first == seat; });
    return last == m_lastWords.rend() ? std::string() : last->second;
}

void Cast::say(int process, const std::string& line)
{
    if (isAlive(process)) { // it may have ended a moment ago
        touch(process);
        member(process).process->say(line);
    }
}

void Cast::goOn(int process)
{
    touch(process);
    member(process).process->goOn();
}

void Cast::kill(int process)
{
    if (isAlive(process)) {
        end(member(process));
        prepareUnderstudy(process);
    }
}

void Cast::end(Member& one)
{
    if (one.process) {
        const pid_t id = one.process->id();
        one.process.reset();
        m_clock.clearSlotsOf(id);
        m_server.closePorts(one.seat);
    }
}

bool Cast::settle(Audience& audience)
{
    const auto deadline = SteadyClock::now() + kRestMax;
    Spinning spinning;
    int pumps = 0;
    for (int looks = 0; looks < kRestLooks;) {
        checkMayGoOn();
        if (SteadyClock::now() > deadline) {
            return false;
        }
        if (pump(audience)) {
            looks = 0;
            spinning = {};
            if (++pumps > kPumpsMax && !hasOwnClock()) { // until its time is over, perhaps
                m_clock.moveBy(kSpinStep);
            }
            continue;
        }
        looks = areAllAtRest() ? looks + 1 : 0;
        if (m_restless >= 0 && !hasOwnClock()
            && spinning.isTooLong(m_restless, member(m_restless).process->workTime())) {
            m_clock.moveBy(kSpinStep);
            spinning = {};
        }
        if (looks == 0 || m_setting.isProgram) {
            waitForNews(looks == 0 ? kLookAgain : kProgramPause);
        }
    }
    for (Member& one : m_members) {
        one.wasTouched = hasOwnClock();
    }
    return true;
}

/// False: nothing has come.
bool Cast::pump(Audience& audience)
{
    bool isAnything = m_server.receive(serverNow());
    isAnything = takeMarks(audience) || isAnything; // made before what a program asks for next
    while (auto request = m_server.takeRequest()) {
        const int process = processAt(request->seat);
        if (process >= 0 && isOnStage(process) && member(process).isReady) {
            checkClock(process); // of a program that starts others, too: by now they are there
            audience.requestCame(process, std::move(*request));
        } else {
            m_server.execute(*request, serverNow());
        }
        isAnything = true;
    }
    for (int process = 0; process < static_cast<int>(m_members.size()); ++process) {
        isAnything = (isAlive(process) && takeLines(process, audience)) || isAnything;
        if (isAlive(process) && member(process).isReady && member(process).process->isSilent()) {
            kill(process);
            if (isOnStage(process)) {
                audience.processEnded(process);
            }
            isAnything = true;
        }
    }
    hearUnderstudies();
    return isAnything;
}

/// -1: of an understudy, or of one that is dead.
int Cast::processAt(int seat) const
{
    const auto found = std::ranges::find(m_members, seat, &Member::seat);
    return found == m_members.end() ? -1 : static_cast<int>(found - m_members.begin());
}

bool Cast::takeLines(int process, Audience& audience)
{
    Member& one = member(process);
    bool isAnything = false;
    for (const std::string& text : one.process->takeErrorLines()) {
        noteLastWords(one.seat, text);
        if (isOnStage(process)) {
            audience.complaintCame(process, text);
        }
        isAnything = true;
    }
    for (const std::string& text : linesOf(one)) {
        if (!m_setting.isProgram && !one.isReady) {
            hear(one, text);
        } else if (isOnStage(process)) {
            tellLine(process, text, audience);
        }
        isAnything = true;
    }
    return isAnything;
}

/// Throws an AdapterMistake for a line that is too long. A whole program has no dialogue and may
/// print lines of any length.
std::vector<std::string> Cast::linesOf(const Member& one) const
{
    std::vector<std::string> lines = one.process->takeLines();
    if (!m_setting.isProgram && one.process->hasCutALine()) {
        const auto longest = std::ranges::max_element(lines, {}, &std::string::size);
        throw AdapterMistake(KernelText::tr(
            "the adapter printed a line of more than %1 bytes: \"%2\"", LineReader::kLineMax,
            longest != lines.end() ? shownLine(*longest) : std::string()));
    }
    return lines;
}

void Cast::tellLine(int process, const std::string& text, Audience& audience) const
{
    if (m_setting.isProgram) {
        audience.complaintCame(process, text);
    } else {
        audience.lineCame(process, readAdapterLine(text), text);
    }
}

bool Cast::takeMarks(Audience& audience)
{
    bool isAnything = false;
    for (int process = 0; process < processCount() && m_setting.isProgram; ++process) {
        if (isAlive(process)) {
            for (const std::string& text : member(process).process->takeMarks()) {
                audience.markCame(process, text);
                isAnything = true;
            }
        }
    }
    return isAnything;
}

void Cast::hearUnderstudies()
{
    for (Member& one : m_understudies) {
        if (one.process && !one.isReady) {
            for (const std::string& text : one.process->takeErrorLines()) {
                noteLastWords(one.seat, text);
            }
            for (const std::string& text : linesOf(one)) {
                hear(one, text);
            }
        }
    }
}

/// Before it is ready there is nothing else to hear.
void Cast::hear(Member& one, const std::string& text)
{
    const AdapterLine line = readAdapterLine(text);
    if (line.kind == AdapterLine::Kind::Ready) {
        one.isReady = true;
        one.vocabulary = line.vocabulary;
    }
}

void Cast::noteLastWords(int seat, const std::string& text)
{
    m_lastWords.emplace_back(seat, shownLine(text));
    if (m_lastWords.size() > kLastWordsMax) {
        m_lastWords.erase(m_lastWords.begin());
    }
}

bool Cast::areAllAtRest()
{
    for (const int seat : m_server.takeSpokenTo()) {
        if (const int process = processAt(seat); process >= 0) {
            touch(process);
        }
    }
    const auto restless = std::ranges::find_if(m_members, [](const Member& one) {
        const bool isConcerned = one.process && !one.process->isStopped() && one.wasTouched;
        return isConcerned && !one.process->isAtRest();
    });
    m_restless = restless == m_members.end() ? -1 : static_cast<int>(restless - m_members.begin());
    return m_restless < 0;
}

void Cast::waitForNews(std::chrono::microseconds patience)
{
    std::vector<pollfd> files;
    m_server.appendFiles(files);
    for (const Member& one : m_members) {
        if (one.process && !one.process->isStopped()) {
            files.push_back({one.process->outputFile(), POLLIN, 0});
        }
    }
    const timespec span{0, std::chrono::nanoseconds(patience).count()};
    ::ppoll(files.data(), files.size(), &span, nullptr);
}

std::optional<Instant> Cast::nextTimer()
{
    std::vector<Waiter> waiters = m_clock.waiters();
    std::erase_if(waiters, [this](const Waiter& waiter) {
        const pid_t group = ::getpgid(waiter.pid); // a shell sleeps in a child
        return std::ranges::none_of(m_members, [group](const Member& one) {
            return one.process && !one.process->isStopped() && one.process->id() == group;
        });
    });
    std::optional<Instant> next;
    if (const auto stop = m_timers.nextStop(waiters, m_clock.now())) {
        next = Instant(*stop);
    }
    if (const auto timeout = m_server.nextTimeout()) {
        const Instant ours(timeout->time_since_epoch() - m_epoch.time_since_epoch());
        next = std::min(next.value_or(ours), ours);
    }
    return next;
}

bool Cast::passTime(Duration span, Audience& audience)
{
    const Instant end = now() + span;
    bool isSettled = settle(audience);
    if (hasOwnClock()) {
        return isSettled && passRealTime(end, audience);
    }
    while (isSettled && now() < end) {
        const Instant least = now() + kTimerStep;
        const Instant next = std::clamp(nextTimer().value_or(end), std::min(least, end), end);
        m_clock.moveBy(next - now());
        touchAll();
        m_server.timePassed(serverNow());
        isSettled = settle(audience);
    }
    return isSettled;
}

void Cast::touchAll()
{
    for (Member& one : m_members) {
        one.wasTouched = true;
    }
}

bool Cast::passRealTime(Instant end, Audience& audience)
{
    while (now() < end) {
        checkMayGoOn();
        waitForNews(1ms);
        m_server.timePassed(serverNow());
        pump(audience);
    }
    return settle(audience);
}

bool Cast::skipTime(Duration span, Audience& audience)
{
    return hasOwnClock() ? passTime(span, audience) : jump(span, audience);
}

bool Cast::jump(Duration span, Audience& audience)
{
    m_clock.moveBy(span);
    touchAll();
    m_server.timePassed(serverNow());
    return settle(audience);
}

void Cast::advanceToWholeSecond(Audience& audience)
{
    const sim::ServerTime present = serverNow();
    if (!hasOwnClock()) {
        jump(std::chrono::ceil<std::chrono::seconds>(present) - present, audience);
    }
}

} // namespace lockscope::conduct
