#pragma once

#include "ui/models/lab/lab_form_state.h"
#include "ui/models/lab/protocol_draft.h"
#include "ui/models/lab/protocol_template.h"

#include <QDialog>
#include <QTimer>

#include <functional>
#include <map>
#include <vector>

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
/// What was typed and is in no file is never thrown away unasked.
class ProtocolEditor : public QDialog {
    Q_OBJECT
public:
    struct Context {
        models::ProtocolListModel& protocols;
        Prompter& prompter;
    };

    /// What is written down already.
    struct Beginning {
        QString text{}; // of a protocol file; empty: the simplest example
        QString file{}; // where it is from; empty: it is in none yet
    };

    ProtocolEditor(Context context, const Beginning& beginning, QWidget* parent = nullptr);

    /// What is typed and is in no file, and how to go on with it in a later run of the program.
    models::EditedProtocol edited() const { return {m_file, m_draft, m_saved}; }
    void resume(const models::EditedProtocol& edited);

    /// What is there differs from the file, or from what the editor began with.
    bool isChanged() const { return m_draft != m_saved; }
    /// Goes on at once when nothing would be lost, otherwise when the user has decided what becomes
    /// of it; never when that is to stay here.
    void whenNothingIsLost(std::function<void()> then);

    /// Closing asks what becomes of the changes.
    void reject() override;

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

    void fillTemplates();
    void beginWith(const models::ProtocolDraft& draft, const QString& file);
    void fill(const models::ProtocolDraft& shown);
    void copyTemplate(int index);
    void openFile();
    void read(const QString& path);
    void showFile();
    void takeText(models::ProtocolPart part, const QString& text);
    void check();
    void showComplaint(models::ProtocolPart part, const Area& area);
    void showErrorsOfSteps();
    void use();
    void save(const std::function<void()>& then);
    void saveAs(const std::function<void()>& then);
    bool write(const QString& path);
    void complain(const QString& sentence, const QString& detail);
    bool isChecked() const { return m_parsed.protocol != nullptr && !m_timer.isActive(); }

    Context m_context;
    models::ProtocolDraft m_draft;
    models::ParsedProtocol m_parsed;
    sim::LuaEngine m_lua;
    QTimer m_timer;
    models::ProtocolDraft m_saved; // as it is in the file, or was at the beginning
    models::ProtocolDraft m_used;  // as it is in the list of protocols, which keeps it
    QString m_file;                // that it was read from or written to; empty: none
    std::vector<models::ProtocolTemplate> m_templates;

    QComboBox* m_copy = nullptr; // its first line is none of the templates
    QTabWidget* m_steps = nullptr;
    std::map<models::ProtocolPart, OptionRow*> m_lines;
    std::map<models::ProtocolPart, QLineEdit*> m_lineEdits;
    std::map<models::ProtocolPart, Area> m_areas;
    QLabel* m_useRemark = nullptr; // what became of the last use
    QPushButton* m_use = nullptr;
    QPushButton* m_save = nullptr;
    QPushButton* m_saveAs = nullptr;
};

} // namespace lockscope::widgets
