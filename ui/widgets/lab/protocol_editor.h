#pragma once

#include "ui/models/lab/protocol_draft.h"

#include <QDialog>
#include <QTimer>

#include <map>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTabWidget;
class QVBoxLayout;

namespace lockscope::widgets {

class LuaHighlighter;
class OptionRow;
class Prompter;

/// Writes a lock protocol: what it is called, three scripts, what they are called with and what
/// their answers mean. Looks at every change a moment later and says what is wrong where it is.
class ProtocolEditor : public QDialog {
    Q_OBJECT
public:
    struct Context {
        models::ProtocolListModel& protocols;
        Prompter& prompter;
    };

    /// Begins with the text of a protocol file; with the simplest example when it is empty.
    ProtocolEditor(Context context, const QString& text, QWidget* parent = nullptr);

Q_SIGNALS:
    /// The protocol is in the list now, and is to be chosen.
    void used(const QString& id);

private:
    struct Area {
        QPlainTextEdit* edit = nullptr;
        LuaHighlighter* highlighter = nullptr;
        QLabel* error = nullptr;
    };

    void createHead(QVBoxLayout& layout);
    void createSteps(QVBoxLayout& layout);
    void createFoot(QVBoxLayout& layout);
    void addLine(QVBoxLayout& layout, models::ProtocolPart part, const QString& name,
                 const QString& label);
    void addArea(QVBoxLayout& layout, models::ProtocolPart part, const QString& name,
                 const QString& label, int stretch);

    void beginWith(const QString& text);
    void takeText(models::ProtocolPart part, const QString& text);
    void check();
    void showComplaint(models::ProtocolPart part, const Area& area);
    void showErrorsOfSteps();
    void use();
    void save();
    void write(const QString& path);
    bool isChecked() const { return m_parsed.protocol != nullptr && !m_timer.isActive(); }

    Context m_context;
    models::ProtocolDraft m_draft;
    models::ParsedProtocol m_parsed;
    sim::LuaEngine m_lua;
    QTimer m_timer;
    QString m_file; // where it is saved as it is; empty: nowhere

    QComboBox* m_examples = nullptr;
    QTabWidget* m_steps = nullptr;
    std::map<models::ProtocolPart, OptionRow*> m_lines;
    std::map<models::ProtocolPart, QLineEdit*> m_lineEdits;
    std::map<models::ProtocolPart, Area> m_areas;
    QPushButton* m_use = nullptr;
    QPushButton* m_save = nullptr;
};

} // namespace lockscope::widgets
