#pragma once

#include "ui/widgets/locks/lock_facts.h"
#include "ui/widgets/locks/release/bulk_release.h"

#include <QDialog>

#include <cstdint>
#include <functional>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;
class QVBoxLayout;

namespace lockscope::widgets {

class UndoOffer;

/// Releases or caps several locks: says for each in words what will be done and what the matter
/// with it is, asks once, and shows what became of each. Nothing is sent before the user typed how
/// many locks it is about. Healthy locks are not included unless they are chosen here.
class BulkDialog : public QDialog {
    Q_OBJECT
public:
    BulkDialog(service::ReleaseDesk& desk, std::function<FactContext()> context,
               inspect::ReleaseAction action, const std::vector<inspect::LockPtr>& locks,
               QWidget* parent = nullptr);

    /// What happened to the locks; others than these are ignored.
    void takeChange(const inspect::LockChange& change) { m_bulk.takeChange(change); }

    const BulkRelease& bulk() const { return m_bulk; }

Q_SIGNALS:
    /// A plan was sent.
    void attempted(quint64 request, const lockscope::inspect::ReleasePlan& plan);
    /// It was closed while an answer was under way.
    void leftUnanswered(quint64 request);

public Q_SLOTS:
    void reject() override;

private:
    void connectBulk();
    void createTable(int lockCount);
    void createFields(QVBoxLayout& layout);
    void createButtons(QVBoxLayout& layout);
    void showItem(std::size_t at);
    QString whatHappensTo(const BulkItem& item) const;
    void refresh();
    QString summary() const;
    QString missing() const;
    bool isReasonNeeded() const;
    QString destination() const;
    void takeCap();
    void send();
    void finish();
    void offerUndo();
    void undo(const std::vector<inspect::ReleasePlan>& plans);
    QString resultSummary() const;
    std::int64_t countOf(BulkItem::State state) const;

    std::function<FactContext()> m_context;
    inspect::ReleaseAction m_action;
    BulkRelease m_bulk;
    bool m_isShowing = false;  // the boxes are set by the program
    bool m_hasCap = true;      // what is typed is a time
    bool m_isStopping = false; // the user has pressed Stop
    QLabel* m_summary = nullptr;
    QLabel* m_destination = nullptr; // without text unless masters are written to
    QTableWidget* m_table = nullptr;
    QLineEdit* m_cap = nullptr; // of a cap only
    QLineEdit* m_reason = nullptr;
    QLineEdit* m_count = nullptr;
    QWidget* m_fields = nullptr;
    UndoOffer* m_undo = nullptr;
    QPushButton* m_execute = nullptr;
    QPushButton* m_cancel = nullptr;
};

} // namespace lockscope::widgets
