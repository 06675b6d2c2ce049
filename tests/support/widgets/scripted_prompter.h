#pragma once

#include "ui/widgets/controls/prompter.h"

#include <deque>
#include <vector>

namespace lockscope::test {

/// Answers by script instead of by dialog; what the script does not cover is declined, and no file
/// is chosen.
class ScriptedPrompter : public widgets::Prompter {
public:
    void willAnswer(widgets::Answer answer) { m_answers.push_back(answer); }

    void ask(QWidget* parent, const widgets::Question& question,
             std::function<void(widgets::Answer)> then) override;

    void willChooseFile(const QString& path) { m_files.push_back(path); }
    void chooseFile(QWidget* parent, const widgets::FileQuestion& question,
                    std::function<void(QString)> then) override;
    /// From the same list of files.
    void chooseSaveFile(QWidget* parent, const widgets::FileQuestion& question,
                        std::function<void(QString)> then) override;

    const std::vector<widgets::Question>& asked() const { return m_asked; }

private:
    std::deque<widgets::Answer> m_answers;
    std::deque<QString> m_files;
    std::vector<widgets::Question> m_asked;
};

} // namespace lockscope::test
