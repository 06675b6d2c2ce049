#include "core/kernel/inspect/text_regex.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/kernel_text.h"

#include <re2/re2.h>
#include <utility>

namespace lockscope::inspect {

using re2::RE2;

namespace {

constexpr int kMemoryMax = 1 << 20; // of a compiled pattern: far more than anybody types

RE2::Options optionsFor(RE2::Options::Encoding encoding)
{
    RE2::Options options;
    options.set_case_sensitive(false);
    options.set_encoding(encoding);
    options.set_log_errors(false);
    options.set_max_mem(kMemoryMax);
    return options;
}

std::string explained(const RE2& regex)
{
    const std::string& part = regex.error_arg();
    switch (regex.error_code()) {
    case RE2::ErrorBadEscape:
    case RE2::ErrorBadPerlOp:
    case RE2::ErrorBadNamedCapture:
    case RE2::ErrorBadCharClass: return KernelText::tr("\"%1\" is not supported", part);
    case RE2::ErrorBadCharRange: return KernelText::tr("a range is written as [a-z]");
    case RE2::ErrorMissingBracket: return KernelText::tr("the closing \"]\" is missing");
    case RE2::ErrorMissingParen: return KernelText::tr("the closing \")\" is missing");
    case RE2::ErrorUnexpectedParen: return KernelText::tr("\")\" without a matching \"(\"");
    case RE2::ErrorTrailingBackslash: return KernelText::tr("a character is missing behind \"\\\"");
    case RE2::ErrorRepeatArgument:
    case RE2::ErrorRepeatOp:
        return KernelText::tr("there is nothing to repeat before \"%1\"", part);
    case RE2::ErrorRepeatSize:
        return KernelText::tr("a repetition is written as {2}, {2,} or {2,4}, up to {1000}");
    case RE2::ErrorBadUTF8: return KernelText::tr("it is not UTF-8");
    case RE2::ErrorPatternTooLarge:
    case RE2::ErrorInternal:
    case RE2::NoError: break;
    }
    return KernelText::tr("the regular expression is too large");
}

} // namespace

TextRegex::TextRegex(Compiled ofCharacters, Compiled ofBytes)
    : m_ofCharacters(std::move(ofCharacters)),
      m_ofBytes(std::move(ofBytes))
{}

std::variant<TextRegex, std::string> TextRegex::compile(std::string_view pattern)
{
    const re2::StringPiece text(pattern.data(), pattern.size());
    auto ofCharacters = std::make_shared<const RE2>(text, optionsFor(RE2::Options::EncodingUTF8));
    auto ofBytes = std::make_shared<const RE2>(text, optionsFor(RE2::Options::EncodingLatin1));
    for (const auto& regex : {ofCharacters, ofBytes}) {
        if (!regex->ok()) {
            return explained(*regex);
        }
    }
    return TextRegex(std::move(ofCharacters), std::move(ofBytes));
}

bool TextRegex::matches(std::string_view text) const
{
    const RE2& regex = isUtf8(text) ? *m_ofCharacters : *m_ofBytes;
    return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), regex);
}

} // namespace lockscope::inspect
