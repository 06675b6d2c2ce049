#include "core/kernel/lint/step_trial.h"

#include "core/kernel/search/wording.h"

#include <string>
#include <utility>

namespace lockscope::lint {

using protocol::Filling;
using protocol::Meaning;
using protocol::OwnStep;

namespace {

constexpr sim::ServerTime kBegin{std::chrono::sys_days(std::chrono::January / 1 / 2026)};

store::Command callOf(const OwnStep& step, const Filling& filling)
{
    const std::vector<Bytes> keys = filled(step.keys, filling);
    store::Command call("EVAL", step.script, keys.size());
    for (const std::vector<Bytes>& words : {keys, filled(step.arguments, filling)}) {
        call.words.insert(call.words.end(), words.begin(), words.end());
    }
    return call;
}

/// "message": a confirmation of the subscription is none.
bool isMessage(const store::Reply& reply)
{
    const store::Reply::Array* const parts = reply.array();
    const std::string* const kind = parts != nullptr && !parts->empty() ? parts->front().text()
                                                                        : nullptr;
    return kind != nullptr && *kind == "message";
}

} // namespace

StepTrial::StepTrial(const protocol::OwnLockPlan& plan, sim::LuaEngine& lua)
    : m_plan(plan),
      m_server(lua),
      m_session(m_server.connect()),
      m_listener(m_server.connect()),
      m_now(kBegin)
{
    if (m_plan.wakeUpChannel) {
        const store::Command subscribe("SUBSCRIBE",
                                       filled(*m_plan.wakeUpChannel, fillingFor(Client::B)));
        m_server.run(m_listener, subscribe, m_now);
    }
}

Filling StepTrial::fillingFor(Client client) const
{
    const std::string letter(1, static_cast<char>('a' + static_cast<int>(client)));
    Filling filling;
    filling.key = "k";
    filling.token = "token-of-" + letter;
    filling.lease = lease();
    filling.now = std::chrono::floor<std::chrono::milliseconds>(m_now);
    filling.clientId = "program-of-" + letter + ":1";
    return filling;
}

TrialAnswer StepTrial::runAlone(const OwnStep& step, Client client)
{
    const auto reply = m_server.run(m_session, callOf(step, fillingFor(client)), m_now);
    TrialAnswer answer;
    if (reply) {
        answer.isError = reply->isError();
        answer.meaning = answer.isError ? std::nullopt : step.meaningOf(*reply);
        answer.text = answer.isError ? reply->error()->text : search::answerText(*reply);
    }
    return answer;
}

TrialAnswer StepTrial::run(const std::optional<OwnStep>& check, const OwnStep& step, Client client)
{
    if (check) {
        TrialAnswer looked = runAlone(*check, client);
        if (!looked.means(Meaning::Passed)) {
            looked.isOfCheck = true;
            return looked;
        }
    }
    return runAlone(step, client);
}

TrialAnswer StepTrial::acquire(Client client)
{
    return run(m_plan.acquireCheck, m_plan.acquire, client);
}

TrialAnswer StepTrial::renew(Client client)
{
    return run(m_plan.renewCheck, *m_plan.renew, client);
}

TrialAnswer StepTrial::release(Client client)
{
    return run(m_plan.releaseCheck, m_plan.release, client);
}

const sim::Keyspace& StepTrial::keys()
{
    m_server.removeExpired(m_now);
    return m_server.database().keys();
}

int StepTrial::wakeUpCount()
{
    for (const sim::Delivery& delivery : m_server.takeDeliveries()) {
        m_wakeUpCount += delivery.session == m_listener && isMessage(delivery.reply) ? 1 : 0;
    }
    return m_wakeUpCount;
}

} // namespace lockscope::lint
