#include "tests/support/widgets/scripted_prompter.h"

#include <QTimer>
#include <QWidget>

namespace lockscope::test {

void ScriptedPrompter::ask(QWidget* parent, const widgets::Question& question,
                           std::function<void(widgets::Answer)> then)
{
    m_asked.push_back(question);
    widgets::Answer answer = widgets::Answer::Declined;
    if (!m_answers.empty()) {
        answer = m_answers.front();
        m_answers.pop_front();
    }
    // Later, as the real one: no caller may rely on an answer before ask() returns.
    QTimer::singleShot(0, parent, [then = std::move(then), answer] { then(answer); });
}

void ScriptedPrompter::chooseFile(QWidget* parent, const widgets::FileQuestion& /*question*/,
                                  std::function<void(QString)> then)
{
    if (m_files.empty()) {
        return;
    }
    const QString file = m_files.front();
    m_files.pop_front();
    QTimer::singleShot(0, parent, [then = std::move(then), file] { then(file); });
}

void ScriptedPrompter::chooseSaveFile(QWidget* parent, const widgets::FileQuestion& question,
                                      std::function<void(QString)> then)
{
    chooseFile(parent, question, std::move(then));
}

} // namespace lockscope::test
