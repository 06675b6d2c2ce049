#include "ui/widgets/connection/connection_dialog.h"

#include "ui/models/formatting.h"
#include "ui/widgets/connection/endpoint_form.h"
#include "ui/widgets/connection/profile_dialog.h"
#include "ui/widgets/connection/server_profiles.h"
#include "ui/widgets/connection/server_tree.h"
#include "ui/widgets/controls/dialog_height.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/scrolling_column.h"
#include "ui/widgets/controls/strip.h"
#include "ui/widgets/style/flat_style.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

/// Servers with credentials: the first of the set, and those that the dialog was opened with.
struct Credentials {
    const store::Endpoint& first;
    const std::vector<store::Endpoint>& own;

    /// What the URL of a server does not say: its own if it is known, else those of the first.
    void lendTo(store::Endpoint& endpoint) const
    {
        const auto known = std::find_if(own.begin(), own.end(), [&endpoint](const auto& e) {
            return store::isSameServer(e, endpoint);
        });
        const store::Endpoint& lender = known != own.end() ? *known : first;
        endpoint.keyPassphrase = lender.keyPassphrase;
        if (endpoint.hasSentinels()) {
            endpoint.sentinelPassword = lender.sentinelPassword;
        }
        if (endpoint.password.empty()) {
            endpoint.password = lender.password;
            endpoint.user = endpoint.user.empty() ? lender.user : endpoint.user;
        }
    }
};

/// The further servers of a set, one URL a line. `error` does not repeat them: there may be a
/// password in what cannot be read.
std::vector<store::Endpoint> parseFurther(const QString& text, const Credentials& credentials,
                                          QString& error)
{
    std::vector<store::Endpoint> endpoints;
    const QStringList lines = text.split(u'\n');
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QString line = lines[i].trimmed();
        if (line.isEmpty()) {
            continue;
        }
        auto parsed = store::parseEndpoint(line.toStdString());
        if (const auto* wrong = std::get_if<store::UrlError>(&parsed)) {
            error = ConnectionDialog::tr("Line %1: %2")
                        .arg(i + 1)
                        .arg(models::toQString(wrong->reason));
            return {};
        }
        auto& endpoint = std::get<store::Endpoint>(parsed);
        credentials.lendTo(endpoint);
        endpoint.environment = credentials.first.environment;
        endpoint.isReadOnly = credentials.first.isReadOnly;
        endpoints.push_back(std::move(endpoint));
    }
    return endpoints;
}

/// What the settings remember of servers, to be found again by their addresses.
std::vector<store::Endpoint> knownServersOf(const QList<ServerProfile>& recent)
{
    std::vector<store::Endpoint> known;
    for (const ServerProfile& server : recent) {
        std::ranges::move(endpointsOf(server), std::back_inserter(known));
    }
    return known;
}

/// The same with what else is known of it.
ServerProfile rememberedAs(const ServerProfile& server, const Settings& settings)
{
    for (const QList<ServerProfile>* list : {&settings.profiles, &settings.recentServers}) {
        const auto found = std::ranges::find(*list, server.urls, &ServerProfile::urls);
        if (found != list->end()) {
            return *found;
        }
    }
    return server;
}

} // namespace

QString testSummary(const service::TestResult& result)
{
    QStringList parts;
    parts << QStringLiteral("Redis %1").arg(models::bytesText(result.info.version));
    if (result.info.role != store::ServerInfo::Role::Unknown) {
        parts << models::toQString(store::idOf(result.info.role));
    }
    parts << (result.keyCount == 1
                  ? ConnectionDialog::tr("1 key")
                  : ConnectionDialog::tr("%1 keys").arg(models::countText(result.keyCount)));
    parts << ConnectionDialog::tr("replies in %1 ms")
                 .arg(static_cast<double>(result.roundTrip.count()) / 1000, 0, 'f', 1);
    return parts.join(u" · "_s);
}

ConnectionDialog::ConnectionDialog(Parts parts, QWidget* parent) : QDialog(parent), m_parts(parts)
{
    setObjectName(u"connectionDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Connect to a server"));
    auto* layout = createRow(this, {}, 0, {});
    layout->addWidget(createSide());
    layout->addWidget(createServer(), 1);
    connect(&m_parts.tester, &service::ConnectionTester::tested, this,
            &ConnectionDialog::showResult);
    m_form->focusUrl();
    refresh();
}

