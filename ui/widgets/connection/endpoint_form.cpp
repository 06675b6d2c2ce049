#include "ui/widgets/connection/endpoint_form.h"

#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/style/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

#include <algorithm>
#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using store::Endpoint;

namespace {

/// What the form calls a transport. Those of a single server have the numbers of Endpoint's.
enum class Way { Tcp, Tls, UnixSocket, Sentinels, SentinelsWithTls, Cluster, ClusterWithTls };

Way wayOf(const Endpoint& endpoint)
{
    const bool isTls = endpoint.transport == Endpoint::Transport::Tls;
    if (endpoint.isCluster()) {
        return isTls ? Way::ClusterWithTls : Way::Cluster;
    }
    if (!endpoint.hasSentinels()) {
        return static_cast<Way>(endpoint.transport);
    }
    return isTls ? Way::SentinelsWithTls : Way::Sentinels;
}

Way wayIn(const QComboBox& combo)
{
    return static_cast<Way>(combo.currentData().toInt());
}

bool namesSentinels(Way way)
{
    return way == Way::Sentinels || way == Way::SentinelsWithTls;
}

bool namesNodes(Way way)
{
    return way == Way::Cluster || way == Way::ClusterWithTls;
}

/// An address that fieldError() complains of, where the text is none.
std::vector<store::HostPort> hostsOr(
    std::variant<std::vector<store::HostPort>, store::UrlError> read, const std::string& text)
{
    auto* const hosts = std::get_if<std::vector<store::HostPort>>(&read);
    return hosts != nullptr ? std::move(*hosts) : std::vector<store::HostPort>{{text, 1}};
}

/// One behind the other, with room between them.
QString listOf(const std::vector<store::HostPort>& hosts)
{
    return models::toQString(store::hostsText(hosts)).replace(u","_s, u", "_s);
}

Endpoint::Transport transportOf(Way way)
{
    switch (way) {
    case Way::Tcp:
    case Way::Sentinels:
    case Way::Cluster: return Endpoint::Transport::Tcp;
    case Way::Tls:
    case Way::SentinelsWithTls:
    case Way::ClusterWithTls: return Endpoint::Transport::Tls;
    case Way::UnixSocket: break;
    }
    return Endpoint::Transport::UnixSocket;
}

const Endpoint* knownAmong(const std::vector<Endpoint>& servers, const Endpoint& wanted)
{
    const auto found = std::find_if(servers.begin(), servers.end(), [&wanted](const Endpoint& e) {
        return store::isSameServer(e, wanted);
    });
    return found != servers.end() ? &*found : nullptr;
}

} // namespace

EndpointForm::EndpointForm(QWidget* parent) : QWidget(parent)
{
    createFields();
    createTlsFields();
    createSentinelFields();
    createLayout();
    connectFields();
    setEndpoint(Endpoint());
    m_isFilledIn = false;
}

