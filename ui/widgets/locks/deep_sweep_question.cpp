#include "ui/widgets/locks/deep_sweep_question.h"

#include "ui/models/ui_text.h"

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

Question deepSweepQuestion(bool isProduction, const QString& effect)
{
    Question question;
    question.title = UiText::tr("Deep sweep");
    question.text = isProduction
                        ? UiText::tr("Read every key of a production server that could be a lock?")
                        : UiText::tr("Read every key of the server that could be a lock?");
    question.detail =
        UiText::tr("The sweep is throttled: no call keeps the server busy for more than about a "
                   "millisecond. It changes nothing. It takes a while if there are many keys.");
    if (!effect.isEmpty()) {
        question.detail += u"\n\n"_s + effect;
    }
    question.acceptLabel = UiText::tr("Deep sweep");
    question.declineLabel = UiText::tr("Cancel");
    return question;
}

} // namespace lockscope::widgets
