#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/output/lock_table.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/report/protocol_json.h"

namespace lockscope::cli {

using protocol::Claim;
using protocol::KeyUse;
using protocol::Need;
using protocol::Promise;
using protocol::ProtocolInfo;

namespace {

using Lines = std::vector<std::vector<std::string>>;

std::string keysText(KeyUse keys)
{
    return keys == KeyUse::OnePerServer ? "one per server" : std::string(idOf(keys));
}

std::string catalogueTable(const std::vector<ProtocolPtr>& protocols)
{
    Lines lines = {{"PROTOCOL", "KEYS", "RENEWS", "DESCRIPTION"}};
    for (const ProtocolPtr& protocol : protocols) {
        const ProtocolInfo& info = protocol->info();
        const std::string renews = info.canRenew ? "yes" : info.hasExpiry ? "no" : "never expires";
        lines.push_back({info.id, keysText(info.keys), renews,
                         info.title + (info.flaw.empty() ? "" : " (flawed)")
                             + (info.imitates.empty() ? "" : ", as in " + info.imitates)});
    }
    return alignedColumns(lines);
}

std::string catalogueJson(const std::vector<ProtocolPtr>& protocols)
{
    std::string text = "[";
    for (const ProtocolPtr& protocol : protocols) {
        text += (text.size() == 1 ? "\n" : ",\n") + report::protocolJson(protocol->info()).dump();
    }
    return text + "\n]\n";
}

std::string promisesText(const ProtocolInfo& info)
{
    Lines lines;
    for (int i = 0; i < static_cast<int>(Promise::PromiseCount); ++i) {
        const auto promise = static_cast<Promise>(i);
        std::string word = "not promised";
        for (const Claim& claim : info.claims) {
            if (claim.promise == promise) {
                word = claim.assuming.empty() ? "yes" : "if " + std::string(claim.assuming);
            }
        }
        lines.push_back({' ' + std::string(idOf(promise)), word});
    }
    return alignedColumns(lines);
}

std::string featureText(protocol::ServerFeature feature)
{
    using protocol::ServerFeature;
    switch (feature) {
    case ServerFeature::SetOptions: return "SET with NX and PX (Redis 2.6.12)";
    case ServerFeature::Scripts: return "Lua scripts (Redis 2.6)";
    case ServerFeature::ScriptTime: return "TIME inside scripts (Redis 5)";
    case ServerFeature::PubSub: return "PUBLISH and SUBSCRIBE";
    case ServerFeature::BlockingPop: return "BLPOP";
    case ServerFeature::SeveralMasters: return "several independent masters";
    }
    return std::string(idOf(feature));
}

std::string needsText(const ProtocolInfo& info)
{
    Lines lines;
    for (const Need& need : info.needs) {
        lines.push_back({' ' + std::string(need.step), featureText(need.feature)});
    }
    return alignedColumns(lines);
}

std::string factsText(const ProtocolInfo& info)
{
    const protocol::Defaults& defaults = info.defaults;
    Lines lines = {{" keys", keysText(info.keys)}};
    lines.push_back({" lease", info.hasExpiry ? durationText(defaults.lease)
                                              : "none: the lock never expires"});
    lines.push_back({" retries", report::retryText(defaults.retry)});
    lines.push_back({" renews", info.canRenew && !defaults.renewal.isOn()
                                    ? "only on request"
                                    : report::renewalText(defaults.renewal)});
    const auto add = [&lines](bool is, const char* name, const char* word) {
        if (is) {
            lines.push_back({name, word});
        }
    };
    add(info.hasModes, " modes", "read and write");
    add(info.isReentrant, " reentrant", "the same owner can acquire it again");
    add(info.hasPermits, " permits", "several holders, up to a maximum");
    add(info.hasFence, " fence", "every grant has a greater number");
    return alignedColumns(lines);
}

std::string explanation(const ProtocolInfo& info)
{
    std::string text = info.id + ": " + info.title + '\n' + info.summary + '\n';
    if (!info.imitates.empty()) {
        text += "Imitates: " + info.imitates + '\n';
    }
    if (!info.flaw.empty()) {
        text += "Flaw: " + info.flaw + '\n';
    }
    text += "\nPromises\n" + promisesText(info);
    text += "\nDefaults\n" + factsText(info);
    if (!info.needs.empty()) {
        text += "\nServer requirements beyond GET and SET\n" + needsText(info);
    }
    return text;
}

constexpr CommandText kProtocolsText{
    .name = "protocols",
    .operand = "[ID]",
    .summary = "list the lock protocols, or explain one",
    .details = R"(
Lists the lock protocols, or explains one of them: its promises and assumptions, its server
requirements, its defaults and its known flaw. Needs no server. Protocols with a flaw are
included so that they can be tested with contend.
)",
    .examples = R"(
  lockscope-cli protocols
  lockscope-cli protocols set-nx-ex
  lockscope-cli protocols --format json | jq -r '.[] | select(.flaw == null) | .id'
)",
};

class ProtocolsCommand final : public CommandWith<ProtocolsArguments> {
public:
    ProtocolsCommand() : CommandWith(kProtocolsText) {}

    void declare(app::OptionSet& options) override
    {
        options.addText("protocol-file", "FILE", m_choice.file, kProtocolFileHelp);
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
    }

    void complete(const Operands& operands) override
    {
        m_arguments.protocols = knownProtocols(m_choice);
        if (!operands.words.empty()) {
            m_arguments.chosen = protocolOf(operands.first(), m_arguments.protocols);
        }
    }

    async::Task<int> run(Context context) override
    {
        context.output.print(printed());
        co_return ExitDone;
    }

private:
    std::string printed() const
    {
        const bool isJson = m_arguments.format == Format::Json;
        if (m_arguments.chosen) {
            const ProtocolInfo& info = m_arguments.chosen->info();
            return isJson ? report::protocolJson(info).dump() + '\n' : explanation(info);
        }
        return isJson ? catalogueJson(m_arguments.protocols)
                      : catalogueTable(m_arguments.protocols);
    }

    ProtocolChoice m_choice;
};

} // namespace

std::unique_ptr<Command> protocolsCommand()
{
    return std::make_unique<ProtocolsCommand>();
}

} // namespace lockscope::cli
