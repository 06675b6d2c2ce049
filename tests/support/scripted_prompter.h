#pragma once

#include "shell/prompter.h"

#include <deque>
#include <vector>

namespace lockscope::test {

/// Answers by script instead of by dialog; what the script does not cover is declined.
class ScriptedPrompter : public widgets::Prompter {
public:
    void willAnswer(widgets::Answer answer) { m_answers.push_back(answer); }

    void ask(QWidget* parent, const widgets::Question& question,
             std::function<void(widgets::Answer)> then) override;

    const std::vector<widgets::Question>& asked() const { return m_asked; }

private:
    std::deque<widgets::Answer> m_answers;
    std::vector<widgets::Question> m_asked;
};

} // namespace lockscope::test
