#pragma once

#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/lock_record.h"

#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lockscope::widgets {

/// Asks what the keys with some names are: which names, and locks of which format or none.
class TreatDialog : public QDialog {
    Q_OBJECT
public:
    enum class Proposal { Format, NotALock };

    /// Proposes the names like that of the lock.
    TreatDialog(const inspect::LockRecord& lock, const inspect::FormatTable& formats,
                Proposal proposal, QWidget* parent = nullptr);

    inspect::Treatment treatment() const;

Q_SIGNALS:
    void chosen(const lockscope::inspect::Treatment& treatment);

private:
    void createFields();
    QDialogButtonBox* createButtons();
    void layOut();
    void addFormats(const inspect::FormatTable& formats, const inspect::LockRecord& lock);
    /// -1: what was typed is none.
    int chosenFormat() const;
    void refresh();

    Bytes m_key; // of the lock that it began with
    QLineEdit* m_names = nullptr;
    QComboBox* m_format = nullptr;
    QLabel* m_effect = nullptr;
    QPushButton* m_choose = nullptr;
};

} // namespace lockscope::widgets
