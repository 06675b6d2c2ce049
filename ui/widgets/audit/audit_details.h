#pragma once

#include <QWidget>

class QLabel;

namespace lockscope::report {
struct AuditRecord;
} // namespace lockscope::report

namespace lockscope::widgets {

class SelectableText;

/// One attempt in full: what became of it in a sentence, and its lines as they stand in the file.
class AuditDetails : public QWidget {
    Q_OBJECT
public:
    explicit AuditDetails(QWidget* parent = nullptr);

    /// null: none is chosen.
    void showRecord(const report::AuditRecord* record);

private:
    QLabel* m_headline = nullptr;
    QLabel* m_detail = nullptr;
    SelectableText* m_lines = nullptr;
};

} // namespace lockscope::widgets