QWidget* ConnectionDialog::createSide()
{
    auto* side = new QWidget(this);
    side->setAutoFillBackground(true);
    side->setBackgroundRole(QPalette::Base);
    m_tree = new ServerTree(m_parts.settings, m_parts.prompter, side);
    m_tree->setMinimumWidth(fontMetrics().averageCharWidth() * 36);
    auto* const more = new QToolButton(side);
    more->setObjectName(u"profilesButton"_s);
    more->setText(tr("Manage"));
    more->setMenu(m_tree->menu());
    more->setPopupMode(QToolButton::InstantPopup);
    createColumn(side, {8, 12, 8, 12}, kUsualSpacing,
                 {m_tree, createRow(0, {gap(4), more, room()})});
    connect(m_tree, &ServerTree::serverChosen, this, &ConnectionDialog::choose);
    connect(m_tree, &ServerTree::serverActivated, this, &ConnectionDialog::accept);
    connect(m_tree, &ServerTree::serverRemoved, &m_parts.passwords, &PasswordKeeper::forget);
    return side;
}

QWidget* ConnectionDialog::createServer()
{
    auto* main = new QWidget(this);
    auto* fields = new QWidget(main);
    m_form = new EndpointForm(fields);
    m_form->setObjectName(u"endpointForm"_s);
    m_form->setKnownServers(knownServersOf(m_parts.settings.profiles
                                           + m_parts.settings.recentServers));
    m_also = new QPlainTextEdit(fields);
    m_also->setObjectName(u"alsoEdit"_s);
    m_also->setFont(monospacedFont());
    m_also->setPlaceholderText(u"redis://other-host:6379"_s);
    m_also->setTabChangesFocus(true);
    m_also->setFixedHeight(fontMetrics().lineSpacing() * 3 + 12);
    m_alsoNote = createQuietLabel(
        tr("The password above is used for all servers whose URL contains none."), fields);
    m_alsoNote->setObjectName(u"alsoNote"_s);
    m_alsoNote->setVisible(false);
    m_alsoError = createWrappedText(u"alsoError"_s, fields);
    m_form->setMinimumWidth(fontMetrics().averageCharWidth() * 62);
    createColumn(fields, {20, 18, 20, 12}, 10,
                 {m_form, gap(4),
                  createCaption(tr("More servers or databases, one URL per line"), fields), m_also,
                  m_alsoNote, m_alsoError, createGrouping(*fields)})
        ->addStretch(1);
    auto* const scrolled = new ScrollingColumn(fields, main);
    connect(scrolled, &ScrollingColumn::wishChanged, this, [this] { fitHeight(*this); });
    createColumn(main, {}, 0,
                 {growing(scrolled), createHairline(Qt::Horizontal, main), createFoot()});
    connect(m_form, &EndpointForm::changed, this, &ConnectionDialog::leaveFilledInSet);
    connect(m_form, &EndpointForm::changed, this, &ConnectionDialog::refresh);
    connect(m_also, &QPlainTextEdit::textChanged, this, &ConnectionDialog::refresh);
    connect(m_also, &QPlainTextEdit::textChanged, this, [this] { m_filledIn.clear(); });
    return main;
}

QWidget* ConnectionDialog::createGrouping(QWidget& fields)
{
    using store::Grouping;
    m_groupingRow = new QWidget(&fields);
    m_grouping = new QComboBox(m_groupingRow);
    m_grouping->setObjectName(u"groupingCombo"_s);
    m_grouping->addItem(tr("Redlock set if three or more"), static_cast<int>(Grouping::Unsaid));
    m_grouping->addItem(tr("Redlock set: tokens are votes"),
                        static_cast<int>(Grouping::RedlockSet));
    m_grouping->addItem(tr("Separate servers in one table"), static_cast<int>(Grouping::Separate));
    QLabel* const label = createQuietLabel(tr("Together they are"), m_groupingRow);
    label->setBuddy(m_grouping);
    m_grouping->setAccessibleName(label->text());
    createRow(m_groupingRow, {}, 12, {label, growing(m_grouping)});
    m_groupingRow->hide();
    connect(m_grouping, &QComboBox::currentIndexChanged, this, &ConnectionDialog::refresh);
    return m_groupingRow;
}

