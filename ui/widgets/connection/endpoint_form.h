#pragma once

#include "core/kernel/store/endpoint.h"

#include <QWidget>

#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace lockscope::widgets {

/// One server, as a URL and as fields; what is changed in one shows in the other. A password in the
/// URL moves to its field, where it cannot be read over a shoulder.
///
/// User, password, environment and read-only belong to the server that they were entered for: they
/// go when the address becomes another one, and come back with it.
class EndpointForm : public QWidget {
    Q_OBJECT
public:
    explicit EndpointForm(QWidget* parent = nullptr);

    void setEndpoint(const store::Endpoint& endpoint);
    /// Servers whose environment and read-only are remembered: they come back with the address.
    void setKnownServers(std::vector<store::Endpoint> servers);
    /// nullopt while the URL cannot be read.
    std::optional<store::Endpoint> endpoint() const;

    /// Why the URL cannot be read; empty when it can.
    QString errorText() const;

    /// Whether the keyring is to have the password, and the passphrase of the key.
    bool keepsPassword() const;
    void setKeepsPassword(bool keepsPassword);
    /// Those that were kept for the server that is shown. What was typed meanwhile stays.
    void fillInSecrets(const store::Endpoint& kept);

    void focusUrl();

Q_SIGNALS:
    void changed();

private:
    void createFields();
    void createTlsFields();
    void createSentinelFields();
    void createLayout();
    void orderKeyboard(const QGridLayout& grid);
    void connectFields();
    void addRow(QGridLayout& grid, const QString& label, QWidget* field);

    void takeUrl();
    void takeFields();
    void takePassword();
    void takeLabels();
    void turnTo(store::Endpoint& server);
    void rememberLeft();
    void showLabels(const store::Endpoint& endpoint);
    void showNote(const QString& note);
    void tidyUrl();
    store::Endpoint endpointOfFields() const;
    void takeSentinelFields(store::Endpoint& endpoint) const;
    void showFields(const store::Endpoint& endpoint);
    void showError(const QString& error);
    /// What is missing in the fields; empty when nothing is.
    QString fieldError() const;
    void refreshTransport();

    bool m_isSyncing = false;             // one side is being filled from the other
    store::Endpoint m_server;             // the one that credentials and labels belong to
    bool m_isFilledIn = false;            // the labels came with the server, not from the user
    bool m_areLabelsOwn = false;          // the user chose them since
    std::vector<store::Endpoint> m_left;  // what was entered here for other servers
    std::vector<store::Endpoint> m_known; // from earlier, without passwords
    QLineEdit* m_url = nullptr;
    QLabel* m_error = nullptr;
    QComboBox* m_transport = nullptr;
    QLineEdit* m_host = nullptr;
    QSpinBox* m_port = nullptr;
    QLineEdit* m_socket = nullptr;
    QLineEdit* m_user = nullptr;
    QLineEdit* m_password = nullptr;
    QCheckBox* m_keep = nullptr;
    QLabel* m_note = nullptr;
    QSpinBox* m_database = nullptr;
    QComboBox* m_environment = nullptr;
    QCheckBox* m_readOnly = nullptr;
    QLineEdit* m_ca = nullptr;
    QLineEdit* m_certificate = nullptr;
    QLineEdit* m_key = nullptr;
    QLineEdit* m_passphrase = nullptr;
    QLineEdit* m_serverName = nullptr;
    QLineEdit* m_ssh = nullptr;
    QLineEdit* m_nodes = nullptr;
    QLineEdit* m_sentinels = nullptr;
    QLineEdit* m_masterName = nullptr;
    QLineEdit* m_sentinelUser = nullptr;
    QLineEdit* m_sentinelPassword = nullptr;
};

} // namespace lockscope::widgets
