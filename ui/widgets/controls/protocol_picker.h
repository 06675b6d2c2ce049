#pragma once

#include "ui/models/protocol_list_model.h"

#include <QStyledItemDelegate>
#include <QWidget>

class QComboBox;
class QLabel;

namespace lockscope::widgets {

/// Chooses a lock protocol and says in a few lines what it is, what it promises, and how it is
/// known to break.
class ProtocolPicker : public QWidget {
    Q_OBJECT
public:
    explicit ProtocolPicker(models::ProtocolListModel& protocols, QWidget* parent = nullptr);

    models::ProtocolPtr protocol() const { return m_protocol; }
    /// False when there is no such protocol.
    bool choose(const QString& id);

Q_SIGNALS:
    void protocolChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    QLabel* createLine(const QString& name, bool isQuiet);
    void takeChoice();

    models::ProtocolListModel& m_protocols;
    models::ProtocolPtr m_protocol;
    QComboBox* m_combo = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_summary = nullptr;
    QLabel* m_promises = nullptr;
    QLabel* m_flaw = nullptr;
};

/// Paints a line of the open list: headings as captions, a mark beside what is known to break.
class ProtocolDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintHeading(QPainter& painter, const QStyleOptionViewItem& option,
                      const QString& title) const;
};

} // namespace lockscope::widgets
