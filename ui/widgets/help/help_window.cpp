#include "ui/widgets/help/help_window.h"

#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/thin_tables.h"
#include "ui/widgets/help/help_contents.h"
#include "ui/widgets/help/help_search.h"
#include "ui/widgets/style/palette_colors.h"

#include <QLineEdit>
#include <QListWidget>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>

#include <functional>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kHelpCharacters = 140;
constexpr int kHelpLines = 44;
constexpr int kListCharacters = 46;
constexpr int kRowGap = 5;
constexpr int kIndent = 4; // characters
constexpr int kPageMargin = 16;
constexpr int kPathRole = Qt::UserRole;
const QString kKeysPath = u"keys.md"_s;
// QTextBrowser follows links of this scheme itself, and leaves those to the web to the browser.
const QString kBase = u"qrc:/docs/"_s;

QString pathIn(const QUrl& url)
{
    return url.path().mid(QUrl(kBase).path().size());
}

QTextBlock headingAt(const QTextDocument& page, const QString& anchor)
{
    QTextBlock block = page.begin();
    while (block.isValid()
           && (block.blockFormat().headingLevel() == 0 || anchorOf(block.text()) != anchor)) {
        block = block.next();
    }
    return block;
}

/// Once, when all of a page is there: Qt reads Markdown into a document piece by piece, and would
/// lay out a long table again after each cell.
void layOut(QTextDocument& page)
{
    if (!page.isLayoutEnabled()) {
        page.setLayoutEnabled(true);
        page.markContentsDirty(0, page.characterCount());
    }
}

/// Pages from wherever they are taken. They are not laid out before layOut() is called.
class PageBrowser : public QTextBrowser {
public:
    PageBrowser(std::function<QString(const QString&)> markdown, QWidget* parent)
        : QTextBrowser(parent),
          m_markdown(std::move(markdown))
    {}

    QVariant loadResource(int type, const QUrl& name) override
    {
        if (type == QTextDocument::MarkdownResource) {
            document()->setLayoutEnabled(false);
        }
        return m_markdown(pathIn(source().resolved(name)));
    }

private:
    std::function<QString(const QString&)> m_markdown;
};

} // namespace

HelpWindow::HelpWindow(const QString& keys, QWidget* parent)
    : QDialog(parent),
      //: The language of the help's pages: the folder of docs/ in which they are translated
      m_language(tr("en")),
      m_keys(keys)
{
    setObjectName(u"helpWindow"_s);
    setWindowTitle(tr("Lockscope help"));
    createParts();
    const QList<HelpPage> pages = helpPages(m_language);
    for (const HelpPage& page : pages) {
        addToList(page.path, page.title, page.level);
    }
    if (!m_keys.isEmpty()) {
        addToList(kKeysPath, m_keys.section(u'\n', 0, 0).mid(2), 0);
    }
    connectParts();
    resize(fontMetrics().averageCharWidth() * kHelpCharacters,
           fontMetrics().lineSpacing() * kHelpLines);
    showPage(pages.constFirst().path);
    m_page->setFocus();
}

void HelpWindow::createParts()
{
    m_search = new QLineEdit(this);
    m_search->setObjectName(u"helpSearch"_s);
    m_search->setPlaceholderText(tr("Search the help (Ctrl+F)"));
    m_search->setAccessibleName(tr("Search the help"));
    m_search->setClearButtonEnabled(true);
    m_list = new QListWidget(this);
    m_list->setObjectName(u"helpList"_s);
    m_list->setAccessibleName(tr("Pages"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_found = createQuietLabel({}, this);
    m_found->setObjectName(u"helpFound"_s);
    m_page = new PageBrowser([this](const QString& path) { return markdownOf(path); }, this);
    m_page->setObjectName(u"helpPage"_s);
    m_page->setAccessibleName(tr("Page"));
    m_page->setFrameShape(QFrame::NoFrame);
    m_page->setOpenExternalLinks(true);
    m_back = addButton(u"helpBack"_s, Qt::LeftArrow, tr("Back (Alt+Left)"));
    m_back->setShortcut(Qt::ALT | Qt::Key_Left);
    m_forward = addButton(u"helpForward"_s, Qt::RightArrow, tr("Forward (Alt+Right)"));
    m_forward->setShortcut(Qt::ALT | Qt::Key_Right);
    auto* const side = new QWidget(this);
    side->setFixedWidth(fontMetrics().averageCharWidth() * kListCharacters);
    createColumn(side, {8, 8, 8, 8}, 8,
                 {createRow(4, {m_back, m_forward, growing(m_search)}), m_found, growing(m_list)});
    createRow(this, {}, 0, {side, createHairline(Qt::Vertical, this), growing(m_page)});
    m_found->hide();
}

QToolButton* HelpWindow::addButton(const QString& name, Qt::ArrowType arrow, const QString& toolTip)
{
    auto* const button = new QToolButton(this);
    button->setObjectName(name);
    button->setArrowType(arrow);
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    button->setEnabled(false);
    return button;
}

void HelpWindow::connectParts()
{
    connect(m_page, &QTextBrowser::sourceChanged, this, &HelpWindow::arrive);
    connect(m_page, &QTextBrowser::backwardAvailable, m_back, &QWidget::setEnabled);
    connect(m_page, &QTextBrowser::forwardAvailable, m_forward, &QWidget::setEnabled);
    connect(m_back, &QToolButton::clicked, m_page, &QTextBrowser::backward);
    connect(m_forward, &QToolButton::clicked, m_page, &QTextBrowser::forward);
    connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item != nullptr) {
            showPage(item->data(kPathRole).toString());
        }
    });
    connect(m_search, &QLineEdit::textChanged, this, &HelpWindow::search);
    connect(m_search, &QLineEdit::returnPressed, this, [this] { find(true); });
    const auto addKey = [this](const QKeySequence& key, auto act) {
        connect(new QShortcut(key, this), &QShortcut::activated, this, act);
    };
    addKey(QKeySequence::Find, [this] {
        m_search->setFocus();
        m_search->selectAll();
    });
    addKey(Qt::Key_F3, [this] { find(true); });
    addKey(Qt::SHIFT | Qt::Key_F3, [this] { find(false); });
}

