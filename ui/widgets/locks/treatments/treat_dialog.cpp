#include "ui/widgets/locks/treatments/treat_dialog.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/formats/own_formats.h"
#include "core/kernel/inspect/lock_names.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/style/theme.h"

#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kNotALockIndex = 0;
constexpr int kMostVisible = 16;

/// "ShedLock", "Redisson semaphore (redisson-semaphore)": the id only where it says more.
QString nameOf(const inspect::Decoder& decoder)
{
    const QString title = models::toQString(KernelText::lookUp(decoder.title));
    const QString id = models::toQString(decoder.id);
    return title.compare(id, Qt::CaseInsensitive) == 0 ? title : u"%1 (%2)"_s.arg(title, id);
}

} // namespace

TreatDialog::TreatDialog(const inspect::LockRecord& lock, const inspect::FormatTable& formats,
                         Proposal proposal, QWidget* parent)
    : QDialog(parent),
      m_key(lock.id.name)
{
    setObjectName(u"treatDialog"_s);
    setWindowTitle(tr("Treat as"));
    setAttribute(Qt::WA_DeleteOnClose);
    createFields();
    addFormats(formats, lock);
    m_format->setCurrentIndex(proposal == Proposal::NotALock
                                  ? kNotALockIndex
                                  : m_format->findData(models::toQString(lock.format())));
    layOut();
    connect(m_names, &QLineEdit::textChanged, this, &TreatDialog::refresh);
    connect(m_format, &QComboBox::editTextChanged, this, &TreatDialog::refresh);
    setMinimumWidth(fontMetrics().averageCharWidth() * 64);
    refresh();
}

void TreatDialog::createFields()
{
    m_names = new QLineEdit(models::toQString(inspect::namesLike(m_key)), this);
    m_names->setObjectName(u"treatedNames"_s);
    m_names->setFont(monospacedFont());
    m_names->setToolTip(tr("A Redis pattern: * matches any text, ? one character, [a-z] one of "
                           "these."));
    m_format = new QComboBox(this);
    m_format->setObjectName(u"treatedFormat"_s);
    // Of a hundred formats, one is found by typing a part of its name.
    m_format->setEditable(true);
    m_format->setInsertPolicy(QComboBox::NoInsert);
    m_format->setMaxVisibleItems(kMostVisible);
    m_format->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_format->completer()->setFilterMode(Qt::MatchContains);
    m_format->completer()->setMaxVisibleItems(kMostVisible);
    m_effect = createQuietLabel({}, this);
    m_effect->setWordWrap(true);
}

QDialogButtonBox* TreatDialog::createButtons()
{
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_choose = buttons->addButton(tr("Treat"), QDialogButtonBox::AcceptRole);
    m_choose->setObjectName(u"treat"_s);
    m_choose->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT chosen(treatment());
        accept();
    });
    return buttons;
}

void TreatDialog::layOut()
{
    auto* intro = new QLabel(tr("Decide what these keys are, whatever they look like. Lockscope "
                                "and lockscope-cli remember it; Lock › Treated names undoes it."),
                             this);
    intro->setWordWrap(true);
    auto* form = new QFormLayout;
    form->addRow(tr("&Keys"), m_names);
    form->addRow(tr("Treat &as"), m_format);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addWidget(intro);
    layout->addLayout(form);
    layout->addWidget(m_effect);
    layout->addWidget(createButtons());
}

inspect::Treatment TreatDialog::treatment() const
{
    return {m_names->text().toStdString(),
            m_format->itemData(chosenFormat()).toString().toStdString()};
}

int TreatDialog::chosenFormat() const
{
    return m_format->findText(m_format->currentText(), Qt::MatchFixedString);
}

void TreatDialog::addFormats(const inspect::FormatTable& formats, const inspect::LockRecord& lock)
{
    std::vector<std::pair<QString, QString>> names;
    for (const inspect::Decoder& decoder : formats.decoders()) {
        if (inspect::isTreatable(decoder) || decoder.id == lock.format()) {
            names.emplace_back(nameOf(decoder), models::toQString(decoder.id));
        }
    }
    std::ranges::sort(names, [](const auto& a, const auto& b) {
        return a.first.compare(b.first, Qt::CaseInsensitive) < 0;
    });
    m_format->addItem(tr("not a lock"), QString());
    m_format->insertSeparator(kNotALockIndex + 1);
    for (const auto& [name, id] : names) {
        m_format->addItem(name, id);
    }
}

void TreatDialog::refresh()
{
    const inspect::Treatment treatment = this->treatment();
    const bool isMatch = inspect::matchesGlob(treatment.names, m_key);
    const bool isFormat = chosenFormat() >= 0;
    m_choose->setEnabled(isMatch && isFormat);
    if (!isFormat) {
        m_effect->setText(tr("There is no such format."));
    } else if (!isMatch) {
        m_effect->setText(tr("This pattern does not match %1.").arg(models::bytesText(m_key)));
    } else if (treatment.isNoLock()) {
        m_effect->setText(tr("They disappear from the table and are not read any more."));
    } else {
        m_effect->setText(tr("They are read as this format. Where the value does not fit it, "
                             "the other formats decide."));
    }
}

} // namespace lockscope::widgets
