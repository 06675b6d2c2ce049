#pragma once

#include "ui/widgets/controls/ordered_list.h"

#include <QList>

#include <functional>
#include <utility>

namespace lockscope::widgets {

/// Changes a list as an OrderedList asks for it, and shows the result there. An entry has
/// `isEnabled`, its tick, and can be compared.
template<class Entry>
class ListEditor {
public:
    struct Parts {
        QList<Entry>& entries;
        OrderedList& list;
        std::function<OrderedList::Entry(const Entry&)> look;
        std::function<void()> showCurrent; // another one is the current one
        std::function<void()> changed;     // some entry is another than before
    };

    /// What the parts refer to outlives the editor, or goes with it.
    explicit ListEditor(Parts parts) : m_parts(std::move(parts))
    {
        OrderedList* const list = &m_parts.list;
        QObject::connect(list, &OrderedList::currentChanged, list, m_parts.showCurrent);
        QObject::connect(list, &OrderedList::removeRequested, list, [this](int row) {
            m_parts.entries.removeAt(row);
            commit();
            m_parts.showCurrent(); // the next one may stand in its row
        });
        QObject::connect(list, &OrderedList::moveRequested, list, [this](int from, int to) {
            m_parts.entries.move(from, to);
            commit();
            m_parts.list.setCurrent(to);
        });
        QObject::connect(list, &OrderedList::toggled, list, [this](int row, bool isOn) {
            m_parts.entries[row].isEnabled = isOn;
            commit();
        });
        show();
        list->setCurrent(m_parts.entries.isEmpty() ? -1 : 0);
    }
    ListEditor(const ListEditor&) = delete;
    ListEditor& operator=(const ListEditor&) = delete;

    /// Null: none.
    const Entry* current() const
    {
        const int row = m_parts.list.current();
        return row < 0 ? nullptr : &m_parts.entries.at(row);
    }

    /// At the end; it becomes the current one.
    void add(const Entry& entry)
    {
        m_parts.entries.append(entry);
        commit();
        m_parts.list.setCurrent(static_cast<int>(m_parts.entries.size()) - 1);
    }

    /// Applies `edit` to the current one, if there is one and it becomes another by that.
    void change(const std::function<void(Entry&)>& edit)
    {
        const int row = m_parts.list.current();
        if (row < 0) {
            return;
        }
        const Entry before = m_parts.entries[row];
        edit(m_parts.entries[row]);
        if (m_parts.entries[row] != before) {
            commit();
        }
    }

private:
    void commit()
    {
        show();
        m_parts.changed();
    }
    void show()
    {
        QList<OrderedList::Entry> looks;
        for (const Entry& entry : std::as_const(m_parts.entries)) {
            looks += m_parts.look(entry);
        }
        m_parts.list.showEntries(looks);
    }

    Parts m_parts;
};

} // namespace lockscope::widgets
