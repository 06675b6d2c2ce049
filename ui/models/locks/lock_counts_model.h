#pragma once

#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/lock_record.h"
#include "ui/models/locks/lock_table_model.h"

#include <QAbstractListModel>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lockscope::models {

/// The part of a key that names its kind: up to and including the first ':', '.' or '/'. Empty when
/// the key has none, or only a very late one.
std::string_view prefixOf(std::string_view key);

/// How many locks there are of each state, format and key prefix, as the lines of the side panel: a
/// heading per group and a line per word. Counts follow the transitions of a LockTableModel; faded
/// locks do not count, and neither do keys that are probably data.
class LockCountsModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum class Group { State, Format, Prefix };
    enum Role {
        GroupRole = Qt::UserRole, // int(Group)
        IsHeadingRole,            // bool
        CountRole,                // qint64; not for headings
        FilterRole, // QString: the words for the filter box, "state:suspicious"; not for headings
        StateRole,  // int(inspect::LockState); of lines of the state group only
    };

    static constexpr int kPrefixesAtMost = 12;

    explicit LockCountsModel(QObject* parent = nullptr);

    void apply(const std::vector<lockscope::models::LockTransition>& transitions);

    /// Whose titles the lines show.
    void setFormats(inspect::FormatTablePtr formats);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Line {
        Group group = Group::State;
        bool isHeading = false;
        std::string word; // state id, format id or prefix
        qint64 count = 0;
    };

    void count(const inspect::LockRecord& record, int step);
    std::vector<Line> wantedLines() const;
    void addStates(std::vector<Line>& lines) const;
    void addFormats(std::vector<Line>& lines) const;
    void addPrefixes(std::vector<Line>& lines) const;
    void turnInto(const std::vector<Line>& wanted);
    QString textOf(const Line& line) const;

    std::array<qint64, static_cast<std::size_t>(inspect::LockState::StateCount)> m_states{};
    std::map<std::string_view, qint64> m_formats; // the ids live in the decoder table
    std::unordered_map<std::string, qint64> m_prefixes;
    std::vector<Line> m_lines;
    inspect::FormatTablePtr m_titles = inspect::builtinFormatTable();
};

} // namespace lockscope::models
