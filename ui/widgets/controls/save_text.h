#pragma once

class QByteArray;
class QWidget;

namespace lockscope::widgets {

class Prompter;
struct FileQuestion;

/// Asks for a file, writes the content into it, and says why where that does not work. `prompter`
/// and `window` outlive the question.
void saveText(Prompter& prompter, QWidget& window, const FileQuestion& question,
              const QByteArray& content);

} // namespace lockscope::widgets
