#include "ui/widgets/lab/protocol_editor.h"

#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/option_row.h"
#include "ui/widgets/controls/prompter.h"
#include "ui/widgets/controls/text_file.h"
#include "ui/widgets/lab/lua_highlighter.h"
#include "ui/widgets/style/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
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

QString exampleText(const QString& name)
{
    return resourceText(u":/protocols/"_s + name + u".json"_s);
}

/// Built-in names are taken, and so is that of the example itself.
QString withOwnId(const QString& text)
{
    return QString(text).replace(u"\"token-lock\""_s, u"\"my-lock\""_s);
}

} // namespace

ProtocolEditor::ProtocolEditor(Context context, const QString& text, QWidget* parent)
    : QDialog(parent),
      m_context(context)
{
    setObjectName(u"protocolEditor"_s);
    setWindowTitle(tr("Custom protocol"));
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelayMs);
    connect(&m_timer, &QTimer::timeout, this, &ProtocolEditor::check);
    auto* layout = createColumn(this, {16, 12, 16, 12}, 6, {});
    createHead(*layout);
    createSteps(*layout);
    createFoot(*layout);
    resize(fontMetrics().averageCharWidth() * kWidthInCharacters,
           fontMetrics().lineSpacing() * kHeightInLines);
    beginWith(text.isEmpty() ? withOwnId(exampleText(u"token-lock"_s)) : text);
}

void ProtocolEditor::createHead(QVBoxLayout& layout)
{
    m_examples = new QComboBox(this);
    m_examples->setObjectName(u"beginWithCombo"_s);
    m_examples->addItem(tr("choose…"));
    for (const QString& name : {u"token-lock"_s, u"counted-lock"_s, u"lease-lock"_s}) {
        m_examples->addItem(name);
    }
    layout.addWidget(new OptionRow(tr("Start from a copy of"), m_examples, this));
    connect(m_examples, &QComboBox::activated, this, [this](int index) {
        if (index > 0) {
            beginWith(withOwnId(exampleText(m_examples->itemText(index))));
        }
    });
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
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_use = buttons->addButton(tr("Use"), QDialogButtonBox::ActionRole);
    m_use->setObjectName(u"useProtocolButton"_s);
    m_use->setToolTip(tr("Select this protocol on the Lab page"));
    m_save = buttons->addButton(tr("Save as…"), QDialogButtonBox::ActionRole);
    m_save->setObjectName(u"saveProtocolButton"_s);
    m_save->setToolTip(tr("Save to a file that the command line can read"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_use, &QPushButton::clicked, this, &ProtocolEditor::use);
    connect(m_save, &QPushButton::clicked, this, &ProtocolEditor::save);
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

void ProtocolEditor::beginWith(const QString& text)
{
    m_draft = models::ProtocolDraft::of(text);
    const models::ProtocolDraft shown = m_draft; // the edits change the other one as they fill
    for (const auto& [part, edit] : m_lineEdits) {
        edit->setText(shown.text(part));
        edit->setCursorPosition(0);
    }
    for (const auto& [part, area] : m_areas) {
        area.edit->setPlainText(shown.text(part));
    }
    check();
}

void ProtocolEditor::takeText(ProtocolPart part, const QString& text)
{
    if (m_draft.text(part) == text) {
        return;
    }
    m_draft.setText(part, text);
    m_file.clear();
    m_timer.start();
    m_use->setEnabled(false);
    m_save->setEnabled(false);
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
        m_context.protocols.addOwn(m_parsed.protocol, m_file, m_parsed.fileText);
        Q_EMIT used(models::toQString(m_parsed.protocol->info().id));
    }
}

void ProtocolEditor::save()
{
    m_context.prompter.chooseSaveFile(this,
                                      {tr("Save the protocol"), tr("Protocol files (*.json)")},
                                      [this](const QString& path) { write(path); });
}

void ProtocolEditor::write(const QString& path)
{
    const QString problem = writeFile(path, m_parsed.fileText.toUtf8());
    if (problem.isEmpty()) {
        m_file = path;
        use();
        return;
    }
    m_context.prompter.tell(this, windowTitle(), tr("Could not save the protocol."), problem);
}

} // namespace lockscope::widgets
