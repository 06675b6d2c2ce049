#pragma once

#include "ui/widgets/shell/settings.h"

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lockscope::widgets {

/// Asks for the name and the folder under which a server is kept.
class ProfileDialog : public QDialog {
    Q_OBJECT
public:
    /// `profile`: what is kept; its name and folder are proposed. `profiles`: those there are.
    ProfileDialog(const ServerProfile& profile, const QList<ServerProfile>& profiles,
                  QWidget* parent = nullptr);

    ServerProfile profile() const;

private:
    void createName(QFormLayout& fields);
    void createFolder(QFormLayout& fields);
    void refresh();

    ServerProfile m_profile;
    QList<ServerProfile> m_profiles;
    QLineEdit* m_name = nullptr;
    QComboBox* m_folder = nullptr;
    QLabel* m_note = nullptr;
    QPushButton* m_save = nullptr;
};

} // namespace lockscope::widgets
