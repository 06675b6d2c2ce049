#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/session/own_formats.h"
#include "app/cli/session/server_link.h"
#include "core/operations/lock_capture.h"

#include <variant>

namespace lockscope::cli {

namespace {

constexpr Duration kLongestCapture = std::chrono::seconds(60);

constexpr CommandText kWhoText{
    .name = "who",
    .operand = "KEY",
    .summary = "which clients act on a lock, by listening to the server",
    .details = R"(
Listens to all commands of one server for a few seconds (MONITOR) and prints which clients sent
some about the keys of this lock: the one that sends the token of the owner holds it, others try to
take it. Redis does not record who wrote a key, so a client that sends nothing in this time stays
unknown.

MONITOR costs the server up to a third of its throughput while it lasts, so this ends by itself:
after --for (5s, at most 60s), or after --max-bytes. Use it when nothing milder tells, such as
`show`. Values of others pass through this program and are neither kept nor printed. One server;
in a cluster the node that has the key. Read-only.
)",
    .examples = R"(
  lockscope-cli who job:sync --url redis://cache-1:6379
  lockscope-cli who job:sync --for 30s --format json | jq '.clients[0].address'
)",
    .servers = ServerUse::NamedOrLocal,
};

class WhoCommand final : public CommandWith<WhoArguments> {
public:
    WhoCommand() : CommandWith(kWhoText) {}

    void declare(app::OptionSet& options) override
    {
        options.addDuration("for", m_arguments.limits.span, "Listen for so long: 5s, at most 60s.");
        options.addNumber("max-bytes", m_arguments.limits.bytes, 1000, 1'000'000'000,
                          "Stop after so much, whenever that is (16000000).");
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
    }

    void complete(const Operands& operands) override
    {
        m_arguments.key = keyOf(operands.first());
        if (operands.serverCount > 1) {
            throw app::ArgumentError{"who takes one server"};
        }
        if (m_arguments.limits.span > kLongestCapture || m_arguments.limits.span <= Duration(0)) {
            throw app::ArgumentError{"--for must be more than 0 and at most 60s"};
        }
    }

    async::Task<int> run(Context context) override
    {
        ServerLinks links(context);
        const bool isOpen = co_await links.open();
        if (!isOpen) {
            co_return exitCodeOf(links.problem());
        }
        operations::LockInspector inspector(links.servers(), context.clock,
                                            formatsOfUser(context.output));
        const inspect::LockId id{0, m_arguments.key};
        operations::LockListener listener(links.servers(), inspector);
        const operations::CaptureResult result = co_await listener.listen(id, m_arguments.limits);
        if (const auto* const problem = std::get_if<store::Problem>(&result)) {
            context.output.complain(store::explain(*problem));
            co_return exitCodeOf(*problem);
        }
        const auto& seen = std::get<operations::LockCapture>(result);
        context.output.print(
            m_arguments.format == Format::Json
                ? diagnosis::captureJson(seen.capture, seen.end, seen.clients).dump() + '\n'
                : diagnosis::captureText(seen.capture, seen.end, seen.clients));
        co_return ExitDone;
    }
};

} // namespace

std::unique_ptr<Command> whoCommand()
{
    return std::make_unique<WhoCommand>();
}

} // namespace lockscope::cli
