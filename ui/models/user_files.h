#pragma once

#include <QByteArray>
#include <QString>

#include <cstddef>

// Files as the window reads and writes them: core/files with the strings of Qt.
namespace lockscope::models {

/// The content of a file, or why it could not be read.
struct ReadFile {
    QByteArray content;
    QString problem; // why it cannot be read, without its name; empty: it was read

    bool isRead() const { return problem.isEmpty(); }
};

/// Reads a file of the user, or one that comes with the program: ":/scenarios/2-draw.json".
ReadFile readFile(const QString& path, std::size_t sizeMax);

/// Writes the file whole or not at all. Returns why not, with the file's name; empty when it was
/// written.
QString writeFile(const QString& path, const QByteArray& content);

/// The bytes of a file that comes with the program. Empty if it does not exist.
QByteArray resourceBytes(const QString& path);
/// The same as a text.
QString resourceText(const QString& path);

} // namespace lockscope::models
