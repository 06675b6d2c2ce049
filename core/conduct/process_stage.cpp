#include "core/conduct/process_stage.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/store/metered_store.h"
#include "core/kernel/world/world_plan.h"

#include <algorithm>
#include <iterator>

namespace lockscope::conduct {

using namespace std::chrono_literals;

namespace {

constexpr Duration kReconnecting = 500ms; // drivers wait before they try again
constexpr std::uint64_t kLogSizeMax = std::uint64_t{64} << 20U; // bytes; runs take some thousands

} // namespace

RunLog ProcessStage::play(const Workload& workload, std::span<const Deviation> deviations)
{
    try {
        beginRun(workload, deviations);
        carryOutActs();
    } catch (const RunEnded& end) {
        giveUp(end.what());
        m_log.wasInterrupted = end.cause() == RunEnded::Cause::Interrupted;
    }
    endRun();
    return std::exchange(m_log, {});
}

void ProcessStage::carryOutActs()
{
    const int count = static_cast<int>(m_workload->acts.size());
    for (m_act = 0; m_act < count && m_log.trouble.empty(); ++m_act) {
        beginBetweenActs(m_act);
        perform(m_workload->acts[static_cast<std::size_t>(m_act)]);
        endBehind(m_act);
        if (const std::string limit = cast().server().takeLimitReached(); !limit.empty()) {
            giveUp(KernelText::tr("it sent what cannot be played here: %1", limit));
        }
    }
}

void ProcessStage::beginRun(const Workload& workload, std::span<const Deviation> deviations)
{
    m_workload = &workload;
    m_deviations = deviations;
    m_log = {};
    m_logSize = 0;
    m_act = 0;
    m_begun.clear();
    m_ongoing.clear();
    m_sequels.clear();
    m_keys.clear();
    ++m_runCount;
    for (int lock = 0; lock < workload.lockCount; ++lock) {
        m_keys.push_back("lock:" + std::to_string(m_runCount) + static_cast<char>('a' + lock));
    }
    m_callers = Callers(workload);
    choose(workload.toldWait());
    cast().prepare(workload.processCount, *this);
    cast().server().forgetKeys();
    resetProcesses();
    cast().server().loadScripts(cast().serverNow());
    m_callers = Callers(workload);
    m_messageCounts.clear();
    m_book.emplace(workload, deviations);
    cast().advanceToWholeSecond(*this);
    m_begin = cast().now();
    m_log.begin = std::chrono::floor<std::chrono::milliseconds>(cast().serverNow());
    m_watch = KeyWatch(cast().server(),
                       workload.isOfPrograms() ? std::vector<std::string>() : m_keys,
                       sim::toEpochMs(cast().serverNow()));
    cast().server().takeLimitReached(); // before the run
    m_isNoting = true;
}

/// Who was told so. To tell somebody else would be to start all of them anew, each time that a
/// search goes on with another workload.
void ProcessStage::choose(Duration wait)
{
    AdapterSetting setting = m_setting;
    setting.wait = wait;
    m_playing = &m_troupes.try_emplace(wait, std::move(setting)).first->second;
}

/// Who does not answer is started anew.
void ProcessStage::resetProcesses()
{
    for (int process = 0; process < m_workload->processCount; ++process) {
        if (!cast().vocabularyOf(process).has(Word::Reset)) {
            continue;
        }
        call(process, 0, Word::Reset, 0);
        const bool isSuspect = m_playing->suspects.contains(process);
        if (m_callers.isBusy(process) || (isSuspect && !isSound(process))) {
            cast().kill(process);
        }
    }
    m_playing->suspects.clear();
    cast().server().forgetKeys();
    cast().prepare(m_workload->processCount, *this);
}

/// It takes a lock that nobody else has, and gives it back.
bool ProcessStage::isSound(int process)
{
    const Callers::Caller& caller = m_callers.at(process, 0);
    for (const Word word : {Word::Acquire, Word::Release}) {
        call(process, 0, word, 0);
        if (caller.runningCalls > 0 || caller.answer.kind != Answer::Kind::Yes) {
            return false;
        }
    }
    call(process, 0, Word::Reset, 0);
    return caller.runningCalls == 0;
}

void ProcessStage::endRun()
{
    m_isNoting = false;
    for (const Ongoing& ongoing : m_ongoing) {
        end(ongoing);
    }
    m_ongoing.clear();
    for (int process = 0; process < m_workload->processCount; ++process) {
        const bool canReset = cast().isAlive(process)
                              && cast().vocabularyOf(process).has(Word::Reset);
        if (m_callers.isBusy(process) || !canReset || !m_log.trouble.empty()) {
            cast().kill(process);
        }
    }
    for (const int index : m_begun) {
        const Deviation& deviation = deviationAt(index);
        for (int process = 0; process < m_workload->processCount; ++process) {
            if (process == deviation.message.process || isOfServer(deviation.kind)) {
                m_playing->suspects.insert(process);
            }
        }
    }
    m_log.deviationsMet = static_cast<int>(m_begun.size());
    m_callers = {};
    m_workload = nullptr;
}

void ProcessStage::perform(const Act& act)
{
    if (!m_book->isDue(act)) {
        return;
    }
    if (act.kind == Act::Kind::Start) {
        startProgram(act.process);
        return;
    }
    if (act.kind != Act::Kind::Call) {
        pass(act);
        return;
    }
    if (isHeard(act.process)) {
        call(act.process, act.thread, act.word, act.lock, act.isRead);
        carryOutSequels();
        awaitTry(act);
    }
}

/// A try has to end, even if its library sleeps in it; what we keep from it is another matter.
void ProcessStage::awaitTry(const Act& act)
{
    if (!m_workload->waits() && m_callers.at(act.process, act.thread).runningCalls > 0
        && isHeard(act.process) && !m_book->isHindered(act.process)) {
        const Duration wait = m_workload->toldWait();
        cast().passTime(wait + wait / 2, *this);
        note(entryOf(LogEntry::Kind::Passed, -1));
        carryOutSequels();
    }
}

/// In several pieces where it ends as soon as a waiter has the lock.
void ProcessStage::pass(const Act& act)
{
    if (act.kind == Act::Kind::SkipStuck) {
        cast().skipTime(act.span, *this); // a process that still runs by then does no harm
        note(entryOf(LogEntry::Kind::Passed, -1));
        return;
    }
    constexpr int kPieces = 25;
    const int pieces = act.kind == Act::Kind::PassWaiting ? kPieces : 1;
    for (int i = 0; i < pieces && m_book->isDue(act) && m_log.trouble.empty(); ++i) {
        letTimePass(act.span / pieces);
        carryOutSequels();
    }
}

void ProcessStage::call(int process, int thread, Word word, int lock, bool isRead)
{
    if (word != Word::Interrupt && word != Word::Cancel) {
        noteCall(process, thread, word, lock, isRead);
    }
    const bool isReset = word == Word::Reset;
    cast().say(process,
               adapterLine(word, isReset ? "-" : Callers::nameOf(thread),
                           isReset ? m_keys : std::vector{m_keys[static_cast<std::size_t>(lock)]},
                           isRead));
    settle();
}

void ProcessStage::noteCall(int process, int thread, Word word, int lock, bool isRead)
{
    m_callers.begin(process, thread, word, lock, isRead);
    LogEntry entry = entryOf(LogEntry::Kind::Called, process, thread);
    entry.word = word;
    entry.lock = lock;
    entry.isRead = isRead;
    note(std::move(entry));
}

/// Whoever is started wants the lock sooner or later.
void ProcessStage::startProgram(int process)
{
    noteCall(process, 0, Word::Acquire, 0, false);
    cast().start(process);
    settle();
    carryOutSequels();
}

/// Whoever is in its protected section has the lock, by its own account.
void ProcessStage::markCame(int process, const std::string& text)
{
    if (!m_isNoting) {
        return;
    }
    Callers::Caller& caller = m_callers.at(process, 0);
    if (text == "enter") {
        if (caller.runningCalls == 0) { // once more
            noteCall(process, 0, Word::Acquire, 0, false);
        }
        noteAnswer(process, Word::Acquire);
    } else if (text == "leave") {
        if (caller.runningCalls == 0) {
            noteCall(process, 0, Word::Release, 0, false);
        }
        noteAnswer(process, Word::Release);
    } else {
        throw AdapterMistake(KernelText::tr("the program wrote to LOCKSCOPE_SECTION what is "
                                            "neither \"enter\" nor \"leave\": \"%1\"",
                                            shownLine(text)));
    }
}

void ProcessStage::noteAnswer(int process, Word word)
{
    Callers::Caller& caller = m_callers.at(process, 0);
    caller.runningCalls = 0;
    LogEntry entry = entryOf(LogEntry::Kind::Answered, process);
    entry.word = word;
    entry.lock = 0;
    entry.answer.kind = Answer::Kind::Yes;
    note(std::move(entry));
}

void ProcessStage::interrupt(int process)
{
    const int thread = m_callers.busyThread(process);
    const bool isTask = cast().vocabularyOf(process).has(Word::Cancel);
    call(process, thread, isTask ? Word::Cancel : Word::Interrupt,
         m_callers.at(process, thread).lock);
}

void ProcessStage::settle()
{
    if (!cast().settle(*this)) {
        giveUpRestless();
    }
}

void ProcessStage::letTimePass(Duration span)
{
    if (!cast().passTime(span, *this)) {
        giveUpRestless();
    }
    note(entryOf(LogEntry::Kind::Passed, -1));
}

/// The dialogue is strict: a line that is not due is a mistake of the adapter. Only a loss may be
/// told at any time.
void ProcessStage::lineCame(int process, const AdapterLine& line, const std::string& text)
{
    switch (line.kind) {
    case AdapterLine::Kind::Strange:
        throw AdapterMistake(KernelText::tr("the adapter printed a line that is no answer: \"%1\"",
                                            shownLine(text)));
    case AdapterLine::Kind::Ready:
        throw AdapterMistake(KernelText::tr("the adapter printed a second line \"ready …\": \"%1\"",
                                            shownLine(text)));
    case AdapterLine::Kind::Lost: lossCame(process, line); return;
    case AdapterLine::Kind::Answer: answerCame(process, line, text);
    }
}

void ProcessStage::lossCame(int process, const AdapterLine& line)
{
    const auto key = std::ranges::find(m_keys, line.key);
    if (key == m_keys.end()) {
        return; // of an earlier run
    }
    LogEntry entry = entryOf(LogEntry::Kind::LossTold, process, m_callers.threadNamed(line.thread));
    entry.lock = static_cast<int>(key - m_keys.begin());
    note(std::move(entry));
}

void ProcessStage::answerCame(int process, const AdapterLine& line, const std::string& text)
{
    const int thread = m_callers.threadNamed(line.thread);
    if (!m_callers.isAnswerDue(process, thread)) {
        throw AdapterMistake(KernelText::tr("the adapter answered what it was not asked: \"%1\"",
                                            shownLine(text)));
    }
    const Callers::Caller& caller = m_callers.answered(process, thread, line.answer);
    LogEntry entry = entryOf(LogEntry::Kind::Answered, process, thread);
    entry.lock = caller.lock;
    entry.word = caller.word;
    entry.isRead = caller.isRead;
    entry.answer = line.answer;
    note(std::move(entry));
}

void ProcessStage::complaintCame(int process, const std::string& text)
{
    LogEntry entry = entryOf(LogEntry::Kind::Said, process);
    entry.text = text;
    note(std::move(entry));
}

void ProcessStage::processEnded(int process)
{
    m_callers.forgetCallsOf(process);
    note(entryOf(LogEntry::Kind::Ended, process));
}

void ProcessStage::requestCame(int process, Request request)
{
    const int server = cast().server().serverCount() > 1 ? request.server + 1 : 0;
    MessageName name{process, messageKindOf(request.command), 0, server};
    if (!m_isNoting || isHousekeeping(name.kind)) {
        cast().server().execute(request, cast().serverNow());
        return;
    }
    name.occurrence = ++m_messageCounts[{process, server, name.kind}];
    LogEntry entry = entryOf(LogEntry::Kind::Arrived, name.process);
    entry.message = name;
    entry.command = request.command;
    entry.lock = m_watch.lockNamedIn(request.command);
    note(std::move(entry));
    if (!interfere(request, name)) {
        carryOut(request, name);
    }
}

void ProcessStage::carryOut(const Request& request, const MessageName& name)
{
    const auto before = m_watch.look(cast().serverNow());
    const auto reply = cast().server().execute(request, cast().serverNow());
    LogEntry entry = entryOf(LogEntry::Kind::Executed, name.process);
    entry.message = name;
    entry.command = request.command;
    entry.lock = m_watch.lockNamedIn(request.command);
    entry.reply = reply.value_or(store::Reply());
    entry.server = request.server;
    entry.effects = m_watch.changesAt(request.server, before, cast().serverNow());
    note(std::move(entry));
}

/// False: nothing is done to the request.
bool ProcessStage::interfere(Request& request, const MessageName& name)
{
    for (int index = 0; index < static_cast<int>(m_deviations.size()); ++index) {
        const Deviation& deviation = deviationAt(index);
        if (isAtMessage(deviation.kind) && deviation.message == name
            && m_begun.insert(index).second) {
            strike(index, request, name);
            return true;
        }
    }
    return false;
}

void ProcessStage::strike(int index, Request& request, const MessageName& name)
{
    const Interference kind = deviationAt(index).kind;
    const LinkId link = request.link;
    const int server = request.server;
    if (isBehindRequest(kind)) {
        cast().server().holdAnswers(link);
        carryOut(request, name);
    }
    LogEntry entry = entryOf(LogEntry::Kind::Interfered, name.process);
    entry.deviation = index;
    note(std::move(entry));
    switch (kind) {
    case Interference::DelayRequest:
        cast().server().holdRequests(std::move(request));
        [[fallthrough]];
    case Interference::DelayReply: beginLasting(index, link); return;
    case Interference::LoseRequest:
    case Interference::LoseReply: cast().server().cut(link); return;
    case Interference::KillAfter: killProcess(name.process); return;
    case Interference::InterruptBefore:
        cast().server().holdRequests(std::move(request));
        [[fallthrough]];
    case Interference::InterruptAfter:
        m_sequels.push_back({Duration(0), name.process, kind == Interference::InterruptBefore,
                             link});
        return;
    case Interference::ForgetScripts:
        cast().server().forgetScripts(server);
        carryOut(request, name);
        return;
    case Interference::FailOver:
    case Interference::LagReplicas:
        cast().server().stopReplication(server, cast().serverNow());
        carryOut(request, name);
        m_ongoing.push_back({index, link, server});
        return;
    default: return; // those between two messages
    }
}

void ProcessStage::beginLasting(int index, LinkId link)
{
    m_ongoing.push_back({index, link, serverOf(deviationAt(index))});
    if (deviationAt(index).leap == Leap::AtBegin) {
        m_sequels.push_back({m_workload->muchTime(), -1, false, 0});
    }
}

void ProcessStage::beginBetweenActs(int act)
{
    for (int index = 0; index < static_cast<int>(m_deviations.size()); ++index) {
        const Deviation& deviation = deviationAt(index);
        const int process = deviation.message.process;
        const bool isOfAll = deviation.kind == Interference::PassTime || isOfServer(deviation.kind);
        if (isAtMessage(deviation.kind) || deviation.act != act
            || (!isOfAll && !isHeard(process))) {
            continue;
        }
        m_begun.insert(index);
        LogEntry entry = entryOf(LogEntry::Kind::Interfered, process);
        entry.deviation = index;
        note(std::move(entry));
        switch (deviation.kind) {
        case Interference::KillIdle: killProcess(process); break;
        case Interference::Pause:
            cast().stop(process);
            beginLasting(index, 0);
            break;
        case Interference::Isolate:
            cast().refuse(process, true);
            cast().cutOff(process);
            beginLasting(index, 0);
            break;
        case Interference::RestartServer:
            cast().server().setDown(serverOf(deviation), true);
            cast().server().setDown(serverOf(deviation), false);
            break;
        case Interference::ServerDown:
            cast().server().setDown(serverOf(deviation), true);
            beginLasting(index, 0);
            break;
        default: m_sequels.push_back({m_workload->muchTime(), -1, false, 0});
        }
        settle();
        carryOutSequels();
    }
}

void ProcessStage::carryOutSequels()
{
    while (!m_sequels.empty() && m_log.trouble.empty()) {
        const Sequel next = m_sequels.front();
        m_sequels.erase(m_sequels.begin());
        if (next.leap > Duration(0)) {
            letTimePass(next.leap);
            continue;
        }
        interrupt(next.interrupted);
        if (next.cuts) {
            cast().server().cut(next.link);
        } else {
            cast().server().letGo(next.link);
        }
        settle();
    }
}

void ProcessStage::endBehind(int act)
{
    const auto isOver = [this, act](const Ongoing& one) {
        return deviationAt(one.deviation).untilAct <= act;
    };
    std::vector<Ongoing> over;
    std::ranges::copy_if(m_ongoing, std::back_inserter(over), isOver);
    std::erase_if(m_ongoing, isOver);
    for (const Ongoing& one : over) {
        if (deviationAt(one.deviation).leap == Leap::AtEnd) {
            letTimePass(m_workload->muchTime());
        }
        end(one);
        settle();
        carryOutSequels();
    }
}

void ProcessStage::end(const Ongoing& ongoing)
{
    const Deviation& deviation = deviationAt(ongoing.deviation);
    const int process = deviation.message.process;
    LogEntry entry = entryOf(LogEntry::Kind::LetGo, process);
    entry.deviation = ongoing.deviation;
    note(std::move(entry));
    RespServer& server = cast().server();
    switch (deviation.kind) {
    case Interference::Pause:
        if (cast().isStopped(process)) {
            cast().goOn(process);
        }
        return;
    case Interference::Isolate: cast().refuse(process, false); return;
    case Interference::ServerDown: server.setDown(ongoing.server, false); return;
    case Interference::FailOver:
        server.failOver(ongoing.server, cast().serverNow());
        m_sequels.push_back({m_workload->hasLease()
                                 ? std::min<Duration>(m_workload->lease / 4, kReconnecting)
                                 : kReconnecting,
                             -1, false, 0});
        return;
    case Interference::LagReplicas: server.resumeReplication(ongoing.server); return;
    default: server.letGo(ongoing.link);
    }
}

void ProcessStage::killProcess(int process)
{
    cast().kill(process);
    m_callers.forgetCallsOf(process);
    note(entryOf(LogEntry::Kind::Ended, process));
}

/// Throws a RunEnded where the log would take too much memory: a client that sends megabytes again
/// and again is no lock client.
void ProcessStage::note(LogEntry entry)
{
    if (m_isNoting) {
        m_logSize += sizeof(entry) + entry.text.size() + entry.answer.text.size()
                     + wireSizeOf(entry.command) + wireSizeOf(entry.reply);
        if (m_logSize > kLogSizeMax) {
            throw RunEnded(RunEnded::Cause::Size,
                           KernelText::tr("its requests, answers and lines take more than %1 MB",
                                          kLogSizeMax >> 20U));
        }
        m_book->see(entry);
        m_log.entries.push_back(std::move(entry));
    }
}

void ProcessStage::giveUp(const std::string& why)
{
    if (m_log.trouble.empty()) {
        m_log.trouble = why;
    }
}

void ProcessStage::giveUpRestless()
{
    giveUp(cast().restless() < 0
               ? KernelText::tr("requests came without end")
               : KernelText::tr("%1 did not come to rest", world::clientName(cast().restless())));
}

LogEntry ProcessStage::entryOf(LogEntry::Kind kind, int process, int thread) const
{
    LogEntry entry;
    entry.kind = kind;
    entry.at = Instant(cast().now() - m_begin);
    entry.act = m_act;
    entry.process = process;
    entry.thread = thread;
    return entry;
}

Vocabulary ProcessStage::vocabulary()
{
    choose(m_setting.wait);
    cast().prepare(1, *this);
    return cast().vocabularyOf(0);
}

} // namespace lockscope::conduct