/// What stays in sight however many fields there are.
QWidget* ConnectionDialog::createFoot()
{
    auto* const foot = new QWidget(this);
    auto* const layout = createColumn(foot, {20, 10, 20, 16}, 10, {});
    createTest(*layout);
    createButtons(*layout);
    return foot;
}

void ConnectionDialog::createTest(QVBoxLayout& layout)
{
    m_test = createButton(u"testButton"_s, tr("Test connection"), this);
    m_test->setAutoDefault(false);
    m_result = createWrappedText(u"testResult"_s, this);
    m_result->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_limits = createQuietLabel({}, this);
    m_limits->setObjectName(u"testLimits"_s);
    m_limits->setWordWrap(true);
    m_limits->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_limits->setVisible(false);
    addParts(layout, {createRow(12, {aligned(m_test, Qt::AlignTop), growing(m_result)}), m_limits});
    connect(m_test, &QPushButton::clicked, this, &ConnectionDialog::test);
}

void ConnectionDialog::createButtons(QVBoxLayout& layout)
{
    m_connect = createButton(u"connectButton"_s, tr("Connect"), this);
    m_connect->setDefault(true);
    setEmphasis(m_connect, Emphasis::Primary);
    auto* cancel = createButton(u"cancelButton"_s, tr("Cancel"), this);
    cancel->setAutoDefault(false);
    m_instead = createButton(u"insteadButton"_s, tr("Connect instead"), this);
    m_instead->setAutoDefault(false);
    m_instead->setToolTip(tr("Closes the server that is shown"));
    m_instead->hide();
    connect(m_connect, &QPushButton::clicked, this, &ConnectionDialog::accept);
    connect(m_instead, &QPushButton::clicked, this, [this] {
        m_isInstead = true;
        accept();
    });
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    m_save = createButton(u"saveAsProfileButton"_s, tr("Save as profile…"), this);
    m_save->setAutoDefault(false);
    connect(m_save, &QPushButton::clicked, this, &ConnectionDialog::saveProfile);
    addParts(layout,
             {gap(4), createRow(kUsualSpacing, {m_save, room(), cancel, m_instead, m_connect})});
}

void ConnectionDialog::setEndpoints(const std::vector<store::Endpoint>& endpoints)
{
    if (endpoints.empty()) {
        return;
    }
    m_own = endpoints;
    m_chosen = rememberedAs(profileOf(endpoints), m_parts.settings);
    m_form->setEndpoint(endpoints.front());
    m_form->setKeepsPassword(m_chosen.keepsPassword);
    QStringList further;
    for (std::size_t i = 1; i < endpoints.size(); ++i) {
        further += models::toQString(store::toUrl(endpoints[i]));
    }
    m_also->setPlainText(further.join(u'\n'));
    m_grouping->setCurrentIndex(m_grouping->findData(static_cast<int>(endpoints.front().grouping)));
    m_filledIn = endpoints;
    refresh();
}

void ConnectionDialog::offerInstead(bool isOffered)
{
    m_instead->setVisible(isOffered);
}

/// A set belongs together: the other servers of the one that was filled in do not stay behind when
/// the user turns to another server.
void ConnectionDialog::leaveFilledInSet()
{
    const auto first = m_form->endpoint();
    if (m_filledIn.size() < 2 || !first || store::isSameServer(*first, m_filledIn.front())) {
        return;
    }
    m_filledIn.clear();
    m_also->clear();
}

std::vector<store::Endpoint> ConnectionDialog::endpoints() const
{
    const auto first = m_form->endpoint();
    if (!first) {
        return {};
    }
    QString error;
    std::vector<store::Endpoint> all = parseFurther(m_also->toPlainText(), {*first, m_own}, error);
    if (!error.isEmpty()) {
        return {};
    }
    all.insert(all.begin(), *first);
    store::setGrouping(all, all.size() > 1
                                ? static_cast<store::Grouping>(m_grouping->currentData().toInt())
                                : store::Grouping::Unsaid);
    return all;
}

