#include "tests/mutation/lua_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace lockscope::mutation {

namespace {

bool isNameByte(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool isDigit(char c)
{
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The length of the string literal at the beginning of the text.
std::size_t lengthOfString(std::string_view text)
{
    std::size_t end = 1;
    while (end < text.size() && text[end] != text[0]) {
        end += text[end] == '\\' ? 2 : 1;
    }
    return std::min(end + 1, text.size());
}

std::size_t lengthOfName(std::string_view text)
{
    return static_cast<std::size_t>(std::ranges::find_if_not(text, isNameByte) - text.begin());
}

std::size_t lengthOfNumber(std::string_view text)
{
    const auto isPart = [](char c) { return isDigit(c) || c == '.'; };
    return static_cast<std::size_t>(std::ranges::find_if_not(text, isPart) - text.begin());
}

std::size_t lengthOfSign(std::string_view text)
{
    constexpr std::array<std::string_view, 5> kLongSigns{"==", "~=", "<=", ">=", ".."};
    return std::ranges::find(kLongSigns, text.substr(0, 2)) != kLongSigns.end() ? 2 : 1;
}

LuaToken firstTokenOf(std::string_view text)
{
    const char first = text.front();
    if (first == '\'' || first == '"') {
        return {LuaToken::Kind::String, text.substr(0, lengthOfString(text))};
    }
    if (isDigit(first)) {
        return {LuaToken::Kind::Number, text.substr(0, lengthOfNumber(text))};
    }
    if (isNameByte(first)) {
        return {LuaToken::Kind::Name, text.substr(0, lengthOfName(text))};
    }
    return {LuaToken::Kind::Sign, text.substr(0, lengthOfSign(text))};
}

} // namespace

std::vector<LuaToken> luaTokensOf(std::string_view script)
{
    std::vector<LuaToken> tokens;
    int line = 1;
    std::size_t at = 0;
    while (at < script.size()) {
        const std::string_view rest = script.substr(at);
        if (rest.starts_with("--")) {
            at += std::min(rest.find('\n'), rest.size());
        } else if (std::isspace(static_cast<unsigned char>(rest.front())) != 0) {
            line += rest.front() == '\n' ? 1 : 0;
            ++at;
        } else {
            LuaToken token = firstTokenOf(rest);
            token.begin = at;
            token.line = line;
            at = token.end();
            tokens.push_back(token);
        }
    }
    return tokens;
}

} // namespace lockscope::mutation
