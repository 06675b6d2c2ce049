#pragma once

#include "core/service/format_store.h"

#include <QFileSystemWatcher>
#include <QTimer>

#include <memory>
#include <string>
#include <vector>

namespace lockscope::wire {

/// The files of the user's formats as they are now, for programs that read them once.
struct FormatFiles {
    std::vector<inspect::OwnFile> formats;         // by name
    inspect::OwnFile treatments;                   // without a text: there is no such file
    std::vector<inspect::OwnFileProblem> problems; // those that cannot be read
};

/// What is in `folder`: the formats in formats/*.json, and treat-as.json.
FormatFiles readFormatFiles(const QString& folder);

/// One of them, wherever it is; a problem is added when it cannot be read.
inspect::OwnFile readFormatFile(const QString& path,
                                std::vector<inspect::OwnFileProblem>& problems);

/// owners.json in `folder`; without a text where there is none. A problem is added when it cannot
/// be read.
inspect::OwnFile readOwnersFile(const QString& folder,
                                std::vector<inspect::OwnFileProblem>& problems);
/// Whom it names; nobody, and a problem is added, where something is wrong with it. Never null.
operations::OwnerNamesPtr ownersOf(const inspect::OwnFile& file,
                                   std::vector<inspect::OwnFileProblem>& problems);

/// Writes treat-as.json in `folder`. An empty text: done; otherwise why it could not be.
QString saveTreatments(const QString& folder, const std::vector<inspect::Treatment>& treatments);

/// ~/.config/lockscope
QString defaultFormatFolder();

/// Reads the user's formats and owners, and again as soon as a file changes.
class FormatFolder final : public service::FormatStore {
    Q_OBJECT
public:
    /// Several changes in quick succession, as editors make them, are read once.
    static constexpr int kSettleMs = 100;

    explicit FormatFolder(QString folder = defaultFormatFolder(), QObject* parent = nullptr);

    /// Reads the files. From here on they are watched; the folder is made for that.
    void start();

    inspect::FormatTablePtr formats() const override { return m_formats; }
    operations::OwnerNamesPtr owners() const override { return m_owners; }
    std::vector<inspect::OwnFileProblem> problems() const override { return m_problems; }
    QString folder() const override;
    QString setTreatments(std::vector<inspect::Treatment> treatments) override;

private:
    void read();
    void watchFiles();
    QString treatmentsPath() const;

    QString m_folder;
    inspect::FormatTablePtr m_formats = inspect::builtinFormatTable();
    std::vector<inspect::OwnFileProblem> m_problems;
    operations::OwnerNamesPtr m_owners = std::make_shared<const operations::OwnerNames>();
    FormatFiles m_files;           // as they were read last
    inspect::OwnFile m_ownersFile; // likewise
    QFileSystemWatcher m_watcher;
    QTimer m_settling;
};

} // namespace lockscope::wire
