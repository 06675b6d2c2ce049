#include "ui/models/locks/blocking_model.h"

#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <algorithm>
#include <utility>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using inspect::LockPtr;
using inspect::LockRecord;

namespace {

bool isContended(const LockRecord& lock)
{
    return lock.waiters.value_or(0) > 0 || (lock.queue() && !lock.queue()->empty());
}

/// A name is on several servers: the line needs the server as well.
std::string keyOf(const inspect::LockId& id)
{
    return std::to_string(id.server) + '/' + id.name;
}

/// Of a waiter, or of all behind a lock.
template<class Waiting>
QString waitedText(const Waiting& waiting)
{
    return (waiting.hasWaitedLonger ? u"≥ "_s : QString()) + durationText(waiting.waited);
}

} // namespace

BlockingModel::BlockingModel(const LockTableModel& locks, QObject* parent)
    : QAbstractItemModel(parent),
      m_table(locks)
{
    connect(&locks, &LockTableModel::locksReplaced, this, &BlockingModel::apply);
}

BlockingModel::~BlockingModel() = default;

void BlockingModel::setWatched(bool isWatched)
{
    if (m_isWatched == isWatched) {
        return;
    }
    m_isWatched = isWatched;
    m_contended.clear();
    if (isWatched) {
        for (const LockPtr& lock : m_table.heldLocks()) {
            take(lock);
        }
        refresh();
    }
}

void BlockingModel::take(const LockPtr& lock)
{
    if (isContended(*lock)) {
        m_contended[lock->id] = lock;
    }
}

void BlockingModel::apply(const std::vector<LockTransition>& transitions)
{
    if (!m_isWatched) {
        return;
    }
    for (const LockTransition& transition : transitions) {
        if (transition.before != nullptr) {
            m_contended.erase(transition.before->id);
        }
        if (transition.after != nullptr) {
            take(transition.after);
        }
    }
}

BlockingModel::Text BlockingModel::textOf(const LockRecord& lock) const
{
    Text text;
    text.cells[NameColumn] = bytesText(lock.id.name);
    text.cells[StateColumn] = UiText::tr("held by %1").arg(ownerText(lock));
    text.cells[SinceColumn] = heldText(lock, m_table.now());
    text.lock = lock.id;
    return text;
}

BlockingModel::Wanted BlockingModel::lineOf(const diagnosis::BlockingLock& lock) const
{
    Wanted line{keyOf(lock.lock->id), textOf(*lock.lock), {}};
    line.text.cells[WaitersColumn] = countText(static_cast<std::int64_t>(lock.waiterCount));
    line.text.cells[WaitedColumn] = waitedText(lock);
    for (const diagnosis::BlockedOwner& waiter : lock.waiters) {
        Wanted below{waiter.owner, {}, {}};
        below.text.cells[NameColumn] = bytesText(waiter.owner);
        below.text.cells[StateColumn] = waiter.holds.empty()
                                            ? UiText::tr("waits")
                                            : UiText::tr("waits, and holds what others wait for");
        below.text.cells[SinceColumn] = waitedText(waiter);
        below.text.lock = lock.lock->id;
        for (const diagnosis::BlockingLock& held : waiter.holds) {
            below.children.push_back(lineOf(held));
        }
        line.children.push_back(std::move(below));
    }
    limit(line.children);
    return line;
}

BlockingModel::Wanted BlockingModel::lineOf(const std::vector<LockPtr>& ring,
                                            std::size_t number) const
{
    Wanted line{"ring " + std::to_string(number), {}, {}};
    line.text.cells[NameColumn] = UiText::tr("Deadlock");
    line.text.cells[StateColumn] = UiText::tr("each holder waits for the next lock");
    line.text.isDeadlock = true;
    for (const LockPtr& lock : ring) {
        line.children.push_back({keyOf(lock->id), textOf(*lock), {}});
    }
    return line;
}

void BlockingModel::limit(std::vector<Wanted>& lines)
{
    if (lines.size() > kLinesAtMost) {
        const std::size_t rest = lines.size() - kLinesAtMost;
        lines.resize(kLinesAtMost);
        Wanted more{"more", {}, {}};
        more.text.cells[NameColumn] =
            UiText::tr("and %1 more").arg(countText(static_cast<std::int64_t>(rest)));
        lines.push_back(std::move(more));
    }
}

