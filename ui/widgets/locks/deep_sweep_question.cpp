#include "locks/deep_sweep_question.h"

#include <QCoreApplication>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("DeepSweepQuestion", text);
}

} // namespace

Question deepSweepQuestion(bool isProduction, const QString& effect)
{
    Question question;
    question.title = translated("Deep sweep");
    question.text = isProduction
                        ? translated("Read every key of a production server that could be a lock?")
                        : translated("Read every key of the server that could be a lock?");
    question.detail =
        translated("The sweep is throttled: no call keeps the server busy for more than about a "
                   "millisecond. It changes nothing. It takes a while if there are many keys.");
    if (!effect.isEmpty()) {
        question.detail += u"\n\n"_s + effect;
    }
    question.acceptLabel = translated("Deep sweep");
    question.declineLabel = translated("Cancel");
    return question;
}

} // namespace lockscope::widgets