void EndpointForm::createFields()
{
    m_url = new QLineEdit(this);
    m_url->setObjectName(u"urlEdit"_s);
    m_url->setFont(monospacedFont());
    m_url->setPlaceholderText(u"redis://user@host:6379/0"_s);
    m_url->setAccessibleName(tr("URL"));
    m_error = createWrappedText(u"urlError"_s, this);
    m_transport = new QComboBox(this);
    m_transport->setObjectName(u"transportCombo"_s);
    m_transport->addItem(tr("TCP"), static_cast<int>(Way::Tcp));
    m_transport->addItem(tr("TCP with TLS"), static_cast<int>(Way::Tls));
    m_transport->addItem(tr("Unix socket"), static_cast<int>(Way::UnixSocket));
    m_transport->addItem(tr("Sentinel"), static_cast<int>(Way::Sentinels));
    m_transport->addItem(tr("Sentinel with TLS"), static_cast<int>(Way::SentinelsWithTls));
    m_transport->addItem(tr("Cluster"), static_cast<int>(Way::Cluster));
    m_transport->addItem(tr("Cluster with TLS"), static_cast<int>(Way::ClusterWithTls));
    m_host = new QLineEdit(this);
    m_host->setObjectName(u"hostEdit"_s);
    m_port = new QSpinBox(this);
    m_port->setObjectName(u"portSpin"_s);
    m_port->setRange(1, 65535);
    m_port->setButtonSymbols(QSpinBox::NoButtons);
    m_socket = new QLineEdit(this);
    m_socket->setObjectName(u"socketEdit"_s);
    m_socket->setPlaceholderText(u"/run/redis/redis.sock"_s);
    m_ssh = new QLineEdit(this);
    m_ssh->setObjectName(u"sshEdit"_s);
    m_ssh->setPlaceholderText(tr("optional: user@host from which the server is reached"));
    m_user = new QLineEdit(this);
    m_user->setObjectName(u"userEdit"_s);
    m_user->setPlaceholderText(tr("default user"));
    m_password = new QLineEdit(this);
    m_password->setObjectName(u"passwordEdit"_s);
    m_password->setEchoMode(QLineEdit::Password);
    m_password->setPlaceholderText(tr("asked each time, unless the keyring keeps it"));
    m_keep = new QCheckBox(this);
    m_keep->setObjectName(u"keepPasswordCheck"_s);
    m_note = createQuietLabel({}, this);
    m_note->setObjectName(u"passwordNote"_s);
    m_note->setWordWrap(true);
    m_note->setVisible(false);
    m_database = new QSpinBox(this);
    m_database->setObjectName(u"databaseSpin"_s);
    m_database->setRange(0, 99999);
    m_database->setButtonSymbols(QSpinBox::NoButtons);
    m_environment = new QComboBox(this);
    m_environment->setObjectName(u"environmentCombo"_s);
    m_environment->setEditable(true);
    m_environment->lineEdit()->setPlaceholderText(tr("optional; production is marked in red"));
    m_environment->addItems({QString(), u"production"_s, u"staging"_s, u"development"_s});
    m_readOnly = new QCheckBox(tr("Read-only: locks cannot be released"), this);
    m_readOnly->setObjectName(u"readOnlyCheck"_s);
}

void EndpointForm::createTlsFields()
{
    const auto create = [this](const QString& name, const QString& placeholder) {
        auto* field = new QLineEdit(this);
        field->setObjectName(name);
        field->setPlaceholderText(placeholder);
        return field;
    };
    m_ca = create(u"caEdit"_s, tr("CA file; leave empty to use the system's"));
    m_certificate = create(u"certificateEdit"_s,
                           tr("file, if the server requires a client certificate"));
    m_key = create(u"keyEdit"_s, tr("file; leave empty if the certificate file contains it"));
    m_passphrase = create(u"passphraseEdit"_s, tr("if the private key is encrypted"));
    m_passphrase->setEchoMode(QLineEdit::Password);
    m_serverName = create(u"serverNameEdit"_s,
                          tr("name in the server's certificate, if not the host"));
}

void EndpointForm::createSentinelFields()
{
    const auto create = [this](const QString& name, const QString& placeholder) {
        auto* field = new QLineEdit(this);
        field->setObjectName(name);
        field->setPlaceholderText(placeholder);
        return field;
    };
    m_sentinels = create(u"sentinelsEdit"_s, u"10.0.0.1:26379, 10.0.0.2:26379"_s);
    m_masterName = create(u"masterNameEdit"_s, tr("name of the master, such as mymaster"));
    m_sentinelUser = create(u"sentinelUserEdit"_s, tr("default user"));
    m_sentinelPassword = create(u"sentinelPasswordEdit"_s,
                                tr("if the Sentinels themselves require one"));
    m_sentinelPassword->setEchoMode(QLineEdit::Password);
    m_nodes = create(u"nodesEdit"_s, tr("some of the nodes: 10.0.0.1:6379, 10.0.0.2:6379"));
}

