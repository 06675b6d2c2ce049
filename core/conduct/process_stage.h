#pragma once

#include "core/conduct/callers.h"
#include "core/conduct/cast.h"
#include "core/conduct/key_watch.h"
#include "core/kernel/conduct/belief_book.h"
#include "core/kernel/conduct/stage.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace lockscope::conduct {

/// Runs of real processes. Used again from run to run, with a new key, until a run leaves one in a
/// state that cannot be trusted. Used by one thread: processes end with it.
class ProcessStage final : public Stage, private Cast::Audience {
public:
    explicit ProcessStage(AdapterSetting setting) : m_setting(std::move(setting)) {}

    /// Returns what the adapter says that it understands. Throws an AdapterMistake, or a RunEnded.
    Vocabulary vocabulary();

    /// Throws an AdapterMistake, too. A run that was ended is one with trouble.
    RunLog play(const Workload& workload, std::span<const Deviation> deviations) override;

private:
    /// A process, a server, and a kind of message.
    using MessageKind = std::tuple<int, int, std::string>;
    struct Troupe {
        explicit Troupe(AdapterSetting setting) : cast(std::move(setting)) {}

        Cast cast;
        std::set<int> suspects; // processes: what the latest run did to them may still show
    };
    struct Ongoing {
        int deviation = 0;
        LinkId link = 0; // of what is under way
        int server = 0;
    };
    /// What a deviation at a message leaves to be done as soon as nothing else happens.
    struct Sequel {
        Duration leap{0};
        int interrupted = -1; // the process
        bool cuts = false;    // the link, instead of letting its answer go
        LinkId link = 0;
    };

    void lineCame(int process, const AdapterLine& line, const std::string& text) override;
    void complaintCame(int process, const std::string& text) override;
    void requestCame(int process, Request request) override;
    void markCame(int process, const std::string& text) override;
    void processEnded(int process) override;

    Cast& cast() { return m_playing->cast; }
    const Cast& cast() const { return m_playing->cast; }
    void lossCame(int process, const AdapterLine& line);
    void answerCame(int process, const AdapterLine& line, const std::string& text);
    void choose(Duration wait);
    void beginRun(const Workload& workload, std::span<const Deviation> deviations);
    void carryOutActs();
    void resetProcesses();
    bool isSound(int process);
    void perform(const Act& act);
    void pass(const Act& act);
    void awaitTry(const Act& act);
    void call(int process, int thread, Word word, int lock, bool isRead = false);
    void startProgram(int process);
    void noteCall(int process, int thread, Word word, int lock, bool isRead);
    void noteAnswer(int process, Word word);
    void interrupt(int process);
    void settle();
    void letTimePass(Duration span);
    void carryOut(const Request& request, const MessageName& name);
    bool interfere(Request& request, const MessageName& name);
    void strike(int index, Request& request, const MessageName& name);
    void beginBetweenActs(int act);
    void beginLasting(int index, LinkId link);
    void endBehind(int act);
    void end(const Ongoing& ongoing);
    void killProcess(int process);
    void carryOutSequels();
    void endRun();
    void note(LogEntry entry);
    void giveUp(const std::string& why);
    void giveUpRestless();
    LogEntry entryOf(LogEntry::Kind kind, int process, int thread = 0) const;
    bool isHeard(int process) const
    {
        return cast().isAlive(process) && !cast().isStopped(process);
    }
    const Deviation& deviationAt(int index) const
    {
        return m_deviations[static_cast<std::size_t>(index)];
    }
    /// The server that a deviation is about, from 0.
    static int serverOf(const Deviation& deviation)
    {
        return std::max(deviation.message.server - 1, 0);
    }

    AdapterSetting m_setting;
    std::map<Duration, Troupe> m_troupes; // by how long an acquire may wait
    Troupe* m_playing = nullptr;
    std::uint64_t m_runCount = 0;

    // Of the run that goes on; nothing of it is noted between two runs.
    bool m_isNoting = false;
    const Workload* m_workload = nullptr; // null between two runs
    std::span<const Deviation> m_deviations;
    Callers m_callers;
    std::map<MessageKind, int> m_messageCounts;
    std::vector<std::string> m_keys;
    std::set<int> m_begun; // deviations
    std::vector<Ongoing> m_ongoing;
    std::vector<Sequel> m_sequels;
    std::optional<BeliefBook> m_book;
    RunLog m_log;
    std::uint64_t m_logSize = 0; // bytes
    Instant m_begin{};
    KeyWatch m_watch;
    int m_act = 0;
};

} // namespace lockscope::conduct
