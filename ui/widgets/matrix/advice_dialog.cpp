#include "ui/widgets/matrix/advice_dialog.h"

#include "core/kernel/protocol/client_libraries.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QSpinBox>
#include <QTableView>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using models::AdviceModel;
using models::toQString;

namespace {

constexpr int kServersMax = 99;
constexpr int kDialogCharacters = 130;
constexpr int kDialogLines = 34;
constexpr int kLibraryCharacters = 28;

} // namespace

AdviceDialog::AdviceDialog(const models::MatrixModel& matrix, service::SearchRunner& searcher,
                           const search::Bounds& bounds, QWidget* parent)
    : QDialog(parent),
      m_matrix(matrix),
      m_searcher(searcher),
      m_bounds(bounds),
      m_advice(matrix)
{
    setObjectName(u"adviceDialog"_s);
    setWindowTitle(tr("Which lock should I use?"));
    createNeeds();
    createAnswer();
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* const needs = createRow(12, {m_servers, m_reentrant, m_readers, m_permits, m_library,
                                       room()});
    createColumn(this, {16, 16, 16, 16}, 10,
                 {m_question, needs, m_summary, growing(m_table), m_additions, buttons});
    resize(fontMetrics().averageCharWidth() * kDialogCharacters,
           fontMetrics().height() * kDialogLines);
    connect(&m_matrix, &QAbstractItemModel::dataChanged, this, &AdviceDialog::answer);
    connect(&m_matrix, &QAbstractItemModel::modelReset, this, &AdviceDialog::answer);
    connect(&m_searcher, &service::SearchRunner::progressed, this, &AdviceDialog::takeProgress);
    answer();
}

AdviceDialog::~AdviceDialog()
{
    m_searcher.disconnect(this);
    m_searcher.cancel();
}

void AdviceDialog::createNeeds()
{
    m_question = createWrappedText(u"adviceQuestion"_s, this);
    m_servers = new QSpinBox(this);
    m_servers->setObjectName(u"adviceServers"_s);
    m_servers->setRange(1, kServersMax);
    m_servers->setPrefix(tr("independent servers: "));
    m_servers->setAccessibleName(tr("Independent servers that there are"));
    const auto check = [this](const QString& name, const QString& text) {
        auto* const box = new QCheckBox(text, this);
        box->setObjectName(name);
        connect(box, &QCheckBox::toggled, this, &AdviceDialog::answer);
        return box;
    };
    m_reentrant = check(u"adviceReentrant"_s, tr("&reentrant"));
    m_readers = check(u"adviceReaders"_s, tr("r&eaders and writers"));
    m_permits = check(u"advicePermits"_s, tr("several &holders"));
    m_library = new QComboBox(this);
    m_library->setObjectName(u"adviceLibrary"_s);
    m_library->setAccessibleName(tr("Language of the library"));
    m_library->addItem(tr("any language"));
    for (const std::string_view language : protocol::libraryLanguages()) {
        m_library->addItem(tr("a library for %1").arg(toQString(language)), toQString(language));
    }
    connect(m_servers, &QSpinBox::valueChanged, this, &AdviceDialog::answer);
    connect(m_library, &QComboBox::currentIndexChanged, this, &AdviceDialog::answer);
}

void AdviceDialog::createAnswer()
{
    m_summary = new QLabel(this);
    m_summary->setObjectName(u"adviceSummary"_s);
    makeBold(*m_summary);
    m_table = new QTableView(this);
    m_table->setObjectName(u"adviceTable"_s);
    m_table->setAccessibleName(tr("Protocols, the best first"));
    m_table->setModel(&m_advice);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_table->setWordWrap(false);
    QHeaderView* const header = m_table->horizontalHeader();
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(AdviceModel::AnswerColumn, QHeaderView::Stretch);
    // Some protocols have a dozen libraries: the tooltip holds them all.
    header->setSectionResizeMode(AdviceModel::LibrariesColumn, QHeaderView::Interactive);
    header->resizeSection(AdviceModel::LibrariesColumn,
                          fontMetrics().averageCharWidth() * kLibraryCharacters);
    m_table->setTabKeyNavigation(false);
    m_additions = createWrappedText(u"adviceAdditions"_s, this);
}

report::AdviceQuestion AdviceDialog::needs() const
{
    report::AdviceQuestion question;
    question.serverCount = m_servers->value();
    question.isReentrant = m_reentrant->isChecked();
    question.hasReaders = m_readers->isChecked();
    question.hasPermits = m_permits->isChecked();
    if (const QString language = m_library->currentData().toString(); !language.isEmpty()) {
        question.languages = {language.toStdString()};
    }
    return question;
}

void AdviceDialog::answer()
{
    QStringList never;
    for (const search::Harm harm : m_matrix.never()) {
        never += toQString(search::nameOf(harm));
    }
    m_question->setText(tr("What must not happen: %1. What may go wrong, one at a time: %2 of %3 "
                           "kinds of faults. Both are chosen above the matrix.")
                            .arg(models::listed(never))
                            .arg(m_matrix.shownFaults().size())
                            .arg(m_matrix.faults().size()));
    m_advice.ask(needs());
    giveReasonsRoom();
    m_summary->setText(m_advice.summary());
    m_searcher.cancel();
    searchRemedies();
}

/// A reason against a protocol is a sentence, and nothing is said of what such a protocol costs.
void AdviceDialog::giveReasonsRoom()
{
    m_table->clearSpans();
    for (int row = 0; row < m_advice.rowCount(); ++row) {
        const bool hasLibraries =
            !m_advice.index(row, AdviceModel::LibrariesColumn).data().toString().isEmpty();
        const int end = hasLibraries ? AdviceModel::LibrariesColumn : AdviceModel::ColumnCount;
        if (!m_advice.index(row, 0).data(AdviceModel::SuitsRole).toBool()) {
            m_table->setSpan(row, AdviceModel::AnswerColumn, 1, end - AdviceModel::AnswerColumn);
        }
    }
}

void AdviceDialog::searchRemedies()
{
    const service::SearchOrder order = m_advice.remedySearch(m_bounds);
    const bool isWorthASearch = !order.tasks.empty();
    showAdditions(isWorthASearch);
    if (isWorthASearch) {
        m_searcher.start(order);
    }
}

void AdviceDialog::takeProgress(const service::SearchProgress& progress)
{
    if (progress.phase == service::SearchProgress::Phase::Finished) {
        m_advice.takeRemedies(m_searcher.reports());
        searchRemedies();
    }
}

void AdviceDialog::showAdditions(bool isSearching)
{
    const QStringList additions = m_advice.additions();
    QString text = additions.isEmpty()
                       ? QString()
                       : tr("What would help:") + u"\n– "_s + additions.join(u"\n– "_s);
    if (isSearching) {
        text += (text.isEmpty() ? QString() : u"\n"_s)
                + (m_advice.areRemediesPairs()
                       ? tr("Searching whether two things together would help …")
                       : tr("Searching whether a longer lease or WAIT would help …"));
    }
    m_additions->setVisible(!text.isEmpty());
    m_additions->setText(text);
}

} // namespace lockscope::widgets