void EndpointForm::addRow(QGridLayout& grid, const QString& label, QWidget* field)
{
    const int row = grid.rowCount();
    QLabel* text = createQuietLabel(label, this);
    text->setBuddy(field);
    field->setAccessibleName(label);
    grid.addWidget(text, row, 0);
    grid.addWidget(field, row, 1);
}

void EndpointForm::createLayout()
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    addRow(*grid, tr("URL"), m_url);
    grid->addWidget(m_error, grid->rowCount(), 1);
    addRow(*grid, tr("Transport"), m_transport);
    addRow(*grid, tr("Host"), m_host);
    addRow(*grid, tr("Port"), m_port);
    addRow(*grid, tr("Socket"), m_socket);
    addRow(*grid, tr("Nodes"), m_nodes);
    addRow(*grid, tr("Sentinels"), m_sentinels);
    addRow(*grid, tr("Master name"), m_masterName);
    addRow(*grid, tr("Sentinel user"), m_sentinelUser);
    addRow(*grid, tr("Sentinel password"), m_sentinelPassword);
    addRow(*grid, tr("CA certificates"), m_ca);
    addRow(*grid, tr("Certificate"), m_certificate);
    addRow(*grid, tr("Private key"), m_key);
    addRow(*grid, tr("Key passphrase"), m_passphrase);
    addRow(*grid, tr("Server name"), m_serverName);
    addRow(*grid, tr("SSH host"), m_ssh);
    addRow(*grid, tr("User"), m_user);
    addRow(*grid, tr("Password"), m_password);
    grid->addWidget(m_keep, grid->rowCount(), 1);
    grid->addWidget(m_note, grid->rowCount(), 1);
    addRow(*grid, tr("Database"), m_database);
    addRow(*grid, tr("Environment"), m_environment);
    grid->addWidget(m_readOnly, grid->rowCount(), 1);
    const int narrow = fontMetrics().averageCharWidth() * 14;
    m_port->setMaximumWidth(narrow);
    m_database->setMaximumWidth(narrow);
    orderKeyboard(*grid);
}

/// Tab goes through the fields as they are laid out, and not as they were created.
void EndpointForm::orderKeyboard(const QGridLayout& grid)
{
    QWidget* former = m_url;
    for (int row = 0; row < grid.rowCount(); ++row) {
        const QLayoutItem* const item = grid.itemAtPosition(row, 1);
        QWidget* const field = item != nullptr ? item->widget() : nullptr;
        if (field != nullptr && field != former && field->focusPolicy() != Qt::NoFocus) {
            setTabOrder(former, field);
            former = field;
        }
    }
}

void EndpointForm::connectFields()
{
    connect(m_url, &QLineEdit::textEdited, this, &EndpointForm::takeUrl);
    connect(m_url, &QLineEdit::editingFinished, this, &EndpointForm::tidyUrl);
    for (QLineEdit* field :
         {m_host, m_socket, m_user, m_ca, m_certificate, m_key, m_passphrase, m_serverName,
          m_sentinels, m_masterName, m_sentinelUser, m_sentinelPassword, m_nodes, m_ssh}) {
        connect(field, &QLineEdit::textEdited, this, &EndpointForm::takeFields);
    }
    connect(m_password, &QLineEdit::textEdited, this, &EndpointForm::takePassword);
    connect(m_port, &QSpinBox::valueChanged, this, &EndpointForm::takeFields);
    connect(m_database, &QSpinBox::valueChanged, this, &EndpointForm::takeFields);
    connect(m_transport, &QComboBox::currentIndexChanged, this, &EndpointForm::takeFields);
    connect(m_environment, &QComboBox::currentTextChanged, this, &EndpointForm::takeLabels);
    connect(m_readOnly, &QCheckBox::toggled, this, &EndpointForm::takeLabels);
}