std::vector<BlockingModel::Wanted> BlockingModel::wantedLines()
{
    std::vector<LockPtr> locks;
    locks.reserve(m_contended.size());
    for (const auto& [id, lock] : m_contended) {
        locks.push_back(lock);
    }
    const diagnosis::BlockingForest forest = diagnosis::blockingForestOf(locks, m_table.now());
    m_remark = toQString(diagnosis::forestRemark(forest));
    std::vector<Wanted> lines;
    for (std::size_t i = 0; i < forest.deadlocks.size(); ++i) {
        lines.push_back(lineOf(forest.deadlocks[i], i));
    }
    for (const diagnosis::BlockingLock& root : forest.roots) {
        lines.push_back(lineOf(root));
    }
    limit(lines);
    return lines;
}

void BlockingModel::refresh()
{
    if (m_isWatched) {
        merge(m_root, wantedLines());
    }
}

std::unique_ptr<BlockingModel::Node> BlockingModel::made(Wanted wanted, Node& parent)
{
    auto node = std::make_unique<Node>();
    node->key = std::move(wanted.key);
    node->text = std::move(wanted.text);
    node->parent = &parent;
    for (Wanted& child : wanted.children) {
        node->children.push_back(made(std::move(child), *node));
    }
    return node;
}

/// Line by line, so that what is selected and what is open stays so.
void BlockingModel::merge(Node& node, std::vector<Wanted> wanted)
{
    auto& children = node.children;
    const QModelIndex place = indexOf(node);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const int row = static_cast<int>(i);
        const auto known = std::find_if(children.begin() + row, children.end(),
                                        [&](const auto& child) {
                                            return child->key == wanted[i].key;
                                        });
        if (known == children.end()) {
            beginInsertRows(place, row, row);
            children.insert(children.begin() + row, made(std::move(wanted[i]), node));
            endInsertRows();
            continue;
        }
        const int from = static_cast<int>(known - children.begin());
        if (from != row) {
            beginMoveRows(place, from, from, place, row);
            std::rotate(children.begin() + row, known, known + 1);
            endMoveRows();
        }
        Node& child = *children[i];
        if (child.text != wanted[i].text) {
            child.text = std::move(wanted[i].text);
            Q_EMIT dataChanged(index(row, 0, place), index(row, ColumnCount - 1, place));
        }
        merge(child, std::move(wanted[i].children));
    }
    if (children.size() > wanted.size()) {
        beginRemoveRows(place, static_cast<int>(wanted.size()),
                        static_cast<int>(children.size()) - 1);
        children.resize(wanted.size());
        endRemoveRows();
    }
}

const BlockingModel::Node& BlockingModel::nodeOf(const QModelIndex& index) const
{
    return index.isValid() ? *static_cast<const Node*>(index.internalPointer()) : m_root;
}

QModelIndex BlockingModel::indexOf(const Node& node) const
{
    if (node.parent == nullptr) {
        return {};
    }
    const auto place = std::ranges::find_if(node.parent->children, [&node](const auto& child) {
        return child.get() == &node;
    });
    return createIndex(static_cast<int>(place - node.parent->children.begin()), 0, &node);
}

QModelIndex BlockingModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    return createIndex(row, column, nodeOf(parent).children[static_cast<std::size_t>(row)].get());
}

QModelIndex BlockingModel::parent(const QModelIndex& index) const
{
    return index.isValid() ? indexOf(*nodeOf(index).parent) : QModelIndex();
}

int BlockingModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent).children.size());
}

int BlockingModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant BlockingModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Text& text = nodeOf(index).text;
    const auto column = static_cast<std::size_t>(index.column());
    switch (role) {
    case Qt::DisplayRole: return text.cells.at(column);
    case Qt::ToolTipRole: return column <= StateColumn ? text.cells.at(column) : QString();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter
                                   | (column <= StateColumn ? Qt::AlignLeft : Qt::AlignRight));
    case LockIdRole: return text.lock ? QVariant::fromValue(*text.lock) : QVariant();
    case IsDeadlockRole: return text.isDeadlock;
    default: return {};
    }
}

QVariant BlockingModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignVCenter
                                   | (section <= StateColumn ? Qt::AlignLeft : Qt::AlignRight));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case NameColumn: return UiText::tr("Lock, and who waits for it");
    case StateColumn: return UiText::tr("State");
    case SinceColumn: return UiText::tr("For");
    case WaitersColumn: return UiText::tr("Waiters");
    case WaitedColumn: return UiText::tr("Waited in total");
    default: return {};
    }
}

} // namespace lockscope::models
