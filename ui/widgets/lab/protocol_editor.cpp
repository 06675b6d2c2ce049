#include "ui/widgets/lab/protocol_editor.h"

#include "core/files/file_limits.h"
#include "core/kernel/protocol/own_protocol.h"
#include "ui/models/formatting.h"
#include "ui/models/user_files.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/option_row.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/lab/lua_highlighter.h"
#include "ui/widgets/style/flat_style.h"
#include "ui/widgets/style/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QVBoxLayout>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::ProtocolPart;

namespace {

constexpr int kDelayMs = 150;
constexpr int kWidthInCharacters = 110;
constexpr int kHeightInLines = 44;
constexpr int kLineCharacters = 84;
constexpr int kSettingsLines = 5;

/// What the tabs of the steps show, in their order.
constexpr std::array<std::pair<ProtocolPart, ProtocolPart>, 3> kSteps{
    {{ProtocolPart::AcquireScript, ProtocolPart::AcquireMapping},
     {ProtocolPart::RenewScript, ProtocolPart::RenewMapping},
     {ProtocolPart::ReleaseScript, ProtocolPart::ReleaseMapping}}};

QString titleOfStep(int step)
{
    switch (step) {
    case 0: return ProtocolEditor::tr("Acquire");
    case 1: return ProtocolEditor::tr("Renew");
    default: return ProtocolEditor::tr("Release");
    }
}

QString protocolFiles()
{
    return ProtocolEditor::tr("Protocol files (*.json)");
}

QPushButton* addButton(QDialogButtonBox& buttons, const QString& text, const QString& name,
                       const QString& hint)
{
    QPushButton* const button = buttons.addButton(text, QDialogButtonBox::ActionRole);
    button->setObjectName(name);
    button->setToolTip(hint);
    return button;
}

void setShortcut(QPushButton* button, QKeySequence::StandardKey key)
{
    button->setShortcut(QKeySequence(key));
    const QString keys = button->shortcut().toString(QKeySequence::NativeText);
    button->setToolTip(keys.isEmpty() ? button->toolTip()
                                      : ProtocolEditor::tr("%1 (%2)").arg(button->toolTip(), keys));
}

} // namespace

ProtocolEditor::ProtocolEditor(Context context, const Beginning& beginning, QWidget* parent)
    : QDialog(parent),
      m_context(context),
      m_templates(models::protocolTemplates())
{
    setObjectName(u"protocolEditor"_s);
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelayMs);
    connect(&m_timer, &QTimer::timeout, this, &ProtocolEditor::check);
    auto* layout = createColumn(this, {16, 12, 16, 12}, 6, {});
    createHead(*layout);
    createSteps(*layout);
    createFoot(*layout);
    resize(fontMetrics().averageCharWidth() * kWidthInCharacters,
           fontMetrics().lineSpacing() * kHeightInLines);
    const bool isNew = beginning.text.isEmpty();
    beginWith(isNew ? models::draftOfCopy(m_templates.front())
                    : models::ProtocolDraft::of(beginning.text),
              beginning.file);
}

void ProtocolEditor::createHead(QVBoxLayout& layout)
{
    m_copy = new QComboBox(this);
    m_copy->setObjectName(u"beginWithCombo"_s);
    fillTemplates();
    layout.addWidget(new OptionRow(tr("Start from a copy of"), m_copy, this));
    connect(m_copy, &QComboBox::activated, this, &ProtocolEditor::copyTemplate);
    addLine(layout, ProtocolPart::Id, u"idEdit"_s, tr("Id"));
    addLine(layout, ProtocolPart::Title, u"titleEdit"_s, tr("Title"));
    addLine(layout, ProtocolPart::Summary, u"summaryEdit"_s, tr("Summary"));
    addArea(layout, ProtocolPart::Settings, u"settingsEdit"_s,
            tr("Lease, retry, renewal, promises"), 0);
    QPlainTextEdit* const settings = m_areas[ProtocolPart::Settings].edit;
    settings->setFixedHeight(settings->fontMetrics().lineSpacing() * kSettingsLines);
}

