#pragma once

#include "app/option_set.h"
#include "core/kernel/base/time.h"
#include "core/kernel/store/endpoint.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The part of the command line that lockscope and lockscope-cli share, and the whole of
// lockscope's. Everything is turned into values here and checked; what is wrong is said in one
// sentence.
namespace lockscope::app {

/// What comes from outside the command line; handed in, so that tests need no environment.
struct Environment {
    std::optional<std::string> password;                        // LOCKSCOPE_PASSWORD
    std::optional<std::string> keyPassphrase;                   // LOCKSCOPE_KEY_PASSPHRASE
    std::optional<std::string> sentinelPassword = std::nullopt; // LOCKSCOPE_SENTINEL_PASSWORD
    std::string environment = {}; // LOCKSCOPE_ENVIRONMENT: what the servers are, "production"
};

/// Takes the secrets among these variables out of the environment, and out of what /proc shows of
/// it. Called once, before threads.
Environment environmentOfProcess();

/// The servers of a call: one, or several that are separate or one Redlock set.
struct ServerArguments {
    std::vector<store::Endpoint> endpoints; // may be empty: none was named
    bool hasPasswordInUrl = false;          // any user who lists processes could read it
};

/// What was typed about the servers.
class ServerOptions {
public:
    /// --url, --redlock-set, --separate, --password-file, --sentinel-password-file, --ca, --cert,
    /// --key, --key-passphrase-file, --server-name, --ssh,
    /// --read-only and --timeout. Where --key is something else already, the private key is
    /// --tls-key.
    void declare(OptionSet& options);

    const std::vector<std::string>& urls() const { return m_urls; }
    bool isReadOnly() const { return m_isReadOnly; }

    /// `urls` are those that stand on their own; --url adds to them. Throws an ArgumentError.
    ServerArguments servers(const std::vector<std::string>& urls,
                            const Environment& environment) const;

private:
    std::string password(const Environment& environment) const;
    std::string passphrase(const Environment& environment) const;
    std::string sentinelPassword(const Environment& environment) const;
    store::Endpoint endpointOf(const std::string& url) const;
    store::Grouping grouping(std::size_t serverCount) const;
    void refuseUselessOptions(const std::vector<store::Endpoint>& endpoints) const;
    void applyTo(store::TlsOptions& tls) const;
    std::string_view tlsOption() const;

    std::vector<std::string> m_urls;
    std::string m_passwordFile;
    std::string m_passphraseFile;
    std::string m_sentinelPasswordFile;
    std::string m_keyOption;
    store::TlsOptions m_tls;
    std::string m_sshHost;
    bool m_isReadOnly = false;
    bool m_isRedlockSet = false;
    bool m_isSeparate = false;
    Duration m_timeout = store::Endpoint().requestTimeout;
};

/// --deep and --pattern.
void declareSweepOptions(OptionSet& options, bool& isDeep, std::vector<std::string>& patterns);
/// --help and --version.
void declareQuestions(OptionSet& options);

/// Overwrites the passwords of URLs in the words of the running process, as far as the list of
/// processes shows them. The words must have been copied before.
void hidePasswords(std::span<char*> arguments);

/// --help or --version was given: this is to be printed, and nothing else done.
struct Information {
    std::string text;
};

enum class Theme { FollowSystem, Light, Dark };

struct WindowSize {
    int width = 0; // pixels; 0: as the window was last
    int height = 0;
};

/// What `lockscope` is asked to do.
struct WindowArguments {
    ServerArguments servers;
    bool isDemo = false;
    std::string screenshotFile;                         // empty: stay open
    Duration screenshotDelay = std::chrono::seconds(2); // --after: how long to let the window live
                                                        // before the picture
    std::string page;                                   // empty: the first one
    std::vector<std::string> files;                     // runs, counterexamples, scenarios
    WindowSize size;
    bool isReadOnly = false;
    std::string environment; // of the servers; empty: what is remembered of them
    bool isDeep = false;
    std::vector<std::string> patterns;
    Theme theme = Theme::FollowSystem;
    std::string language; // empty: that of the system
};

/// A call of lockscope as it is declared, and what its words are read into. Stays where it is made.
class WindowCall {
public:
    WindowCall();
    WindowCall(const WindowCall&) = delete;
    WindowCall& operator=(const WindowCall&) = delete;

    const OptionSet& options() const { return m_options; }
    /// Throws what OptionSet::read() throws.
    WindowArguments read(std::span<const std::string> words, const Environment& environment);

private:
    void readOperands(const std::vector<std::string>& words);

    OptionSet m_options;
    ServerOptions m_servers;
    std::vector<std::string> m_urls; // that stand on their own
    std::optional<Duration> m_delay;
    WindowArguments m_arguments;
};

/// The path that a word of the call names: a path, a file:// URL, or a name that ends like the
/// files that Lockscope writes. nullopt: the word is the address of a server.
std::optional<std::string> fileNamedBy(const std::string& word);

/// What a call may consist of, in the language of man pages.
std::string windowSynopsis();

/// `words` without the name of the program. No server named and no demo asked for: the window asks.
std::variant<WindowArguments, Information, ArgumentError> parseWindowArguments(
    std::span<const std::string> words, const Environment& environment);

} // namespace lockscope::app
