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
    QString otherLabel;        // a second way to go on; empty: there is none
    bool isMonospaced = false; // the detail is a table of its own making
};

enum class Answer { Accepted, Declined, Other };

/// A file to read or to write.
struct FileQuestion {
    QString title;
    QString filter;     // "Protocol files (*.json)"
    QString fileName{}; // to write: what is proposed; its ending is added where none is typed
};

/// Asks the user without blocking: the answer comes later. Tests answer by a script
/// instead.
class Prompter {
public:
    virtual ~Prompter() = default;

    /// `then` is called once, from the event loop, unless `parent` goes away before.
    virtual void ask(QWidget* parent, const Question& question,
                     std::function<void(Answer)> then) = 0;

    /// Something that the user has to know, and nothing to decide.
    void tell(QWidget* parent, const QString& title, const QString& text,
              const QString& detail = {});

    /// `then` is called with the path once a file is chosen; never when none is.
    virtual void chooseFile(QWidget* parent, const FileQuestion& question,
                            std::function<void(QString)> then) = 0;

    /// The same for a file that is to be written. Whether one that is there already may go was
    /// asked.
    virtual void chooseSaveFile(QWidget* parent, const FileQuestion& question,
                                std::function<void(QString)> then) = 0;
};

/// Asks in a dialog over the parent. Escape and closing decline.
class DialogPrompter : public Prompter {
public:
    void ask(QWidget* parent, const Question& question, std::function<void(Answer)> then) override;
    void chooseFile(QWidget* parent, const FileQuestion& question,
                    std::function<void(QString)> then) override;
    void chooseSaveFile(QWidget* parent, const FileQuestion& question,
                        std::function<void(QString)> then) override;
};

} // namespace lockscope::widgets