void ProtocolEditor::createSteps(QVBoxLayout& layout)
{
    m_steps = new QTabWidget(this);
    m_steps->setObjectName(u"stepTabs"_s);
    m_steps->setDocumentMode(true);
    const QStringList names{u"acquire"_s, u"renew"_s, u"release"_s};
    for (int i = 0; i < static_cast<int>(kSteps.size()); ++i) {
        auto* page = new QWidget(m_steps);
        auto* parts = createColumn(page, {0, 8, 0, 0}, kUsualSpacing, {});
        const auto& [script, mapping] = kSteps[static_cast<std::size_t>(i)];
        addArea(*parts, script, names[i] + u"Script"_s, tr("Lua script"), 3);
        addArea(*parts, mapping, names[i] + u"Mapping"_s,
                tr("Keys, arguments and the meaning of the replies"), 2);
        m_steps->addTab(page, titleOfStep(i));
    }
    layout.addWidget(m_steps, 1);
}

void ProtocolEditor::createFoot(QVBoxLayout& layout)
{
    m_useRemark = createWrappedText(u"useRemark"_s, this);
    m_useRemark->hide();
    layout.addWidget(m_useRemark);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_use = addButton(*buttons, tr("&Use"), u"useProtocolButton"_s,
                      tr("Select this protocol on the Lab page"));
    setEmphasis(m_use, Emphasis::Primary);
    QPushButton* const openButton = addButton(*buttons, tr("Open…"), u"openProtocolButton"_s,
                                              tr("Open a protocol file"));
    m_save = addButton(*buttons, tr("Save"), u"saveProtocolButton"_s,
                       tr("Save to the file that it is from"));
    m_saveAs = addButton(*buttons, tr("Save as…"), u"saveProtocolAsButton"_s,
                         tr("Save to a file that the command line can read"));
    setShortcut(openButton, QKeySequence::Open);
    setShortcut(m_save, QKeySequence::Save);
    setShortcut(m_saveAs, QKeySequence::SaveAs);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_use, &QPushButton::clicked, this, &ProtocolEditor::use);
    connect(openButton, &QPushButton::clicked, this, &ProtocolEditor::openFile);
    connect(m_save, &QPushButton::clicked, this, [this] { save([] {}); });
    connect(m_saveAs, &QPushButton::clicked, this, [this] { saveAs([] {}); });
    layout.addWidget(buttons);
}

void ProtocolEditor::addLine(QVBoxLayout& layout, ProtocolPart part, const QString& name,
                             const QString& label)
{
    auto* edit = new QLineEdit(this);
    edit->setObjectName(name);
    edit->setFixedWidth(fontMetrics().averageCharWidth() * kLineCharacters);
    auto* row = new OptionRow(label, edit, this);
    layout.addWidget(row);
    m_lines[part] = row;
    m_lineEdits[part] = edit;
    connect(edit, &QLineEdit::textChanged, this,
            [this, part](const QString& text) { takeText(part, text); });
}

void ProtocolEditor::addArea(QVBoxLayout& layout, ProtocolPart part, const QString& name,
                             const QString& label, int stretch)
{
    layout.addWidget(createCaption(label, this));
    Area area;
    area.edit = new QPlainTextEdit(this);
    area.edit->setObjectName(name);
    area.edit->setAccessibleName(label);
    area.edit->setFont(monospacedFont());
    area.edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    area.edit->setTabChangesFocus(true);
    area.highlighter = new LuaHighlighter(area.edit->document(), area.edit);
    layout.addWidget(area.edit, stretch);
    area.error = createWrappedText(name + u"Error"_s, this);
    layout.addWidget(area.error);
    m_areas[part] = area;
    // Colours change the document as well, but not its text.
    connect(area.edit, &QPlainTextEdit::textChanged, this,
            [this, part, edit = area.edit] { takeText(part, edit->toPlainText()); });
}

