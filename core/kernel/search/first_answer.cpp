#include "core/kernel/search/first_answer.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/search/wording.h"
#include "core/kernel/store/script.h"
#include "protocol_scripts.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace lockscope::search {

using store::Reply;
using world::Request;

namespace {

/// A run that tells nothing by then tells nothing.
constexpr int kStepsMax = 500;

/// Where a script stands in its errors, in front of the number of a line.
constexpr std::string_view kScriptName = "user_script:";

/// Hears what the servers answer to those who want the lock: the first error, or else the first
/// answer.
class AnswerListener final : public world::Observer {
public:
    void served(const Request& request, const std::optional<Reply>& reply, bool /*isLate*/,
                bool /*isAnswerLost*/) override
    {
        const bool isConcerned = request.purpose == world::Purpose::Acquire && reply
                                 && !store::isUnknownScript(*reply);
        if (isConcerned && !m_isError && (!m_reply || reply->isError())) {
            m_command = request.command;
            m_reply = reply;
            m_isError = reply->isError();
        }
    }

    void recorded(const trace::Event& event) override
    {
        m_isUnknown = m_isUnknown || event.kind == trace::EventKind::Uncertain;
    }

    bool hasError() const { return m_isError; }

    std::string text() const
    {
        if (!m_reply) {
            return KernelText::tr("No server answered a request.");
        }
        const std::string command = commandText(m_command);
        if (m_isError) {
            const std::string& error = m_reply->error()->text;
            const std::string line = scriptLineText(error, scriptIn(m_command));
            const std::string text = KernelText::tr("A client sends %1, and the server answers "
                                                    "with an error: %2",
                                                    command, error);
            return line.empty() ? text : text + "\n" + line;
        }
        const std::string answer = answerText(*m_reply);
        return m_isUnknown ? KernelText::tr("A client sends %1, and the server answers %2, which "
                                            "the protocol knows neither as granted nor as refused.",
                                            command, answer)
                           : KernelText::tr("A client sends %1, and the server answers %2, which "
                                            "the protocol knows as refused.",
                                            command, answer);
    }

private:
    static std::string scriptIn(const store::Command& command)
    {
        if (command.words.size() < 2 || !command.words.front().starts_with("EVAL")) {
            return {};
        }
        const Bytes& word = command.words[1]; // the text, or its digest
        const auto known = std::ranges::find(protocol::scripts::kAll, word, &store::Script::digest);
        return known == std::end(protocol::scripts::kAll) ? word : std::string(known->text);
    }

    store::Command m_command;
    std::optional<Reply> m_reply;
    bool m_isError = false;
    bool m_isUnknown = false;
};

/// nullopt: the text has no such line.
std::optional<std::string_view> lineOf(std::string_view text, int number)
{
    for (int line = 1; line < number; ++line) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        text.remove_prefix(end + 1);
    }
    text = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text;
}

} // namespace

std::string scriptLineText(std::string_view error, std::string_view script)
{
    const std::size_t at = error.rfind(kScriptName);
    if (at == std::string_view::npos) {
        return {};
    }
    const std::string_view rest = error.substr(at + kScriptName.size());
    int number = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    const auto line = read.ec == std::errc() && number > 0 ? lineOf(script, number) : std::nullopt;
    return line ? KernelText::tr("Line %1 of the script: %2", number, *line) : std::string();
}

std::string reasonNeverGranted(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                               sim::LuaEngine& lua)
{
    world::WorldPlan clean = plan;
    clean.faults = {};
    world::World world(protocol, clean, lua);
    AnswerListener listener;
    world.observeWith(&listener);
    for (int i = 0; i < kStepsMax && !listener.hasError(); ++i) {
        const std::span<const world::Step> steps = world.steps();
        if (steps.empty()) {
            break;
        }
        world.takeKnownStep(world::Step(steps.front()));
    }
    return listener.text();
}

} // namespace lockscope::search
