#include "ui/widgets/shell/settings_dialog.h"

#include "ui/models/typed_values.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/style/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QUrl>
#include <QVBoxLayout>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

QFormLayout* createForm(QWidget* parent)
{
    auto* form = new QFormLayout(parent);
    form->setContentsMargins(14, 14, 14, 14);
    form->setVerticalSpacing(10);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    return form;
}

} // namespace

SettingsDialog::SettingsDialog(Settings& settings, const QList<SettingsTab>& tabs,
                               const QList<UsedPath>& paths, QWidget* parent)
    : QDialog(parent),
      m_settings(settings)
{
    setObjectName(u"settingsDialog"_s);
    setWindowTitle(tr("Settings"));
    auto* pages = new QTabWidget(this);
    pages->setObjectName(u"settingsTabs"_s);
    pages->addTab(createGeneral(), tr("General"));
    for (const SettingsTab& tab : tabs) {
        pages->addTab(tab.create(pages, [this] { Q_EMIT changed(); }), tab.title);
    }
    pages->addTab(createPaths(paths), tr("Files"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false); // Enter ends a field's edit
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    QLabel* const note = createQuietLabel(tr("Changes apply and are saved at once."), this);
    createColumn(this, {12, 12, 12, 12}, 10,
                 {growing(pages), createRow(kUsualSpacing, {growing(note), buttons})});
    resize(fontMetrics().averageCharWidth() * 104, fontMetrics().height() * 28);
}

QWidget* SettingsDialog::createGeneral()
{
    auto* page = new QWidget(this);
    QFormLayout* const form = createForm(page);
    for (const SettingInfo& info : settingList()) {
        QWidget* const control = createControl(info);
        control->setObjectName(info.key);
        QBoxLayout* const cell = createColumn(2, {control});
        if (!info.hint.isEmpty()) {
            QLabel* const hint = createQuietLabel(info.hint, page);
            hint->setWordWrap(true);
            cell->addWidget(hint);
        }
        auto* label = new QLabel(info.kind == SettingInfo::Kind::Switch ? QString() : info.label,
                                 page);
        label->setBuddy(control);
        form->addRow(label, cell);
    }
    return page;
}

QWidget* SettingsDialog::createControl(const SettingInfo& info)
{
    switch (info.kind) {
    case SettingInfo::Kind::Choice: return createChoice(info);
    case SettingInfo::Kind::Switch: return createSwitch(info);
    case SettingInfo::Kind::Words: break;
    }
    return createWords(info);
}

QWidget* SettingsDialog::createChoice(const SettingInfo& info)
{
    auto* box = new QComboBox(this);
    for (const SettingInfo::Option& option : info.options) {
        box->addItem(option.text, option.value);
    }
    box->setCurrentIndex(std::max(0, box->findData(info.read(m_settings))));
    connect(box, &QComboBox::activated, this,
            [this, info, box] { write(info, box->currentData()); });
    return box;
}

QWidget* SettingsDialog::createSwitch(const SettingInfo& info)
{
    auto* box = new QCheckBox(info.label, this);
    box->setChecked(info.read(m_settings).toBool());
    connect(box, &QCheckBox::toggled, this, [this, info](bool isOn) { write(info, isOn); });
    return box;
}

QWidget* SettingsDialog::createWords(const SettingInfo& info)
{
    auto* edit = new QLineEdit(info.read(m_settings).toStringList().join(u' '), this);
    edit->setFont(monospacedFont());
    connect(edit, &QLineEdit::editingFinished, this,
            [this, info, edit] { write(info, models::patternsOfLine(edit->text())); });
    return edit;
}

void SettingsDialog::write(const SettingInfo& info, const QVariant& value)
{
    if (info.read(m_settings) != value) {
        info.write(m_settings, value);
        Q_EMIT changed();
    }
}

QWidget* SettingsDialog::createPaths(const QList<UsedPath>& paths)
{
    auto* page = new QWidget(this);
    QFormLayout* const form = createForm(page);
    for (const UsedPath& used : paths) {
        auto* path = new QLineEdit(used.path, page);
        path->setReadOnly(true);
        path->setFont(monospacedFont());
        path->setAccessibleName(used.label);
        path->setCursorPosition(0);
        auto* open = new QPushButton(tr("Open folder"), page);
        const QFileInfo info(used.path);
        const QString folder = info.isDir() ? used.path : info.absolutePath();
        open->setEnabled(QFileInfo(folder).isDir());
        connect(open, &QPushButton::clicked, page,
                [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
        form->addRow(used.label, createRow(8, {growing(path), open}));
    }
    return page;
}

} // namespace lockscope::widgets
