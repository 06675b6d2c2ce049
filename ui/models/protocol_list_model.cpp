#include "ui/models/protocol_list_model.h"

#include "core/kernel/protocol/catalogue.h"
#include "ui/models/formatting.h"

#include <algorithm>

namespace lockscope::models {

ProtocolListModel::ProtocolListModel(QObject* parent) : QAbstractListModel(parent)
{
    for (int number = 0; number < static_cast<int>(Group::Own); ++number) {
        const auto group = static_cast<Group>(number);
        bool hasHeading = false;
        for (const protocol::LockProtocol* const builtin : protocol::builtinProtocols()) {
            if (groupOf(builtin->info()) != group) {
                continue;
            }
            if (!hasHeading) {
                m_lines.push_back({group, nullptr});
                hasHeading = true;
            }
            // They live as long as the program: shared without owning.
            m_lines.push_back({group, ProtocolPtr(ProtocolPtr(), builtin)});
        }
    }
}

ProtocolListModel::Group ProtocolListModel::groupOf(const protocol::ProtocolInfo& info)
{
    if (info.keys == protocol::KeyUse::OnePerServer) {
        return Group::SeveralServers;
    }
    if (info.hasModes) {
        return Group::ReadersAndWriters;
    }
    if (info.isReentrant) {
        return Group::Reentrant;
    }
    return info.hasPermits || info.hasFence ? Group::Further : Group::Simple;
}

QString ProtocolListModel::hintFor(const protocol::ProtocolInfo& info)
{
    const QString title = toQString(info.title);
    return info.imitates.empty() ? title
                                 : tr("%1\nImitates %2").arg(title, toQString(info.imitates));
}

QString ProtocolListModel::titleOf(Group group)
{
    switch (group) {
    case Group::Simple: return tr("One holder");
    case Group::Reentrant: return tr("One holder, reentrant");
    case Group::ReadersAndWriters: return tr("Readers and writers");
    case Group::SeveralServers: return tr("Several servers");
    case Group::Further: return tr("Fences and permits");
    case Group::Own: return tr("Custom");
    case Group::Count: break;
    }
    return {};
}

bool ProtocolListModel::isBuiltin(const QString& id) const
{
    return protocol::findProtocol(id.toStdString()) != nullptr;
}

bool ProtocolListModel::addOwn(ProtocolPtr protocol, const QString& file, const QString& text)
{
    const QString id = toQString(protocol->info().id);
    if (isBuiltin(id)) {
        return false;
    }
    if (const int row = rowOf(id); row >= 0) {
        m_lines[static_cast<std::size_t>(row)] = {Group::Own, std::move(protocol), file, text};
        Q_EMIT dataChanged(index(row), index(row));
        return true;
    }
    const bool hasHeading = !m_lines.empty() && m_lines.back().group == Group::Own;
    const int first = rowCount();
    beginInsertRows({}, first, hasHeading ? first : first + 1);
    if (!hasHeading) {
        m_lines.push_back({Group::Own, nullptr});
    }
    m_lines.push_back({Group::Own, std::move(protocol), file, text});
    endInsertRows();
    return true;
}

ProtocolPtr ProtocolListModel::protocolAt(int row) const
{
    const bool isRow = row >= 0 && row < rowCount();
    return isRow ? m_lines[static_cast<std::size_t>(row)].protocol : nullptr;
}

ProtocolPtr ProtocolListModel::find(const QString& id) const
{
    return protocolAt(rowOf(id));
}

QString ProtocolListModel::fileOf(const protocol::LockProtocol& protocol) const
{
    const int row = rowOf(toQString(protocol.info().id));
    return row < 0 ? QString() : m_lines[static_cast<std::size_t>(row)].file;
}

QString ProtocolListModel::textOf(const protocol::LockProtocol& protocol) const
{
    const int row = rowOf(toQString(protocol.info().id));
    return row < 0 ? QString() : m_lines[static_cast<std::size_t>(row)].text;
}

int ProtocolListModel::rowOf(const QString& id) const
{
    const auto found = std::find_if(m_lines.begin(), m_lines.end(), [&id](const Line& line) {
        return line.protocol != nullptr && toQString(line.protocol->info().id) == id;
    });
    return found != m_lines.end() ? static_cast<int>(found - m_lines.begin()) : -1;
}

int ProtocolListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

QVariant ProtocolListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const Line& line = m_lines[static_cast<std::size_t>(index.row())];
    const bool isHeading = line.protocol == nullptr;
    switch (role) {
    case Qt::DisplayRole:
        return isHeading ? titleOf(line.group) : toQString(line.protocol->info().id);
    case Qt::ToolTipRole: return isHeading ? QVariant() : hintFor(line.protocol->info());
    case IdRole: return isHeading ? QString() : toQString(line.protocol->info().id);
    case IsHeadingRole: return isHeading;
    case IsFlawedRole: return !isHeading && !line.protocol->info().flaw.empty();
    default: return {};
    }
}

Qt::ItemFlags ProtocolListModel::flags(const QModelIndex& index) const
{
    if (!index.isValid()) {
        return Qt::NoItemFlags;
    }
    const bool isChoice = protocolAt(index.row()) != nullptr;
    return isChoice ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
                    : Qt::ItemFlags(Qt::ItemNeverHasChildren);
}

} // namespace lockscope::models