void EndpointForm::setEndpoint(const Endpoint& endpoint)
{
    m_server = endpoint;
    showFields(endpoint);
    showLabels(endpoint);
    showNote({});
    m_url->setText(models::toQString(store::toUrl(endpoint)));
    showError({});
}

void EndpointForm::setKnownServers(std::vector<Endpoint> servers)
{
    m_known = std::move(servers);
}

std::optional<Endpoint> EndpointForm::endpoint() const
{
    if (!errorText().isEmpty()) {
        return std::nullopt;
    }
    return endpointOfFields();
}

QString EndpointForm::errorText() const
{
    return m_error->text();
}

bool EndpointForm::keepsPassword() const
{
    return m_keep->isChecked();
}

void EndpointForm::setKeepsPassword(bool keepsPassword)
{
    m_keep->setChecked(keepsPassword);
}

void EndpointForm::fillInSecrets(const Endpoint& kept)
{
    if (m_password->text().isEmpty()) {
        m_password->setText(models::toQString(kept.password));
        takePassword();
    }
    if (m_passphrase->text().isEmpty()) {
        m_passphrase->setText(models::toQString(kept.keyPassphrase));
    }
    if (m_sentinelPassword->text().isEmpty()) {
        m_sentinelPassword->setText(models::toQString(kept.sentinelPassword));
    }
}

void EndpointForm::focusUrl()
{
    m_url->setFocus();
    m_url->selectAll();
}

void EndpointForm::takeUrl()
{
    auto parsed = store::parseEndpoint(m_url->text().trimmed().toStdString());
    if (const auto* error = std::get_if<store::UrlError>(&parsed)) {
        showError(models::toQString(error->reason));
    } else {
        auto& endpoint = std::get<Endpoint>(parsed);
        if (!store::isSameServer(endpoint, m_server)) {
            turnTo(endpoint);
        } else {
            endpoint.sentinelPassword = m_sentinelPassword->text().toStdString();
            if (endpoint.password.empty()) {
                endpoint.password = m_password->text().toStdString(); // the URL does not speak of
                                                                      // it
            }
        }
        endpoint.keyPassphrase = m_passphrase->text().toStdString(); // of a file, not of a server
        showFields(endpoint);
        showError({});
    }
    Q_EMIT changed();
}

void EndpointForm::tidyUrl()
{
    if (errorText().isEmpty()) {
        m_url->setText(models::toQString(store::toUrl(endpointOfFields())));
    }
}

void EndpointForm::takeFields()
{
    if (m_isSyncing) {
        return;
    }
    refreshTransport();
    if (Endpoint endpoint = endpointOfFields(); !store::isSameServer(endpoint, m_server)) {
        endpoint.user.clear();
        endpoint.password.clear();
        endpoint.sentinelPassword.clear();
        turnTo(endpoint);
        m_user->setText(models::toQString(endpoint.user));
        m_password->setText(models::toQString(endpoint.password));
        m_sentinelPassword->setText(models::toQString(endpoint.sentinelPassword));
    }
    m_url->setText(models::toQString(store::toUrl(endpointOfFields())));
    showError(fieldError());
    Q_EMIT changed();
}

void EndpointForm::takePassword()
{
    showNote({});
    takeFields();
}

void EndpointForm::takeLabels()
{
    if (!m_isSyncing) {
        m_areLabelsOwn = true;
        Q_EMIT changed();
    }
}

/// The form is about `server` from now on, and fills in what belongs to it. Labels that the user
/// chose while no server had brought any were meant for the one that is being typed, so they stay.
void EndpointForm::turnTo(Endpoint& server)
{
    rememberLeft();
    const Endpoint* known = knownAmong(m_left, server);
    known = known != nullptr ? known : knownAmong(m_known, server);
    if (server.password.empty() && known != nullptr && !known->password.empty()) {
        server.password = known->password;
        server.user = server.user.empty() ? known->user : server.user;
    }
    if (known != nullptr) {
        server.sentinelPassword = known->sentinelPassword;
    }
    if (!server.password.empty()) {
        showNote({});
    } else if (!m_password->text().isEmpty()) {
        showNote(tr("The password was entered for %1 and was not sent to the other server.")
                     .arg(models::toQString(store::serverName(m_server))));
    }
    m_server = server;
    if (m_areLabelsOwn && !m_isFilledIn) {
        return;
    }
    showLabels(known != nullptr ? *known : Endpoint());
    m_isFilledIn = known != nullptr;
}

