#include "core/kernel/store/problem.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/characters.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/store/subcommands.h"
#include "core/kernel/store/tls_record.h"

#include <algorithm>
#include <array>

namespace lockscope::store {

namespace {

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

std::string_view firstWord(std::string_view text)
{
    return text.substr(0, text.find(' '));
}

std::string_view secondWord(std::string_view text)
{
    const std::size_t space = text.find(' ');
    return space == std::string_view::npos ? std::string_view() : firstWord(text.substr(space + 1));
}

/// The server repeats the arguments of a command it does not know; those of AUTH are a password.
std::string_view withoutArguments(std::string_view errorText)
{
    return errorText.substr(0, errorText.find(", with args beginning with:"));
}

/// "CLIENT TRACKING ON" -> "client|tracking", "GET k" -> "get": how ACL rules name commands.
std::string ruleNameOf(std::string_view commandText)
{
    const std::string name = lowered(firstWord(commandText));
    const std::string subcommand = lowered(secondWord(commandText));
    return hasSubcommands(name) && !subcommand.empty() ? name + '|' + subcommand : name;
}

/// The command between the first pair of single quotes: "… to run the 'client|tracking' command".
std::string_view quotedCommand(std::string_view text)
{
    const std::size_t open = text.find('\'');
    const std::size_t close = open == std::string_view::npos ? open : text.find('\'', open + 1);
    return close == std::string_view::npos ? std::string_view()
                                           : text.substr(open + 1, close - open - 1);
}

/// Our scripts name the command that failed, "call of HGET: …", because older servers do not.
std::string_view commandOfScript(std::string_view text)
{
    static constexpr std::string_view kMark = "call of ";
    const std::size_t at = text.find(kMark);
    if (at == std::string_view::npos) {
        return {};
    }
    const std::string_view rest = text.substr(at + kMark.size());
    return rest.substr(0, rest.find(':'));
}

bool isAboutChannels(std::string_view text)
{
    return contains(text, "one of the channels") || contains(text, "access a channel")
           || contains(text, "publish to the channel") || contains(text, "channel mentioned");
}

bool isAboutKeys(std::string_view text)
{
    return contains(text, "one of the keys") || contains(text, "access a key");
}

/// Scripts run with the permissions of their caller. Redis 6 and 7.0 report it with the code ERR
/// and do not say which of the script's commands it was.
bool isPermissionError(std::string_view text)
{
    return text.starts_with("NOPERM") || contains(text, "The user executing the script can't")
           || contains(text, "ACL failure in script");
}

void describePermission(Problem& problem, std::string_view text, std::string_view attempted)
{
    const bool isInScript = contains(text, "script");
    const std::string attemptedName = isInScript ? lowered(commandOfScript(text))
                                                 : ruleNameOf(attempted);
    problem.command = attemptedName;
    if (isAboutChannels(text)) {
        const bool namesChannel = !isInScript
                                  && (attemptedName == "subscribe" || attemptedName == "psubscribe"
                                      || attemptedName == "publish");
        const std::string_view channel = namesChannel ? secondWord(attempted) : std::string_view();
        problem.rule = '&' + (channel.empty() ? std::string("*") : std::string(channel));
        return;
    }
    if (isAboutKeys(text)) {
        problem.rule = "~*";
        return;
    }
    const std::string refused = isInScript && !attemptedName.empty() ? std::string() // quotes in it
                                                                                     // are
                                                                                     // apostrophes
                                                                     : lowered(quotedCommand(text));
    // Redis 6 names the container alone where Redis 7 names the subcommand: then we know better.
    const bool isKnownBetter = refused.empty() || attemptedName.starts_with(refused + '|');
    problem.command = isKnownBetter ? attemptedName : refused;
    problem.rule = problem.command.empty() ? std::string() : '+' + problem.command;
}

Problem::Kind kindOf(std::string_view text, std::string_view attempted)
{
    using Kind = Problem::Kind;
    if (isPermissionError(text)) {
        return Kind::NoPermission;
    }
    if (text.starts_with("WRONGPASS") || text.starts_with("ERR invalid password")
        || contains(text, "without any password configured")
        || contains(text, "but no password is set")) {
        return Kind::PasswordWrong;
    }
    if (text.starts_with("NOAUTH")) {
        return Kind::PasswordNeeded;
    }
    if (text.starts_with("LOADING")) {
        return Kind::Loading;
    }
    if (text.starts_with("READONLY")) {
        return Kind::ReplicaReadOnly;
    }
    const bool isSelect = text.starts_with("ERR") && lowered(firstWord(attempted)) == "select";
    if (isSelect || contains(text, "DB index is out of range") || contains(text, "invalid DB index")
        || contains(text, "SELECT is not allowed in cluster mode")) {
        return Kind::NoSuchDatabase;
    }
    return Kind::ServerRefused;
}

/// Adds the words of the system or the server, if there are any.
std::string withDetail(std::string sentence, const std::string& detail)
{
    if (!detail.empty()) {
        sentence += " (" + escaped(detail) + ')';
    }
    return sentence;
}

std::string explainWrongPassword(const Problem& problem)
{
    if (contains(problem.detail, "without any password configured")
        || contains(problem.detail, "but no password is set")) {
        return KernelText::tr(
            "A password was given, but this user has none on the server. Leave the password "
            "empty.");
    }
    return KernelText::tr(
        "The server does not accept this user name and password, or the user is disabled. Check "
        "both; an empty user name means the user \"default\".");
}

std::string explainNotMaster(const Problem& problem)
{
    if (!problem.rule.empty()) {
        return KernelText::tr("This server is a replica. Its master %1 could not be asked: %2",
                              escaped(problem.detail), problem.rule);
    }
    return KernelText::tr(
        "This server is a replica of %1: the lock would remain on the master. Release it there.",
        escaped(problem.detail));
}

std::string explainMissingPermission(const Problem& problem)
{
    const std::string command = problem.command.empty() ? std::string() : escaped(problem.command);
    if (problem.rule.empty()) {
        return withDetail(KernelText::tr("The user lacks the permission for a required command"),
                          problem.detail)
               + KernelText::tr(". Run ACL LOG on the server to find the command, then grant it: "
                                "ACL SETUSER <user> +<command>");
    }
    const std::string grant = "ACL SETUSER <user> " + escaped(problem.rule);
    if (problem.rule.starts_with('~')) {
        return command.empty()
                   ? KernelText::tr("The user has no access to the key. Grant the access: %1 (or a "
                                    "narrower pattern)",
                                    grant)
                   : KernelText::tr("The user has no access to the key that %1 uses. Grant the "
                                    "access: %2 (or a narrower pattern)",
                                    command, grant);
    }
    if (problem.rule.starts_with('&')) {
        return command.empty()
                   ? KernelText::tr("The user has no access to the channel. Grant the access: %1",
                                    grant)
                   : KernelText::tr("The user has no access to the channel that %1 uses. Grant the "
                                    "access: %2",
                                    command, grant);
    }
    return KernelText::tr("The user has no permission to run %1. Grant it: %2", command, grant);
}

/// What to do about an error text that contains the mark of a known one; empty for others.
std::string refusalAdvice(std::string_view errorText)
{
    const auto has = [errorText](std::string_view mark) { return contains(errorText, mark); };
    if (has("MISCONF")) {
        return KernelText::tr(
            "The server refuses writes because it cannot save to disk. Check its log and its "
            "free disk space.");
    }
    if (has("OOM")) {
        return KernelText::tr(
            "The server has reached its memory limit and refuses commands that need more memory. "
            "Free memory, or raise maxmemory.");
    }
    if (has("BUSY")) {
        return KernelText::tr(
            "A long-running script blocks the server. SCRIPT KILL stops it unless it has already "
            "written data.");
    }
    if (has("MASTERDOWN")) {
        return KernelText::tr("The replica has lost its master and refuses to serve stale data. "
                              "Connect to the master.");
    }
    if (has("CLUSTERDOWN")) {
        return KernelText::tr(
            "The cluster is down or incomplete. Restore its missing nodes first.");
    }
    if (has("CROSSSLOT")) {
        return KernelText::tr("The keys of this lock are in different hash slots of the cluster, "
                              "and no command can change them together. What their names have in "
                              "common has to be in braces: {job}. A lock that is there already is "
                              "released by its own library.");
    }
    if (has("MOVED")) {
        return KernelText::tr("The key is on another node of the cluster. Connect to that node.");
    }
    if (has("ASK")) {
        return KernelText::tr(
            "The key is being moved to another node of the cluster. Try again in a moment.");
    }
    if (has("NOREPLICAS")) {
        return KernelText::tr("The server refuses writes because too few replicas are connected. "
                              "Restore them first.");
    }
    if (has("DENIED")) {
        return KernelText::tr(
            "The server is in protected mode and accepts only local connections. Connect from "
            "its own machine, or set a password on the server.");
    }
    if (has("max number of clients")) {
        return KernelText::tr("The server has reached its connection limit. Close some "
                              "connections, or raise maxclients.");
    }
    if (has("unknown command")) {
        return KernelText::tr("The server does not know this command: the server is too old, or "
                              "the command is disabled.");
    }
    if (has("WRONGTYPE")) {
        return KernelText::tr("The type of the key has changed. Read the key again.");
    }
    return {};
}

std::string explainRefusal(const Problem& problem)
{
    if (const std::string advice = refusalAdvice(problem.detail); !advice.empty()) {
        return withDetail(advice, problem.detail);
    }
    if (problem.detail.empty()) {
        return KernelText::tr(
            "The server refused the command without a reason. Check the log of the server.");
    }
    return KernelText::tr("The server refused the command: %1", escaped(problem.detail));
}

/// Of TLS alone; empty for everything else.
std::string tlsSentence(Problem::Kind kind)
{
    using Kind = Problem::Kind;
    switch (kind) {
    case Kind::TlsFailed:
        return KernelText::tr(
            "The TLS connection failed. Check whether the server uses TLS on this port, and "
            "check its certificate.");
    case Kind::TlsNotSpoken:
        return KernelText::tr(
            "The server does not seem to use TLS on this port. Use redis://, or connect to the "
            "TLS port.");
    case Kind::TlsUnknownAuthority:
        return KernelText::tr(
            "The server's certificate is not signed by a trusted certificate authority. Specify "
            "the CA certificate with --ca.");
    case Kind::TlsExpired:
        return KernelText::tr(
            "The server's certificate is not valid at this time. Renew it, and check the clock "
            "of this machine.");
    case Kind::TlsWrongName:
        return KernelText::tr(
            "The server's certificate is for another name. Connect using a name in the "
            "certificate, or specify that name with --server-name.");
    case Kind::TlsCertificateNeeded:
        return KernelText::tr(
            "The server requires a trusted client certificate. Specify one with --cert, and its "
            "key with --key.");
    case Kind::TlsFileUnusable:
        return KernelText::tr("A TLS file cannot be used, so nothing was sent.");
    default: return {};
    }
}

/// Of a server that Sentinels name; empty for everything else.
std::string sentinelSentence(Problem::Kind kind)
{
    using Kind = Problem::Kind;
    switch (kind) {
    case Kind::NoSentinel:
        return KernelText::tr("No Sentinel could be asked for the master. Check the addresses of "
                              "the Sentinels, and whether they are running.");
    case Kind::SentinelPassword:
        return KernelText::tr(
            "The Sentinels do not accept the user name and password given for them. These are not "
            "those of the server: see --sentinel-password-file and ?sentinel-user=.");
    case Kind::MasterUnreachable:
        return KernelText::tr("The master named by the Sentinels cannot be reached. Check whether "
                              "it is running, and whether its address can be reached from here.");
    case Kind::MasterChanging:
        return KernelText::tr("The server named by the Sentinels is not a master at present. A "
                              "failover may be under way.");
    case Kind::MasterMoved:
        return KernelText::tr("The Sentinels name another server as the master now.");
    default: return {};
    }
}

/// Of a cluster; empty for everything else.
std::string clusterSentence(Problem::Kind kind)
{
    using Kind = Problem::Kind;
    switch (kind) {
    case Kind::NoClusterNode:
        return KernelText::tr("No node of the cluster could be asked which node has which keys. "
                              "Check the addresses, and whether the nodes are running.");
    case Kind::NotACluster:
        return KernelText::tr("This server is not a node of a cluster. Use redis:// for it.");
    case Kind::ClusterNodeLost:
        return KernelText::tr("A master of the cluster cannot be reached: the locks in its slots "
                              "are unknown. Check whether it is running, and whether the address "
                              "that the cluster announces can be reached from here.");
    case Kind::ClusterSlotsUnowned:
        return KernelText::tr("No node of the cluster serves some of the hash slots: locks in them "
                              "are unknown.");
    case Kind::ClusterUnsupported:
        return KernelText::tr("This is not possible with a cluster. Use the address of a single "
                              "server.");
    default: return {};
    }
}

/// Of the way through ssh; empty for everything else.
std::string sshSentence(Problem::Kind kind)
{
    using Kind = Problem::Kind;
    switch (kind) {
    case Kind::SshFailed: return KernelText::tr("The server could not be reached through ssh.");
    case Kind::SshRefused:
        return KernelText::tr("ssh could not log in without a question. Run ssh to this host once "
                              "in a terminal: to check its key, or to load yours into the agent.");
    default: return {};
    }
}

/// Of what stands around a server.
std::string sentenceOfSurroundings(Problem::Kind kind)
{
    for (const auto sentenceOf : {&tlsSentence, &sentinelSentence, &sshSentence}) {
        if (std::string sentence = sentenceOf(kind); !sentence.empty()) {
            return sentence;
        }
    }
    return clusterSentence(kind);
}

std::string explainNoSuchMaster(const Problem& problem)
{
    return problem.rule.empty()
               ? KernelText::tr("The Sentinels watch no master named %1. They watch none at all.",
                                escaped(problem.detail))
               : KernelText::tr("The Sentinels watch no master named %1. They watch %2.",
                                escaped(problem.detail), escaped(problem.rule));
}

/// The kinds that need no more than a sentence and the system's own words.
std::string plainSentence(Problem::Kind kind)
{
    using Kind = Problem::Kind;
    switch (kind) {
    case Kind::HostNotFound:
        return KernelText::tr(
            "The host name could not be resolved. Check its spelling and the DNS configuration "
            "of this machine.");
    case Kind::ConnectionRefused:
        return KernelText::tr(
            "The connection was refused. Check the address and the port, and whether the server "
            "is running.");
    case Kind::ConnectTimedOut:
        return KernelText::tr(
            "The connection attempt timed out. Check the address, and whether a firewall blocks "
            "the connection.");
    case Kind::SocketMissing:
        return KernelText::tr(
            "There is no socket at this path. Check the path (unixsocket in redis.conf), and "
            "whether the "
            "server is running.");
    case Kind::AccessDenied:
        return KernelText::tr(
            "This user has no permission to open the socket. Join the group that owns it, or "
            "change unixsocketperm.");
    case Kind::NotRedis:
        return KernelText::tr(
            "The program at this address does not speak the Redis protocol. Check the port; for "
            "a TLS port use rediss://.");
    case Kind::ProtocolBroken:
        return KernelText::tr(
            "The server sent an invalid Redis reply, so the connection was closed. The usual "
            "cause is a proxy in between.");
    case Kind::LimitExceeded:
        return KernelText::tr(
            "The reply of the server exceeds a limit of this program and was discarded.");
    case Kind::ConnectionLost:
        return KernelText::tr(
            "The connection was closed. Check whether the server was stopped or restarted.");
    case Kind::ReplyTimedOut:
        return KernelText::tr(
            "The server did not reply in time. It may be overloaded, blocked by a slow command, "
            "or stopped.");
    case Kind::PasswordNeeded:
        return KernelText::tr("The server requires a password. Enter one for this connection.");
    case Kind::NoSuchDatabase:
        return KernelText::tr(
            "The server does not have this database. Choose a smaller number; a cluster has "
            "database 0 only.");
    case Kind::Loading:
        return KernelText::tr("The server is loading its data. Wait until it has finished.");
    case Kind::ReadOnlyMode:
        return KernelText::tr(
            "This connection is read-only, so nothing was sent. To make changes, turn off "
            "read-only for the connection.");
    case Kind::ReplicaReadOnly:
        return KernelText::tr(
            "This server is a replica and accepts no writes. Connect to its master.");
    case Kind::GuardLost:
        return KernelText::tr(
            "The connection that watched the lock was lost, so another hold may have started "
            "unnoticed. Check the lock again.");
    case Kind::NotConnected:
        return KernelText::tr(
            "There is currently no connection to the server, so nothing was sent. Try again "
            "when it is back.");
    default: return sentenceOfSurroundings(kind);
    }
}

std::string explainNotRedis(const Problem& problem)
{
    if (beginsLikeTls(problem.detail)) { // the bytes themselves tell a person nothing
        return KernelText::tr(
            "The server uses TLS on this port. Use rediss://, or connect to the port without "
            "TLS.");
    }
    return withDetail(plainSentence(problem.kind), problem.detail);
}

/// What ClusterStore answers in place of a node: "slot 5", where nobody has it, or which node.
Problem problemOfNode(std::string_view what)
{
    constexpr std::string_view kSlot = "slot ";
    return what.starts_with(kSlot)
               ? Problem{Problem::Kind::ClusterSlotsUnowned,
                         std::string(what.substr(kSlot.size())),
                         {},
                         {}}
               : Problem{Problem::Kind::ClusterNodeLost, std::string(what), {}, {}};
}

} // namespace

Problem problemOfServerError(std::string_view errorText, std::string_view attemptedCommand)
{
    if (firstWord(errorText) == kNodeDownCode) {
        return problemOfNode(errorText.substr(std::min(kNodeDownCode.size() + 1,
                                                       errorText.size())));
    }
    const std::string_view text = withoutArguments(errorText);
    Problem problem;
    problem.kind = kindOf(text, attemptedCommand);
    problem.detail = text;
    if (problem.kind == Problem::Kind::NoPermission) {
        describePermission(problem, text, attemptedCommand);
    }
    return problem;
}

bool isPassing(const Problem& problem)
{
    switch (problem.kind) {
    case Problem::Kind::None:
    case Problem::Kind::ConnectionRefused:
    case Problem::Kind::ConnectTimedOut:
    case Problem::Kind::SocketMissing:
    case Problem::Kind::ConnectionLost:
    case Problem::Kind::SshFailed:
    case Problem::Kind::ReplyTimedOut:
    case Problem::Kind::NotConnected:
    case Problem::Kind::NoSentinel:
    case Problem::Kind::MasterUnreachable:
    case Problem::Kind::MasterChanging:
    case Problem::Kind::MasterMoved:
    case Problem::Kind::NoClusterNode:
    case Problem::Kind::ClusterNodeLost:
    case Problem::Kind::Loading: return true;
    default: return false;
    }
}

bool isAboutMaster(const Problem& problem)
{
    switch (problem.kind) {
    case Problem::Kind::NoSentinel:
    case Problem::Kind::SentinelPassword:
    case Problem::Kind::NoSuchMaster:
    case Problem::Kind::MasterUnreachable:
    case Problem::Kind::MasterChanging:
    case Problem::Kind::MasterMoved:
    case Problem::Kind::NoClusterNode:
    case Problem::Kind::ClusterNodeLost:
    case Problem::Kind::ClusterSlotsUnowned: return true;
    default: return false;
    }
}

std::string explain(const Problem& problem)
{
    switch (problem.kind) {
    case Problem::Kind::None: return KernelText::tr("Everything works.");
    case Problem::Kind::NotRedis: return explainNotRedis(problem);
    case Problem::Kind::PasswordWrong: return explainWrongPassword(problem);
    case Problem::Kind::NoPermission: return explainMissingPermission(problem);
    case Problem::Kind::NotMaster: return explainNotMaster(problem);
    case Problem::Kind::ServerRefused: return explainRefusal(problem);
    case Problem::Kind::NoSuchMaster: return explainNoSuchMaster(problem);
    // The server's words add nothing to these.
    case Problem::Kind::PasswordNeeded:
    case Problem::Kind::Loading:
    case Problem::Kind::ReadOnlyMode:
    case Problem::Kind::ReplicaReadOnly:
    case Problem::Kind::GuardLost:
    case Problem::Kind::NotConnected: return plainSentence(problem.kind);
    default: return withDetail(plainSentence(problem.kind), problem.detail);
    }
}

} // namespace lockscope::store
