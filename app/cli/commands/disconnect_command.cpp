#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/session/own_formats.h"
#include "app/cli/session/server_link.h"
#include "core/kernel/report/json_text.h"
#include "core/kernel/report/wording.h"
#include "core/operations/holder_killer.h"
#include "core/wire/audit_file.h"
#include "core/wire/entropy.h"
#include "core/wire/process_author.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace lockscope::cli {

using inspect::HolderClient;
using inspect::KillReport;
using inspect::ReleaseResult;
using operations::FoundHolder;
using operations::KillOrder;
using report::Json;

namespace {

Json killedClientJson(const HolderClient& client)
{
    return Json{{"id", client.info.id},
                {"address", escaped(client.info.address)},
                {"name", report::textOrNull(client.info.name)},
                {"how", client.info.how},
                {"line", escaped(client.line)}};
}

std::string killedClientText(const HolderClient& client)
{
    std::string text = "client " + std::to_string(client.info.id) + ", "
                       + escaped(client.info.address);
    if (!client.info.name.empty()) {
        text += ", " + escaped(client.info.name);
    }
    return text + " (" + client.info.how + ")\n  " + escaped(client.line) + '\n';
}

/// As of a release that came to the same.
int codeOfKill(const KillReport& report)
{
    inspect::ReleaseReport same;
    same.result = report.result;
    same.problem = report.problem;
    same.ownReason = report.ownReason;
    return cli::exitCodeOf(same);
}

/// One run of `disconnect`.
class Disconnecting {
public:
    Disconnecting(const Context& context, const DisconnectArguments& arguments)
        : m_context(context),
          m_arguments(arguments),
          m_links(context),
          m_inspector(m_links.servers(), context.clock, formatsOfUser(context.output)),
          m_file(auditPathOf(arguments)),
          m_killer(m_links.servers(), m_inspector, context.clock, m_file,
                   wire::authorOfProcess("lockscope-cli " LOCKSCOPE_VERSION), wire::freshSeed())
    {}

    async::Task<int> run()
    {
        const bool isOpen = co_await m_links.open();
        if (!isOpen) {
            co_return cli::exitCodeOf(m_links.problem());
        }
        m_order.lock = {0, m_arguments.key};
        m_order.owner = unescaped(m_arguments.owner.text).value_or(m_arguments.owner.text);
        m_order.reason = m_arguments.reason;
        FoundHolder found = co_await m_killer.find(m_order.lock, m_order.owner);
        if (!found.client) {
            co_return finish(found.report, nullptr);
        }
        m_order.client = *found.client;
        m_order.master = found.master;
        if (m_arguments.isDryRun) {
            printPlan();
            co_return ExitDone;
        }
        if (m_order.client.info.id != m_arguments.client) {
            KillReport other;
            other.result = ReleaseResult::ChangedHands;
            other.ownReason = "The holder is client " + std::to_string(m_order.client.info.id)
                              + ", not " + std::to_string(m_arguments.client) + '.';
            m_killer.noteUnsent(m_order, other);
            co_return finish(other, &m_order.client);
        }
        co_await m_killer.kill(m_order, m_report);
        int code = finish(m_report, &m_order.client);
        const std::string failure = m_killer.takeFailure();
        if (!failure.empty()) {
            m_context.output.complain(
                "could not write the result of this attempt to the audit file: " + failure);
            code = code == ExitDone ? ExitUnreachable : code;
        }
        co_return code;
    }

private:
    void printPlan() const
    {
        const HolderClient& client = m_order.client;
        if (m_arguments.format == Format::Json) {
            Json json{{"key", escaped(m_arguments.key)}, {"client", killedClientJson(client)}};
            if (!m_order.master.empty()) {
                json["master"] = escaped(m_order.master);
            }
            m_context.output.print(json.dump() + '\n');
            return;
        }
        m_context.output.print("Would disconnect " + placeText() + killedClientText(client)
                               + report::disconnectPriceSentence() + '\n' + "To do it: --client "
                               + std::to_string(client.info.id) + '\n');
    }

