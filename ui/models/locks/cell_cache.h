#pragma once

#include "core/service/search_runner.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <string>
#include <vector>

namespace lockscope::models {

/// A row of the matrix: tasks of one protocol, and what a search of them came to.
struct MatrixRow {
    std::vector<search::SearchTask> tasks;
    std::vector<report::CellReport> cells; // one per task; empty: not known
};

/// Rows of the matrix from earlier runs of the program, a file per protocol. A file counts only for
/// the version of everything that it came of. Protocols of the user's own are not kept: nothing
/// tells one version of them from the next.
///
/// Files are read and written on a thread of its own, in the order of the calls; the destructor
/// waits for it. A file that cannot be read is no file, and one that cannot be written is not
/// missed.
class CellCache : public QObject {
    Q_OBJECT
public:
    /// The folder is made when there is something to write.
    explicit CellCache(QString folder, QObject* parent = nullptr);
    ~CellCache() override;

    /// Where the cells of this user live.
    static QString defaultFolder();

    /// Emits looked() later.
    void look(std::vector<search::SearchTask> tasks);
    void keep(MatrixRow row);

Q_SIGNALS:
    void looked(const lockscope::models::MatrixRow& row);

private:
    MatrixRow read(std::vector<search::SearchTask> tasks) const;
    void write(const MatrixRow& row) const;
    QString pathOf(const protocol::LockProtocol& protocol) const;

    QString m_folder;
    QThreadPool m_disk;
};

/// Whatever can change what a systematic search of the tasks comes to, as a digest: the revision of
/// the engine, the scripts, what the protocol promises, plans and bounds.
std::string versionOf(const std::vector<search::SearchTask>& tasks);

} // namespace lockscope::models
