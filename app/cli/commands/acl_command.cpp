#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/session/server_link.h"
#include "core/kernel/base/bytes.h"
#include "core/kernel/report/lock_json.h"
#include "core/operations/access_rules.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::cli {

using operations::ServerVersion;

namespace {

/// A word of the printed command; whoever copies it puts a password in its place.
constexpr std::string_view kPassword = ">PASSWORD";

std::string versionText(const ServerVersion& version)
{
    return std::to_string(version.major) + '.' + std::to_string(version.minor);
}

/// Words in a command of Redis stand side by side; a name with a space in it would be two.
bool isOneWord(const std::string& name)
{
    return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
        return c > 0x20 && c < 0x7f && c != '"' && c != '\'';
    });
}

/// "ACL SETUSER lockscope-watch reset on >PASSWORD resetchannels …": whatever a user of this name
/// was allowed before is not among it.
std::string commandOf(const std::string& user, const std::vector<std::string>& rules)
{
    std::string command = "ACL SETUSER " + user + " reset on ";
    command += kPassword;
    for (const std::string& rule : rules) {
        command += ' ' + rule;
    }
    return command;
}

constexpr CommandText kAclText{
    .name = "acl",
    .usage = "--watch|--release|--sentinel [options]",
    .summary = "print the rules of a Redis user that may watch or release",
    .details = R"(
Prints the ACL SETUSER command that creates a user with the smallest set of rules: with --watch one
that sees all locks and changes nothing, with --release one that releases them, too, and with
--sentinel one of the Sentinels, which have users of their own. What a user of this name was allowed
before is taken back. Replace PASSWORD before you use it. The rules depend on the version of the
server, and on whether it is of a cluster: it is asked, or --for and --cluster say so, and then no
server is needed. In a cluster, and where a replica may become the master, every node needs the
user. Nothing is changed.
)",
    .examples = R"(
  lockscope-cli acl --watch --url redis://admin@10.0.0.5
  lockscope-cli acl --release --disconnect --for 7.2 --user oncall
  lockscope-cli acl --watch --url redis+cluster://admin@10.0.0.1 --format json | jq -r '.rules[]'
)",
    .servers = ServerUse::NamedOrLocal,
};

class AclCommand final : public CommandWith<AclArguments> {
public:
    AclCommand() : CommandWith(kAclText) {}

    void declare(app::OptionSet& options) override
    {
        const auto readVersion = [this](const std::string& text) {
            m_arguments.version = operations::serverVersionOf(text);
            return std::string(m_arguments.version
                                   ? ""
                                   : "a version such as 7.2 is needed, 6.2 or newer");
        };
        options.addSwitch("watch", m_isWatch, "Rules for watching.");
        options.addSwitch("release", m_arguments.access.releases,
                          "Rules for watching and releasing.");
        options.addSwitch("sentinel", m_arguments.isOfSentinels, "Rules for asking Sentinels.");
        options.addSwitch("disconnect", m_arguments.access.disconnects,
                          "Also for disconnecting a holder (CLIENT KILL).");
        options.addSwitch("who", m_arguments.access.captures,
                          "Also for who (MONITOR, which shows the data of everybody).");
        options.addSwitch("cluster", m_arguments.access.isInCluster,
                          "For a cluster, without asking a server.");
        options.add("for", "VERSION", readVersion,
                    "For this version of Redis or Valkey, without asking a server.");
        options.addText("user", "NAME", m_arguments.user,
                        "The name of the user (lockscope-watch, -release, -sentinel).");
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
    }

    void complete(const Operands& operands) override
    {
        const operations::Access& access = m_arguments.access;
        if (int(m_isWatch) + int(access.releases) + int(m_arguments.isOfSentinels) != 1) {
            throw app::ArgumentError{"specify --watch, --release or --sentinel"};
        }
        if (m_arguments.version && operands.serverCount > 0) {
            throw app::ArgumentError{"--for and --url exclude each other"};
        }
        if (access.isInCluster && !m_arguments.version) {
            throw app::ArgumentError{"--cluster needs --for; a server tells by itself"};
        }
        if (access.disconnects && !access.releases) {
            throw app::ArgumentError{"--disconnect needs --release"};
        }
        if (m_arguments.isOfSentinels && (access.captures || access.isInCluster)) {
            throw app::ArgumentError{"--sentinel is not combined with --who or --cluster"};
        }
        if (m_arguments.isOfSentinels && (m_arguments.version || operands.serverCount > 0)) {
            throw app::ArgumentError{
                "--sentinel needs neither server nor version: the rules are always the same"};
        }
        if (m_arguments.user.empty()) {
            m_arguments.user = defaultUser();
        }
        if (!isOneWord(m_arguments.user)) {
            throw app::ArgumentError{"--user: the name must be one word of printable ASCII"};
        }
    }

    async::Task<int> run(Context context) override
    {
        if (m_arguments.version || m_arguments.isOfSentinels) {
            print(context);
            co_return ExitDone;
        }
        ServerLinks links(context);
        const bool isOpen = co_await links.open();
        if (!isOpen) {
            co_return exitCodeOf(links.problem());
        }
        // Of several servers the oldest: what it does not know it refuses.
        std::optional<ServerVersion> oldest;
        for (const store::ServerInfo& info : links.infos()) {
            const auto version = operations::serverVersionOf(info.version);
            if (!version) {
                context.output.complain(info.version.empty()
                                            ? "the server does not tell its version: use --for"
                                            : "there are no rules for version "
                                                  + escaped(info.version) + ": 6.2 is the oldest");
                co_return ExitRefused;
            }
            oldest = std::min(oldest.value_or(*version), *version);
            m_arguments.access.isInCluster = m_arguments.access.isInCluster || info.isCluster;
        }
        m_arguments.version = oldest;
        print(context);
        co_return ExitDone;
    }

private:
    std::string defaultUser() const
    {
        if (m_arguments.isOfSentinels) {
            return "lockscope-sentinel";
        }
        return m_isWatch ? "lockscope-watch" : "lockscope-release";
    }

    /// "for version 7.2, for every node of the cluster".
    std::string scope() const
    {
        if (!m_arguments.version) {
            return "for the Sentinels";
        }
        return "for version " + versionText(*m_arguments.version)
               + (m_arguments.access.isInCluster ? ", for every node of the cluster" : "");
    }

    void print(const Context& context) const
    {
        const std::vector<std::string> rules = m_arguments.isOfSentinels
                                                   ? operations::sentinelRules()
                                                   : operations::accessRules(m_arguments.access,
                                                                             *m_arguments.version);
        const std::string command = commandOf(m_arguments.user, rules);
        if (m_arguments.format == Format::Json) {
            const report::Json json{
                {"version", m_arguments.version ? report::Json(versionText(*m_arguments.version))
                                                : report::Json(nullptr)},
                {"isCluster", m_arguments.access.isInCluster},
                {"user", m_arguments.user},
                {"rules", rules},
                {"command", command}};
            context.output.print(json.dump() + '\n');
            return;
        }
        context.output.complain(scope() + "; replace PASSWORD before you use it");
        context.output.print(command + '\n');
    }

    bool m_isWatch = false;
};

} // namespace

std::unique_ptr<Command> aclCommand()
{
    return std::make_unique<AclCommand>();
}

} // namespace lockscope::cli