/// What a file cannot express is there as well, and says why it cannot be chosen.
void ProtocolEditor::fillTemplates()
{
    m_copy->addItem(tr("choose…"));
    auto* const items = qobject_cast<QStandardItemModel*>(m_copy->model());
    for (const models::ProtocolTemplate& original : m_templates) {
        m_copy->addItem(original.isBuiltin ? tr("%1 (built in)").arg(original.name)
                                           : original.name);
        const int row = m_copy->count() - 1;
        m_copy->setItemData(row, original.reason, Qt::ToolTipRole);
        items->item(row)->setEnabled(original.isThere());
    }
}

void ProtocolEditor::copyTemplate(int index)
{
    m_copy->setCurrentIndex(0); // until it is certain
    if (index > 0) {
        const models::ProtocolTemplate original = m_templates[static_cast<std::size_t>(index) - 1];
        whenNothingIsLost([this, original, index] {
            beginWith(models::draftOfCopy(original), {});
            m_copy->setCurrentIndex(index);
        });
    }
}

void ProtocolEditor::beginWith(const models::ProtocolDraft& draft, const QString& file)
{
    m_draft = draft;
    m_saved = draft;
    m_file = file;
    fill(draft);
}

void ProtocolEditor::resume(const models::EditedProtocol& edited)
{
    m_saved = edited.saved;
    m_file = edited.file;
    fill(edited.typed);
}

void ProtocolEditor::fill(const models::ProtocolDraft& shown)
{
    for (const auto& [part, edit] : m_lineEdits) {
        edit->setText(shown.text(part));
        edit->setCursorPosition(0);
    }
    for (const auto& [part, area] : m_areas) {
        area.edit->setPlainText(shown.text(part));
    }
    check();
    showFile();
}

void ProtocolEditor::showFile()
{
    const QString name = QFileInfo(m_file).fileName();
    setWindowTitle(m_file.isEmpty() ? tr("Custom protocol[*]")
                                    : tr("%1[*] – custom protocol").arg(name));
    setWindowModified(isChanged());
}

void ProtocolEditor::takeText(ProtocolPart part, const QString& text)
{
    if (m_draft.text(part) == text) {
        return;
    }
    m_draft.setText(part, text);
    m_timer.start();
    showRemark(*m_useRemark, {}, 0); // it was about what stood there before
    m_use->setEnabled(false);
    m_save->setEnabled(false);
    m_saveAs->setEnabled(false);
    setWindowModified(isChanged());
}

void ProtocolEditor::check()
{
    m_timer.stop();
    m_parsed = models::readProtocolDraft(m_draft, m_lua);
    for (const auto& [part, row] : m_lines) {
        const models::ProtocolComplaint* const complaint = m_parsed.complaintAt(part);
        row->setError(complaint != nullptr ? complaint->text : QString());
    }
    for (const auto& [part, area] : m_areas) {
        showComplaint(part, area);
    }
    showErrorsOfSteps();
    m_use->setEnabled(isChecked());
    m_save->setEnabled(isChecked());
    m_saveAs->setEnabled(isChecked());
}

void ProtocolEditor::showComplaint(ProtocolPart part, const Area& area)
{
    const models::ProtocolComplaint* const complaint = m_parsed.complaintAt(part);
    showRemark(*area.error,
               complaint != nullptr ? tr("Line %1: %2").arg(complaint->line).arg(complaint->text)
                                    : QString(),
               2);
    area.edit->setAccessibleDescription(area.error->text());
    area.highlighter->markLine(complaint != nullptr ? std::optional(complaint->line)
                                                    : std::nullopt);
}

/// A mistake must not hide behind a tab.
void ProtocolEditor::showErrorsOfSteps()
{
    for (int i = 0; i < static_cast<int>(kSteps.size()); ++i) {
        const auto& [script, mapping] = kSteps[static_cast<std::size_t>(i)];
        const bool isWrong = m_parsed.complaintAt(script) != nullptr
                             || m_parsed.complaintAt(mapping) != nullptr;
        m_steps->setTabText(i, isWrong ? tr("%1 ⚠").arg(titleOfStep(i)) : titleOfStep(i));
    }
}