    /// "on the master 10.0.0.5:6379: " if the named server is a replica; else empty.
    std::string placeText() const
    {
        return m_order.master.empty() ? std::string()
                                      : "on the master " + escaped(m_order.master) + ": ";
    }

    int finish(const KillReport& report, const HolderClient* client) const
    {
        const inspect::ClientInfo info = client != nullptr ? client->info : inspect::ClientInfo();
        const std::string sentence = report::disconnectSentence(report, info,
                                                                m_context.clock.now());
        const bool isDone = report.result == ReleaseResult::Released;
        if (m_arguments.format == Format::Json) {
            const Json json{{"outcome", isDone ? "killed" : inspect::idOf(report.result)},
                            {"key", escaped(m_arguments.key)},
                            {"sentence", sentence},
                            {"client",
                             client != nullptr ? killedClientJson(*client) : Json(nullptr)},
                            {"proven", report.isProven}};
            m_context.output.print(json.dump() + '\n');
        } else if (isDone) {
            m_context.output.print(sentence + '\n');
        }
        if (!isDone) {
            m_context.output.complain(sentence);
        }
        return codeOfKill(report);
    }

    const Context& m_context;
    const DisconnectArguments& m_arguments;
    ServerLinks m_links;
    operations::LockInspector m_inspector;
    wire::AuditFile m_file;
    operations::HolderKiller m_killer;
    KillOrder m_order;
    KillReport m_report;
};

constexpr CommandText kDisconnectText{
    .name = "disconnect",
    .operand = "KEY",
    .usage = "KEY --owner TOKEN --dry-run|--client ID [options]",
    .summary = "close the connection of a lock's holder",
    .details = R"(
Closes the connection of the client that holds a lock (CLIENT KILL), for a holder that goes on
renewing. The lock itself is not released: it stays until it expires, and the client may
connect again. Only where exactly one connected client fits the owner token: its address or its
name is in the token. --dry-run names that client; --client repeats its number, and nothing is
done if another client is the holder by then. Before the server is asked to close it, number,
address and name are compared again. Every attempt is written to the audit file first. One
server, no cluster; Redis 6.2 or newer. Needs the permissions +client|list and +client|kill.
)",
    .examples = R"(
  lockscope-cli disconnect job:sync --owner worker-7 --dry-run
  lockscope-cli disconnect job:sync --owner worker-7 --client 4711 --reason 'hangs, INC-812'
)",
    .servers = ServerUse::NamedOrLocal,
};

class DisconnectCommand final : public CommandWith<DisconnectArguments> {
public:
    DisconnectCommand() : CommandWith(kDisconnectText) {}

    void declare(app::OptionSet& options) override
    {
        options.addText("owner", "TOKEN", m_owner, "Owner that must hold the lock.");
        options.addNumber("client", m_arguments.client, 1, INT64_MAX,
                          "Number of the client that must be the holder; --dry-run prints it.");
        declareAuditedAction(options, m_arguments, "Print the client without disconnecting it.");
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
    }

    void complete(const Operands& operands) override
    {
        m_arguments.key = keyOf(operands.first());
        if (!m_owner || m_owner->empty()) {
            throw app::ArgumentError{"disconnect needs --owner TOKEN: the owner of the lock; "
                                     "\"lockscope-cli show KEY\" prints it"};
        }
        if ((m_arguments.client == 0) != m_arguments.isDryRun) {
            throw app::ArgumentError{"disconnect needs either --dry-run, which names the client, "
                                     "or --client ID"};
        }
        if (operands.serverCount > 1) {
            throw app::ArgumentError{"disconnect takes one server"};
        }
        completeAuditedAction(m_arguments, operands);
        m_arguments.owner.text = *m_owner;
    }

    async::Task<int> run(Context context) override
    {
        Disconnecting one(context, m_arguments);
        const int code = co_await one.run();
        co_return code;
    }

private:
    std::optional<std::string> m_owner;
};

} // namespace

std::unique_ptr<Command> disconnectCommand()
{
    return std::make_unique<DisconnectCommand>();
}

} // namespace lockscope::cli
