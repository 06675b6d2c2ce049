#include "ui/widgets/connection/profile_dialog.h"

#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/strip.h"
#include "ui/widgets/style/flat_style.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

ProfileDialog::ProfileDialog(const ServerProfile& profile, const QList<ServerProfile>& profiles,
                             QWidget* parent)
    : QDialog(parent),
      m_profile(profile),
      m_profiles(profiles)
{
    setObjectName(u"profileDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Save as a profile"));
    auto* const fields = new QFormLayout;
    createName(*fields);
    createFolder(*fields);
    m_note = createQuietLabel({}, this);
    m_note->setObjectName(u"profileNote"_s);
    m_save = createButton(u"saveProfileButton"_s, tr("Save"), this);
    m_save->setDefault(true);
    setEmphasis(m_save, Emphasis::Primary);
    auto* const cancel = createButton(u"cancelProfileButton"_s, tr("Cancel"), this);
    createColumn(this, {20, 18, 20, 16}, 10,
                 {fields, m_note, createRow(kUsualSpacing, {room(), cancel, m_save})});
    connect(m_save, &QPushButton::clicked, this, &QDialog::accept);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    refresh();
}

void ProfileDialog::createName(QFormLayout& fields)
{
    m_name = new QLineEdit(m_profile.name, this);
    m_name->setObjectName(u"profileName"_s);
    m_name->setMinimumWidth(fontMetrics().averageCharWidth() * 40);
    fields.addRow(tr("Name"), m_name);
    connect(m_name, &QLineEdit::textChanged, this, &ProfileDialog::refresh);
}

void ProfileDialog::createFolder(QFormLayout& fields)
{
    QStringList folders{QString()};
    for (const ServerProfile& one : m_profiles) {
        folders += one.folder;
    }
    folders.removeDuplicates();
    folders.sort();
    m_folder = new QComboBox(this);
    m_folder->setObjectName(u"profileFolder"_s);
    m_folder->setEditable(true);
    m_folder->lineEdit()->setPlaceholderText(tr("optional"));
    m_folder->addItems(folders);
    m_folder->setCurrentText(m_profile.folder);
    fields.addRow(tr("Folder"), m_folder);
    connect(m_folder, &QComboBox::currentTextChanged, this, &ProfileDialog::refresh);
}

ServerProfile ProfileDialog::profile() const
{
    ServerProfile profile = m_profile;
    profile.name = m_name->text().trimmed();
    profile.folder = m_folder->currentText().trimmed();
    return profile;
}

void ProfileDialog::refresh()
{
    const ServerProfile wanted = profile();
    const bool isTaken = std::ranges::any_of(m_profiles, [&wanted](const ServerProfile& one) {
        return one.name == wanted.name && one.folder == wanted.folder;
    });
    m_note->setText(isTaken ? tr("The profile of this name is replaced.")
                            : tr("The password is not part of the profile."));
    m_save->setEnabled(!wanted.name.isEmpty());
}

} // namespace lockscope::widgets