void HelpWindow::addToList(const QString& path, const QString& title, int level)
{
    auto* const item = new QListWidgetItem(QString(level * kIndent, u' ') + title, m_list);
    item->setData(kPathRole, path);
    item->setToolTip(title);
    item->setSizeHint({0, fontMetrics().height() + kRowGap}); // a long title is cut with an
                                                              // ellipsis
}

QString HelpWindow::textOf(const QString& path) const
{
    return path == kKeysPath ? m_keys : helpText(path, m_language);
}

/// The text; below the title of a page that is not in the reader's language it says so.
QString HelpWindow::markdownOf(const QString& path) const
{
    QString text = textOf(path);
    if (isHelpPage(path) && !isInLanguage(path, m_language)) {
        text.insert(text.indexOf(u'\n'),
                    u"\n\n> "_s + tr("This page is available in English only."));
    }
    return text;
}

void HelpWindow::showPage(const QString& link)
{
    const QUrl url(kBase + link);
    if (url != m_page->source() && !markdownOf(pathIn(url)).isEmpty()) {
        m_page->setSource(url, QTextDocument::MarkdownResource);
    }
}

QString HelpWindow::shownPage() const
{
    return pathIn(m_page->source());
}

/// At a page, or at another heading of it, by whatever way. The browser names it before its own
/// source() does.
void HelpWindow::arrive(const QUrl& link)
{
    const QUrl url = m_page->document()->baseUrl().resolved(link);
    m_page->document()->setDocumentMargin(kPageMargin);
    layOut(*m_page->document());
    thinTables(*m_page->document()->rootFrame(), stateColorsOf(palette()).hairline);
    goToHeading(pathIn(url), url.fragment());
    const QSignalBlocker blocker(m_list); // it follows
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->data(kPathRole) == pathIn(url)) {
            m_list->setCurrentRow(row);
        }
    }
    markFound();
}

/// Qt gives headings of Markdown no names. Those of an English page are known in each language.
void HelpWindow::goToHeading(const QString& path, const QString& anchor)
{
    if (anchor.isEmpty()) {
        return;
    }
    QTextBlock block = headingAt(*m_page->document(), anchor);
    if (!block.isValid()) {
        block = headingAt(*m_page->document(), translatedAnchor(path, anchor, m_language));
    }
    if (block.isValid()) {
        m_page->moveCursor(QTextCursor::End); // so that the heading stands at the upper edge
        m_page->setTextCursor(QTextCursor(block));
    }
}

/// Lists the pages that have all of the words.
void HelpWindow::search(const QString& text)
{
    const QStringList words = searchWords(text);
    int count = 0;
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* const item = m_list->item(row);
        const bool isFound = hasWords(textOf(item->data(kPathRole).toString()), words);
        item->setHidden(!isFound);
        count += isFound ? 1 : 0;
    }
    m_found->setVisible(!words.isEmpty());
    m_found->setText(count > 0 ? tr("On %1 · Enter: next match")
                                     .arg(models::countedText(count, tr("page"), tr("pages")))
                               : tr("Nothing found"));
    markFound();
}

/// The next place in this page; from a page without one, to the first page that has one.
void HelpWindow::find(bool isForward)
{
    const QString wanted = m_search->text().trimmed();
    if (wanted.isEmpty()) {
        return;
    }
    if (const QListWidgetItem* const shown = m_list->currentItem();
        shown == nullptr || shown->isHidden()) {
        int row = 0;
        while (row < m_list->count() && m_list->item(row)->isHidden()) {
            ++row;
        }
        m_list->setCurrentRow(row < m_list->count() ? row : m_list->currentRow());
    }
    const QRegularExpression pattern = searchPattern(wanted, m_page->toPlainText());
    const auto direction = isForward ? QTextDocument::FindFlags() : QTextDocument::FindBackward;
    if (!m_page->find(pattern, direction)) { // once more from the other end
        m_page->moveCursor(isForward ? QTextCursor::Start : QTextCursor::End);
        m_page->find(pattern, direction);
    }
}

void HelpWindow::markFound()
{
    QList<QTextEdit::ExtraSelection> places;
    const QString wanted = m_search->text().trimmed();
    if (!wanted.isEmpty()) {
        const QRegularExpression pattern = searchPattern(wanted, m_page->toPlainText());
        QTextCharFormat format;
        format.setBackground(stateColorsOf(palette()).amberTint);
        for (QTextCursor place = m_page->document()->find(pattern); !place.isNull();
             place = m_page->document()->find(pattern, place)) {
            places.append({place, format});
        }
    }
    m_page->setExtraSelections(places);
}

} // namespace lockscope::widgets
