#pragma once

#include "core/kernel/store/endpoint.h"
#include "core/service/connection_tester.h"
#include "ui/widgets/connection/password_keeper.h"

#include <QDialog>

#include <vector>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace lockscope::widgets {

class EndpointForm;
class Prompter;
class ServerTree;

/// Where to connect: one server, or several, separate or as one Redlock set, typed or from the
/// profiles. Tries the connection on request and shows the server's own words when it fails.
class ConnectionDialog : public QDialog {
    Q_OBJECT
public:
    /// All of it outlives the dialog, which changes the profiles in the settings.
    struct Parts {
        service::ConnectionTester& tester;
        PasswordKeeper& passwords;
        Settings& settings;
        Prompter& prompter;
    };

    explicit ConnectionDialog(Parts parts, QWidget* parent = nullptr);

    /// Starts from a connection there is.
    void setEndpoints(const std::vector<store::Endpoint>& endpoints);

    /// Beside *Connect* there is a way to leave what is watched now for it.
    void offerInstead(bool isOffered);
    /// Whether the user went that way.
    bool isInstead() const { return m_isInstead; }

    /// All servers of the set, the one of the form first; empty while something cannot be read.
    std::vector<store::Endpoint> endpoints() const;
    /// What becomes of the password in the keyring.
    PasswordKeeper::Wish passwordWish() const;

Q_SIGNALS:
    void connectRequested(const std::vector<lockscope::store::Endpoint>& endpoints);

private:
    QWidget* createSide();
    QWidget* createServer();
    QWidget* createGrouping(QWidget& fields);
    QWidget* createFoot();
    void createTest(QVBoxLayout& layout);
    void createButtons(QVBoxLayout& layout);

    void choose(const ServerProfile& server);
    void saveProfile();
    void leaveFilledInSet();
    void refresh();
    void test();
    void showResult(const service::TestResult& result);
    void showSentence(const QString& sentence, int severity);
    void accept() override;

    Parts m_parts;
    ServerProfile m_chosen;                  // what the form was filled in from
    std::vector<store::Endpoint> m_own;      // with the credentials that setEndpoints() brought
    std::vector<store::Endpoint> m_filledIn; // as setEndpoints() left the form; empty when edited
    bool m_isTesting = false;
    store::Endpoint m_tested;
    bool m_isInstead = false;
    ServerTree* m_tree = nullptr;
    EndpointForm* m_form = nullptr;
    QPlainTextEdit* m_also = nullptr;
    QLabel* m_alsoNote = nullptr;
    QLabel* m_alsoError = nullptr;
    QWidget* m_groupingRow = nullptr; // for several servers
    QComboBox* m_grouping = nullptr;
    QPushButton* m_test = nullptr;
    QLabel* m_result = nullptr;
    QLabel* m_limits = nullptr;
    QPushButton* m_save = nullptr;
    QPushButton* m_instead = nullptr;
    QPushButton* m_connect = nullptr;
};

/// What a successful test tells, in one line: "Redis 7.0.15 · master · 1,000,412 keys · 0.4 ms".
QString testSummary(const service::TestResult& result);

} // namespace lockscope::widgets
