#include "locks/deep_sweep_question.h"

#include <QCoreApplication>

namespace lockscope::widgets {

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("DeepSweepQuestion", text);
}

} // namespace

Question deepSweepQuestion()
{
    Question question;
    question.title = translated("Deep sweep");
    question.text = translated("Read every key of a production server that could be a lock?");
    question.detail =
        translated("It is paced so that no call keeps the server busy for longer than "
                   "about a millisecond, and changes nothing. With many keys it takes "
                   "a while.");
    question.acceptLabel = translated("Deep sweep");
    question.declineLabel = translated("Cancel");
    return question;
}

} // namespace lockscope::widgets
