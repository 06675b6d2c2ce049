#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

/// Marks a text of the kernel for lookUp(): QT_TRANSLATE_NOOP("KernelText", "…"). As in Qt.
#define QT_TRANSLATE_NOOP(scope, x) x

namespace lockscope {

/// The way of every text of the kernel that people read to a translator, as UiText is for the
/// window: KernelText::tr("It is on %1 of %2 servers.", held, total). `lupdate` finds the text
/// because it stands there literally and whole; sentences are not glued together from parts whose
/// order another language would change. Ids, JSON members and commands are no such texts.
class KernelText {
public:
    /// Gives the text in the user's language; what it does not know it gives back.
    using Translator = std::string (*)(const char* source);

    /// For the whole program; to be called before other threads begin. nullptr: English, as at the
    /// start and always on the command line.
    static void translateWith(Translator translator);

    /// The translated text, with %1 to %9 replaced by the arguments: texts, and numbers. What an
    /// argument contains is not replaced again.
    template<typename... Arguments>
    static std::string tr(const char* source, const Arguments&... arguments)
    {
        return filled(source, {argument(arguments)...});
    }

    /// As tr(), for a text that is kept as it is until it is shown: a constant, or a word of a file
    /// that is part of the program. `lupdate` finds it where it is marked with QT_TRANSLATE_NOOP.
    static std::string lookUp(std::string_view source);

private:
    static std::string argument(std::string_view text) { return std::string(text); }
    static std::string argument(std::integral auto number) { return std::to_string(number); }
    static std::string filled(const char* source, std::initializer_list<std::string> arguments);

#ifdef LUPDATE // reads this all the same, and takes the name of the context from it
    Q_DECLARE_TR_FUNCTIONS(KernelText)
#endif
};

} // namespace lockscope