PasswordKeeper::Wish ConnectionDialog::passwordWish() const
{
    const std::vector<store::Endpoint> all = endpoints();
    const bool hasSecret = !all.empty()
                           && std::ranges::any_of(secretKinds(), [&all](const SecretKind& kind) {
                                  return !(all.front().*kind.member).empty();
                              });
    if (m_form->keepsPassword() && hasSecret) {
        return PasswordKeeper::Wish::Keep;
    }
    const bool wasKept = m_chosen.keepsPassword && profileOf(all).urls == m_chosen.urls;
    return wasKept && !m_form->keepsPassword() ? PasswordKeeper::Wish::Forget
                                               : PasswordKeeper::Wish::Leave;
}

void ConnectionDialog::choose(const ServerProfile& server)
{
    setEndpoints(endpointsOf(server));
    m_chosen = server;
    m_form->setKeepsPassword(server.keepsPassword);
    m_parts.passwords.complete(
        server, [dialog = QPointer(this)](const std::vector<store::Endpoint>& endpoints) {
            const auto shown = dialog ? dialog->m_form->endpoint() : std::nullopt;
            if (shown && !endpoints.empty() && store::isSameServer(*shown, endpoints.front())) {
                dialog->m_form->fillInSecrets(endpoints.front());
            }
        });
}

void ConnectionDialog::saveProfile()
{
    ServerProfile profile = profileOf(endpoints());
    profile.name = m_chosen.name;
    profile.folder = m_chosen.folder;
    profile.keepsPassword = m_chosen.keepsPassword && profile.urls == m_chosen.urls;
    auto* const dialog = new ProfileDialog(profile, m_parts.settings.profiles, this);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        m_chosen = dialog->profile();
        widgets::saveProfile(m_parts.settings, m_chosen);
        m_tree->refresh();
    });
    dialog->open();
}

void ConnectionDialog::refresh()
{
    QString error;
    bool isLending = false;
    if (const auto first = m_form->endpoint()) {
        const auto further = parseFurther(m_also->toPlainText(), {*first, m_own}, error);
        isLending = !first->password.empty()
                    && std::ranges::any_of(further, [&first](const store::Endpoint& endpoint) {
                           return endpoint.password == first->password;
                       });
    }
    m_alsoNote->setVisible(isLending);
    showRemark(*m_alsoError, error, 2);
    const std::vector<store::Endpoint> all = endpoints();
    const bool isReadable = !all.empty();
    m_groupingRow->setVisible(all.size() > 1);
    m_connect->setEnabled(isReadable);
    m_instead->setEnabled(isReadable);
    m_test->setEnabled(isReadable);
    m_save->setEnabled(isReadable);
    m_isTesting = false; // an answer would be about what the form said before
    m_result->clear();
    m_limits->setVisible(false);
}

void ConnectionDialog::test()
{
    const std::vector<store::Endpoint> all = endpoints();
    if (!all.empty()) {
        m_isTesting = true;
        m_limits->setVisible(false);
        showSentence(tr("Trying…"), -1);
        m_tested = all.front();
        m_parts.tester.test(m_tested);
    }
}

void ConnectionDialog::showResult(const service::TestResult& result)
{
    if (!m_isTesting) {
        return;
    }
    m_isTesting = false;
    if (result.problem.kind != store::Problem::Kind::None) {
        showSentence(models::toQString(store::explain(result.problem)), 2);
        return;
    }
    const QString remark = models::toQString(store::explain(result.info, m_tested));
    if (store::hasNothingToShow(result.info)) {
        showSentence(remark, 2);
        return;
    }
    const QString sentence = tr("Connection successful. %1").arg(testSummary(result));
    showSentence(remark.isEmpty() ? sentence : sentence + u'\n' + remark, remark.isEmpty() ? 0 : 1);
    QStringList limits;
    for (const store::Problem& limit : result.limits) {
        limits += u"· "_s + models::toQString(store::explain(limit));
    }
    m_limits->setText(tr("Limitations:") + u'\n' + limits.join(u'\n'));
    m_limits->setVisible(!limits.isEmpty());
    fitHeight(*this);
}

void ConnectionDialog::showSentence(const QString& sentence, int severity)
{
    QPalette colored = palette();
    if (severity >= 0) {
        colored.setColor(QPalette::WindowText, severityColor(severity, palette()));
    }
    m_result->setPalette(colored);
    m_result->setText(sentence);
}

void ConnectionDialog::accept()
{
    const std::vector<store::Endpoint> all = endpoints();
    if (!all.empty()) {
        Q_EMIT connectRequested(all);
        QDialog::accept();
    }
}

} // namespace lockscope::widgets