void EndpointForm::rememberLeft()
{
    Endpoint left = endpointOfFields();
    left.transport = m_server.transport; // the fields may have the next address already
    left.host = m_server.host;
    left.port = m_server.port;
    left.socketPath = m_server.socketPath;
    left.sentinels = m_server.sentinels;
    left.clusterSeeds = m_server.clusterSeeds;
    left.sshHost = m_server.sshHost;
    std::erase_if(m_left, [&left](const Endpoint& e) { return store::isSameServer(e, left); });
    if (!left.password.empty() || !left.sentinelPassword.empty()) {
        m_left.push_back(std::move(left));
    }
}

void EndpointForm::showLabels(const Endpoint& endpoint)
{
    const bool wasSyncing = std::exchange(m_isSyncing, true);
    m_environment->setCurrentText(models::toQString(endpoint.environment));
    m_readOnly->setChecked(endpoint.isReadOnly);
    m_isSyncing = wasSyncing;
    m_isFilledIn = true;
    m_areLabelsOwn = false;
}

void EndpointForm::showNote(const QString& note)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

QString EndpointForm::fieldError() const
{
    const std::string sshHost = m_ssh->text().trimmed().toStdString();
    if (const std::string complaint = store::complaintAboutSshHost(sshHost);
        !m_ssh->isHidden() && !sshHost.empty() && !complaint.empty()) {
        return models::toQString(complaint);
    }
    if (namesSentinels(wayIn(*m_transport))) {
        const auto sentinels = store::parseSentinels(m_sentinels->text().toStdString());
        const auto* const error = std::get_if<store::UrlError>(&sentinels);
        return error != nullptr                 ? models::toQString(error->reason)
               : m_masterName->text().isEmpty() ? tr("Enter the name of the master.")
                                                : QString();
    }
    if (namesNodes(wayIn(*m_transport))) {
        const auto nodes = store::parseClusterSeeds(m_nodes->text().toStdString());
        const auto* const error = std::get_if<store::UrlError>(&nodes);
        return error != nullptr ? models::toQString(error->reason) : QString();
    }
    const bool isSocket = !m_socket->isHidden();
    if (isSocket && m_socket->text().isEmpty()) {
        return tr("Enter the path of the socket.");
    }
    if (!isSocket && m_host->text().trimmed().isEmpty()) {
        return tr("Enter a host.");
    }
    return {};
}

Endpoint EndpointForm::endpointOfFields() const
{
    Endpoint endpoint;
    endpoint.transport = transportOf(wayIn(*m_transport));
    takeSentinelFields(endpoint);
    if (namesNodes(wayIn(*m_transport))) {
        const std::string text = m_nodes->text().toStdString();
        endpoint.clusterSeeds = hostsOr(store::parseClusterSeeds(text), text);
    } else if (!endpoint.hasSentinels()) {
        endpoint.host = m_host->text().trimmed().toStdString();
        endpoint.port = static_cast<std::uint16_t>(m_port->value());
    }
    endpoint.socketPath = m_socket->text().toStdString();
    if (endpoint.transport != Endpoint::Transport::UnixSocket) {
        endpoint.sshHost = m_ssh->text().trimmed().toStdString();
    }
    endpoint.user = m_user->text().toStdString();
    endpoint.password = m_password->text().toStdString();
    if (endpoint.transport == Endpoint::Transport::Tls) {
        endpoint.tls = {m_ca->text().toStdString(), m_certificate->text().toStdString(),
                        m_key->text().toStdString(), m_serverName->text().trimmed().toStdString()};
        endpoint.keyPassphrase = m_passphrase->text().toStdString();
    }
    endpoint.database = m_database->value();
    endpoint.environment = m_environment->currentText().trimmed().toStdString();
    endpoint.isReadOnly = m_readOnly->isChecked();
    return endpoint;
}

