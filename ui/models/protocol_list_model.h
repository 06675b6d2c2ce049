#pragma once

#include "core/kernel/protocol/lock_protocol.h"

#include <QAbstractListModel>

#include <memory>
#include <vector>

namespace lockscope::models {

using ProtocolPtr = std::shared_ptr<const protocol::LockProtocol>;

/// The lock protocols to choose from, grouped by what they are for: a heading per group and a line
/// per protocol. The built-in ones are always there; own ones join a group of their own.
class ProtocolListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        IdRole = Qt::UserRole, // QString; empty for headings
        IsHeadingRole,         // bool
        IsFlawedRole,          // bool: it breaks by design
    };

    explicit ProtocolListModel(QObject* parent = nullptr);

    /// Adds a protocol of the user's own, or replaces the one with its id. `file`: where it was
    /// read from; empty: it is in no file yet. `text`: what is in the file, or would be. Built-in
    /// ones are not replaced: false.
    bool addOwn(ProtocolPtr protocol, const QString& file, const QString& text = {});

    /// nullptr for headings and unknown ids.
    ProtocolPtr protocolAt(int row) const;
    ProtocolPtr find(const QString& id) const;
    /// The file an own protocol was read from; empty for built-in ones.
    QString fileOf(const protocol::LockProtocol& protocol) const;
    /// The text of that file; empty for built-in ones.
    QString textOf(const protocol::LockProtocol& protocol) const;
    /// -1 when there is none.
    int rowOf(const QString& id) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    enum class Group { Simple, Reentrant, ReadersAndWriters, SeveralServers, Further, Own, Count };
    struct Line {
        Group group = Group::Simple;
        ProtocolPtr protocol; // nullptr: the heading of its group
        QString file{};       // of an own one
        QString text{};       // likewise
    };

    static Group groupOf(const protocol::ProtocolInfo& info);
    static QString titleOf(Group group);
    static QString hintFor(const protocol::ProtocolInfo& info);
    bool isBuiltin(const QString& id) const;

    std::vector<Line> m_lines;
};

} // namespace lockscope::models
