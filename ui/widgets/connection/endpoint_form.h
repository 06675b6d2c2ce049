#pragma once

#include "store/endpoint.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace lockscope::widgets {

/// One server, as a URL and as fields; what is changed in one shows in the other. A password in the
/// URL moves to its field, where it cannot be read over a shoulder.
class EndpointForm : public QWidget {
    Q_OBJECT
public:
    explicit EndpointForm(QWidget* parent = nullptr);

    void setEndpoint(const store::Endpoint& endpoint);
    /// nullopt while the URL cannot be read.
    std::optional<store::Endpoint> endpoint() const;

    /// Why the URL cannot be read; empty when it can.
    QString errorText() const;

    void focusUrl();
    void focusPassword();

Q_SIGNALS:
    void changed();

private:
    void createFields();
    void createLayout();
    void connectFields();
    void addRow(QGridLayout& grid, const QString& label, QWidget* field);

    void takeUrl();
    void takeFields();
    void tidyUrl();
    store::Endpoint endpointOfFields() const;
    void showFields(const store::Endpoint& endpoint);
    void showError(const QString& error);
    /// What is missing in the fields; empty when nothing is.
    QString fieldError() const;
    void refreshTransport();

    bool m_isSyncing = false; // one side is being filled from the other
    QLineEdit* m_url = nullptr;
    QLabel* m_error = nullptr;
    QComboBox* m_transport = nullptr;
    QLineEdit* m_host = nullptr;
    QSpinBox* m_port = nullptr;
    QLineEdit* m_socket = nullptr;
    QLineEdit* m_user = nullptr;
    QLineEdit* m_password = nullptr;
    QSpinBox* m_database = nullptr;
    QComboBox* m_environment = nullptr;
    QCheckBox* m_readOnly = nullptr;
};

} // namespace lockscope::widgets