void EndpointForm::takeSentinelFields(Endpoint& endpoint) const
{
    if (!namesSentinels(wayIn(*m_transport))) {
        return;
    }
    const std::string text = m_sentinels->text().toStdString();
    endpoint.sentinels.hosts = hostsOr(store::parseSentinels(text), text);
    endpoint.sentinels.masterName = m_masterName->text().toStdString();
    endpoint.sentinels.user = m_sentinelUser->text().toStdString();
    endpoint.sentinelPassword = m_sentinelPassword->text().toStdString();
}

void EndpointForm::showFields(const Endpoint& endpoint)
{
    const bool wasSyncing = std::exchange(m_isSyncing, true);
    m_transport->setCurrentIndex(m_transport->findData(static_cast<int>(wayOf(endpoint))));
    m_host->setText(models::toQString(endpoint.host));
    m_port->setValue(endpoint.port);
    m_socket->setText(models::toQString(endpoint.socketPath));
    m_ssh->setText(models::toQString(endpoint.sshHost));
    m_user->setText(models::toQString(endpoint.user));
    m_password->setText(models::toQString(endpoint.password));
    m_database->setValue(endpoint.database);
    m_ca->setText(models::toQString(endpoint.tls.caFile));
    m_certificate->setText(models::toQString(endpoint.tls.certificateFile));
    m_key->setText(models::toQString(endpoint.tls.keyFile));
    m_passphrase->setText(models::toQString(endpoint.keyPassphrase));
    m_serverName->setText(models::toQString(endpoint.tls.serverName));
    m_sentinels->setText(listOf(endpoint.sentinels.hosts));
    m_nodes->setText(listOf(endpoint.clusterSeeds));
    m_masterName->setText(models::toQString(endpoint.sentinels.masterName));
    m_sentinelUser->setText(models::toQString(endpoint.sentinels.user));
    m_sentinelPassword->setText(models::toQString(endpoint.sentinelPassword));
    refreshTransport();
    m_isSyncing = wasSyncing;
}

void EndpointForm::refreshTransport()
{
    const Endpoint::Transport transport = transportOf(wayIn(*m_transport));
    const bool isSocket = transport == Endpoint::Transport::UnixSocket;
    const bool isBySentinels = namesSentinels(wayIn(*m_transport));
    const auto setRowVisible = [this](QWidget* field, bool isVisible) {
        field->setVisible(isVisible);
        for (QLabel* label : findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (label->buddy() == field) {
                label->setVisible(isVisible);
            }
        }
    };
    const bool isCluster = namesNodes(wayIn(*m_transport));
    setRowVisible(m_host, !isSocket && !isBySentinels && !isCluster);
    setRowVisible(m_port, !isSocket && !isBySentinels && !isCluster);
    setRowVisible(m_nodes, isCluster);
    for (QLineEdit* field : {m_sentinels, m_masterName, m_sentinelUser, m_sentinelPassword}) {
        setRowVisible(field, isBySentinels);
    }
    setRowVisible(m_socket, isSocket);
    setRowVisible(m_ssh, !isSocket);
    const bool isTls = transport == Endpoint::Transport::Tls;
    for (QLineEdit* field : {m_ca, m_certificate, m_key, m_passphrase, m_serverName}) {
        setRowVisible(field, isTls);
    }
    m_keep->setText(isTls ? tr("Keep password and passphrase in the keyring of this desktop")
                          : tr("Keep the password in the keyring of this desktop"));
}

void EndpointForm::showError(const QString& error)
{
    showRemark(*m_error, error, 2);
    markError(*m_url, !error.isEmpty());
}

} // namespace lockscope::widgets
