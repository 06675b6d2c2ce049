#include "ui/widgets/lab/scripts_window.h"

#include "ui/models/formatting.h"
#include "ui/models/lab/protocol_draft.h"
#include "ui/models/protocol_text.h"
#include "ui/models/user_files.h"
#include "ui/widgets/controls/thin_tables.h"
#include "ui/widgets/lab/lua_highlighter.h"
#include "ui/widgets/style/theme.h"

#include <QDialogButtonBox>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTextBrowser>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::ProtocolDraft;
using models::ProtocolPart;

namespace {

constexpr int kScriptsWidthInCharacters = 110;
constexpr int kScriptsHeightInLines = 40;

std::vector<NamedScript> scriptsIn(const QString& ownText)
{
    const ProtocolDraft draft = ProtocolDraft::of(ownText);
    std::vector<NamedScript> scripts;
    for (const auto& [name, part] : {std::pair(u"acquire"_s, ProtocolPart::AcquireScript),
                                     {u"renew"_s, ProtocolPart::RenewScript},
                                     {u"release"_s, ProtocolPart::ReleaseScript}}) {
        if (!draft.text(part).isEmpty()) {
            scripts.push_back({name, draft.text(part)});
        }
    }
    return scripts;
}

} // namespace

QString pageOf(const protocol::ProtocolInfo& info)
{
    QString page = models::resourceText(u":/docs/protocols/"_s + models::toQString(info.id)
                                        + u".md"_s);
    if (!page.isEmpty()) {
        return page;
    }
    QString own = u"# %1\n\n%2\n\n"_s.arg(models::toQString(info.title),
                                          models::toQString(info.summary));
    for (const QString& line : models::promisesInFull(info).split(u'\n')) {
        own += u"- "_s + line + u'\n';
    }
    return info.flaw.empty() ? own
                             : own + u"\n## "_s + ScriptsWindow::tr("Known flaw") + u"\n\n"_s
                                   + models::toQString(info.flaw) + u'\n';
}

std::vector<NamedScript> scriptsOf(const protocol::ProtocolInfo& info, const QString& ownText)
{
    if (!ownText.isEmpty()) {
        return scriptsIn(ownText);
    }
    // The page of a protocol names what each step runs.
    static const QRegularExpression kName(u"`([a-z_]+)\\.lua"_s);
    std::vector<NamedScript> scripts;
    for (auto match = kName.globalMatch(pageOf(info)); match.hasNext();) {
        const QString name = match.next().captured(1);
        const NamedScript script{name, models::resourceText(u":/scripts/"_s + name + u".lua"_s)};
        if (std::find(scripts.begin(), scripts.end(), script) == scripts.end()) {
            scripts.push_back(script);
        }
    }
    return scripts;
}

ScriptsWindow::ScriptsWindow(const protocol::LockProtocol& protocol, const QString& ownText,
                             QWidget* parent)
    : QDialog(parent)
{
    const protocol::ProtocolInfo& info = protocol.info();
    setObjectName(u"scriptsWindow"_s);
    setWindowTitle(models::toQString(info.id));
    auto* tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    addPage(*tabs, info);
    for (const NamedScript& script : scriptsOf(info, ownText)) {
        addScript(*tabs, script);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(tabs);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * kScriptsWidthInCharacters,
           fontMetrics().lineSpacing() * kScriptsHeightInLines);
}

void ScriptsWindow::addPage(QTabWidget& tabs, const protocol::ProtocolInfo& info)
{
    auto* page = new QTextBrowser(this);
    page->setObjectName(u"protocolPage"_s);
    page->setOpenLinks(false); // to pages that are not here
    page->setFrameShape(QFrame::NoFrame);
    // Without the HTML that Markdown may hold: an own protocol's page is text from anywhere.
    QTextDocument::MarkdownFeatures features = QTextDocument::MarkdownDialectGitHub;
    features |= QTextDocument::MarkdownNoHTML;
    page->document()->setMarkdown(pageOf(info), features);
    thinTables(*page->document()->rootFrame(), palette().color(QPalette::Mid));
    page->document()->setDocumentMargin(16);
    tabs.addTab(page, tr("Promises"));
}

void ScriptsWindow::addScript(QTabWidget& tabs, const NamedScript& script)
{
    auto* text = new QPlainTextEdit(script.text, this);
    text->setObjectName(script.name);
    text->setAccessibleName(script.name);
    text->setReadOnly(true);
    text->setFrameShape(QFrame::NoFrame);
    text->setFont(monospacedFont());
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->document()->setDocumentMargin(12);
    new LuaHighlighter(text->document(), text);
    tabs.addTab(text, script.name);
}

} // namespace lockscope::widgets
