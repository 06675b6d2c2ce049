#pragma once

#include "core/conduct/client_process.h"
#include "core/conduct/clock/virtual_clock.h"
#include "core/conduct/resp_server.h"
#include "core/conduct/timer_book.h"
#include "core/kernel/base/time.h"
#include "core/kernel/conduct/adapter_line.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::conduct {

/// An adapter, and how it is started.
struct AdapterSetting {
    std::vector<std::string> words;
    Duration lease = std::chrono::seconds(2);
    Duration wait = std::chrono::milliseconds(200); // that an acquire may wait
    std::string clockLibrary;   // liblockscope-vclock.so; empty: the client follows the real clock
    bool doesClockFlow = false; // real time counts besides: runtimes that do not rest otherwise
    bool isProgram = false;     // a whole program, which no one talks to; see LOCKSCOPE_SECTION
    int serverCount = 1;        // independent ones
    int replicaCount = 0;       // of each, that a client can ask after
    std::string realServer;     // the program of real servers; empty: they are simulated
    /// False ends what goes on with a RunEnded. Asked on several threads.
    std::function<bool()> mayGoOn = [] { return true; };
    /// Of all casts with this setting, or a copy of it.
    std::shared_ptr<ScriptShelf> scripts = std::make_shared<ScriptShelf>();
};

/// An adapter did not keep to the dialogue, or cannot be started; says what is wrong.
class AdapterMistake : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The current run ends here: it was interrupted, its time is over, or it takes too much memory.
class RunEnded : public std::runtime_error {
public:
    enum class Cause : std::uint8_t { Interrupted, Size };

    RunEnded(Cause cause, const std::string& text) : std::runtime_error(text), m_cause(cause) {}
    Cause cause() const { return m_cause; }

private:
    Cause m_cause;
};

/// The processes of an adapter, the server that they talk to, and the clock that all of them have.
/// Knows when nothing more happens by itself. What happens is told to an audience, which decides
/// what becomes of requests. Used by one thread, and only one: the processes end with it.
class Cast {
public:
    class Audience {
    public:
        virtual ~Audience() = default;
        /// A line of a process that is ready.
        virtual void lineCame(int process, const AdapterLine& line, const std::string& text) = 0;
        virtual void complaintCame(int process, const std::string& text) = 0;
        /// A request may be carried out; it is the audience's from here on.
        virtual void requestCame(int process, Request request) = 0;
        /// A line that a program wrote to LOCKSCOPE_SECTION.
        virtual void markCame(int process, const std::string& text) = 0;
        /// The process ended without being told to.
        virtual void processEnded(int process) = 0;
    };

    explicit Cast(AdapterSetting setting);
    ~Cast();

    RespServer& server() { return m_server; }
    const RespServer& server() const { return m_server; }

    /// So many processes that are ready, started anew where needed. Requests of theirs are carried
    /// out meanwhile. Those beyond that number, of a larger run, are not heard from here on,
    /// whatever their libraries go on to do. Throws an AdapterMistake.
    void prepare(int processCount, Audience& audience);
    const Vocabulary& vocabularyOf(int process) const { return member(process).vocabulary; }
    bool isAlive(int process) const { return member(process).process != nullptr; }
    bool isStopped(int process) const
    {
        return isAlive(process) && member(process).process->isStopped();
    }

    /// A program, which begins at once.
    void start(int process);
    void say(int process, const std::string& line);
    void stop(int process) { member(process).process->stop(); }
    void goOn(int process);
    /// Its connections have changed, or it was sent something: it may do something.
    void touch(int process) { member(process).wasTouched = true; }
    /// The next prepare() has another one in its place.
    void kill(int process);
    void cutOff(int process) { m_server.cutAll(member(process).seat); }
    void refuse(int process, bool isRefused) { m_server.refuse(member(process).seat, isRefused); }

    /// Lets everything happen that happens by itself, first come first served. False: it did not
    /// come to rest within some seconds.
    bool settle(Audience& audience);
    /// Who did not come to rest in the latest settle(); -1: all did.
    int restless() const { return m_restless; }
    /// The clock goes on from one timer to the next, and everything happens that they cause. Real
    /// time passes where the processes do not follow our clock.
    bool passTime(Duration span, Audience& audience);
    /// As passTime(), but in one step, so that what waits for a timer in between is late.
    bool skipTime(Duration span, Audience& audience);

    /// The wall clock goes on to its next whole second: who counts seconds counts the same in each
    /// run that begins then. Nothing, where the processes do not follow our clock.
    void advanceToWholeSecond(Audience& audience);

    /// Of the clock that all have; its beginning means nothing.
    Instant now() const;
    sim::ServerTime serverNow() const { return m_epoch + now().time_since_epoch(); }

private:
    /// One that plays a part, or is being started to do so.
    struct Member {
        std::unique_ptr<ClientProcess> process; // null: dead
        int seat = -1; // its number at the server: no other process had it before
        Vocabulary vocabulary;
        bool isReady = false;
        bool wasTouched = true; // since it was seen at rest: something may happen in it
    };

    void checkMayGoOn() const;
    bool isOnStage(int process) const { return process < m_onStageCount; }
    std::vector<std::string> linesOf(const Member& one) const;
    void tellLine(int process, const std::string& text, Audience& audience) const;
    int processCount() const { return static_cast<int>(m_members.size()); }
    Member& member(int process) { return m_members[static_cast<std::size_t>(process)]; }
    const Member& member(int process) const { return m_members[static_cast<std::size_t>(process)]; }
    Member started(int process);
    void waitUntilReady(int process, Audience& audience);
    void checkClock(int process);
    void takeOver(int process);
    void prepareUnderstudy(int process);
    void end(Member& one);
    std::string lastWordsOf(int seat) const;
    bool pump(Audience& audience);
    int processAt(int seat) const;
    bool takeLines(int process, Audience& audience);
    bool takeMarks(Audience& audience);
    void hearUnderstudies();
    static void hear(Member& one, const std::string& text);
    void noteLastWords(int seat, const std::string& text);
    bool hasOwnClock() const { return m_setting.clockLibrary.empty(); }
    bool jump(Duration span, Audience& audience);
    bool passRealTime(Instant end, Audience& audience);
    void touchAll();
    bool areAllAtRest();
    void waitForNews(std::chrono::microseconds patience);
    std::optional<Instant> nextTimer();

    AdapterSetting m_setting;
    VirtualClock m_clock;
    TimerBook m_timers;
    sim::ServerTime m_epoch;
    RespServer m_server;
    std::vector<Member> m_members;
    int m_onStageCount = 0; // of the members
    /// By process: takes over where one is killed. Starting is what takes long, so it is done
    /// ahead.
    std::vector<Member> m_understudies;
    std::vector<std::pair<int, std::string>> m_lastWords; // seat, line on standard error
    int m_seatCount = 0;
    int m_restless = -1;
    bool m_isClockChecked = false;
};

} // namespace lockscope::conduct
