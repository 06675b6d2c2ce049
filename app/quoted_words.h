#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

// Words of a command line in messages: what was probably meant by one, and one without passwords.
namespace lockscope::app {

/// The candidate that a misspelt word was probably meant to be; empty when none is close.
std::string_view closestTo(std::string_view word, std::span<const std::string_view> candidates);

/// The parts of a word that may be passwords if the word is a URL: "redis://user:[secret]@host",
/// "redis://user:[secret]" without a host, and everything behind "?" or "#" but a database, in
/// order. Reads more loosely than a URL is read: rather too much is hidden than too little.
std::vector<std::string_view> passwordsIn(std::string_view word);

/// A word of the command line in double quotes, as far as it can be shown: without what may be a
/// password, never longer than a screen line.
std::string inQuotes(std::string_view word);

} // namespace lockscope::app
