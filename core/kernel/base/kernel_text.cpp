#include "core/kernel/base/kernel_text.h"

#include "core/kernel/base/arena.h"

#include <cstddef>

namespace lockscope {

namespace {

KernelText::Translator installedTranslator = nullptr;

} // namespace

void KernelText::translateWith(Translator translator)
{
    installedTranslator = translator;
}

std::string KernelText::lookUp(std::string_view source)
{
    if (installedTranslator == nullptr) {
        return std::string(source);
    }
    const auto translated = [source] {
        const Arena::Scope outside(nullptr); // a translator may keep what it has looked up
        return installedTranslator(std::string(source).c_str());
    }();
    return std::string(translated); // not moved: the text belongs to who asked
}

std::string KernelText::filled(const char* source, std::initializer_list<std::string> arguments)
{
    const std::string text = lookUp(source);
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isPlace = text[i] == '%' && i + 1 < text.size() && text[i + 1] >= '1'
                             && text[i + 1] <= '9';
        const std::size_t index = isPlace ? static_cast<std::size_t>(text[i + 1] - '1') : 0;
        if (isPlace && index < arguments.size()) {
            out += arguments.begin()[index];
            ++i;
        } else {
            out += text[i];
        }
    }
    return out;
}

} // namespace lockscope
