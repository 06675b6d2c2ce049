#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace lockscope::widgets {

/// Something the user has to read, and perhaps to decide.
struct Question {
    QString title;
    QString text;              // one sentence: what is asked
    QString detail;            // what follows from a yes; may be empty
    QString acceptLabel;       // "Sweep every key"
    QString declineLabel;      // empty: a notice, there is nothing to decline
    bool isMonospaced = false; // the detail is a table of its own making
};

enum class Answer { Accepted, Declined };

/// Asks the user, without holding anybody up: the answer comes later. Tests answer by a script
/// instead.
class Prompter {
public:
    virtual ~Prompter() = default;

    /// `then` is called once, from the event loop, unless `parent` goes away before.
    virtual void ask(QWidget* parent, const Question& question,
                     std::function<void(Answer)> then) = 0;
};

/// Asks in a dialog over the parent. Escape and closing decline.
class DialogPrompter : public Prompter {
public:
    void ask(QWidget* parent, const Question& question, std::function<void(Answer)> then) override;
};

} // namespace lockscope::widgets