void ProtocolEditor::use()
{
    if (isChecked()) {
        m_context.protocols.addOwn(m_parsed.protocol, isChanged() ? QString() : m_file,
                                   m_parsed.fileText);
        m_used = m_draft;
        const QString id = models::toQString(m_parsed.protocol->info().id);
        showRemark(*m_useRemark, tr("%1 is selected on the Lab page.").arg(id), 0);
        Q_EMIT used(id);
    }
}

void ProtocolEditor::openFile()
{
    whenNothingIsLost([this] {
        m_context.prompter.chooseFile(this, {tr("Open a protocol"), protocolFiles()},
                                      [this](const QString& path) { read(path); });
    });
}

void ProtocolEditor::read(const QString& path)
{
    const models::ReadFile file = models::readFile(path, files::kProtocolFileMax);
    const QString sentence = tr("The file is not a valid protocol.");
    if (!file.isRead()) {
        complain(sentence, tr("%1: %2").arg(path, file.problem));
        return;
    }
    const QByteArray& text = file.content;
    const auto found = protocol::readProtocol(text.toStdString());
    if (const auto* const error = std::get_if<protocol::ProtocolFileError>(&found)) {
        complain(sentence, tr("%1, %2").arg(path, models::toQString(toText(*error))));
        return;
    }
    m_copy->setCurrentIndex(0);
    beginWith(models::ProtocolDraft::of(QString::fromUtf8(text)), path);
}

void ProtocolEditor::save(const std::function<void()>& then)
{
    if (m_file.isEmpty()) {
        saveAs(then);
    } else if (write(m_file)) {
        then();
    }
}

void ProtocolEditor::saveAs(const std::function<void()>& then)
{
    const QString proposed = m_draft.text(ProtocolPart::Id) + u".json"_s;
    m_context.prompter.chooseSaveFile(this, {tr("Save the protocol"), protocolFiles(), proposed},
                                      [this, then](const QString& path) {
                                          if (write(path)) {
                                              then();
                                          }
                                      });
}

/// Whether it is in the file now.
bool ProtocolEditor::write(const QString& path)
{
    if (!isChecked()) {
        return false;
    }
    const QString problem = models::writeFile(path, m_parsed.fileText.toUtf8());
    if (!problem.isEmpty()) {
        complain(tr("Could not save the protocol."), problem);
        return false;
    }
    m_file = path;
    m_saved = m_draft;
    showFile();
    use();
    return true;
}

void ProtocolEditor::complain(const QString& sentence, const QString& detail)
{
    m_context.prompter.tell(this, tr("Custom protocol"), sentence, detail);
}

void ProtocolEditor::whenNothingIsLost(std::function<void()> then)
{
    if (!isChanged() || m_draft == m_used) {
        then();
        return;
    }
    if (m_timer.isActive()) {
        check(); // whether it can be saved is known at once
    }
    Question question;
    question.title = tr("Custom protocol");
    question.text = tr("The protocol has unsaved changes.");
    question.declineLabel = tr("Cancel");
    question.otherLabel = tr("Discard");
    question.acceptLabel = tr("Save");
    if (!isChecked()) { // a file with a mistake could not be opened again
        question.detail = tr("It cannot be saved before its mistakes are corrected.");
        question.acceptLabel = tr("Discard");
        question.otherLabel.clear();
    }
    const Answer saving = isChecked() ? Answer::Accepted : Answer::Declined;
    m_context.prompter.ask(this, question, [this, saving, then](Answer answer) {
        if (answer != Answer::Declined && answer == saving) {
            save(then);
        } else if (answer != Answer::Declined) {
            then();
        }
    });
}

void ProtocolEditor::reject()
{
    whenNothingIsLost([this] { QDialog::reject(); });
}

} // namespace lockscope::widgets
