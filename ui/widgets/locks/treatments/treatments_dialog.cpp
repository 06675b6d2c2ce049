#include "ui/widgets/locks/treatments/treatments_dialog.h"

#include "ui/models/formatting.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

TreatmentsDialog::TreatmentsDialog(std::vector<inspect::Treatment> treatments, QWidget* parent)
    : QDialog(parent),
      m_treatments(std::move(treatments))
{
    setObjectName(u"treatmentsDialog"_s);
    setWindowTitle(tr("Treated names"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_list = new QTreeWidget(this);
    m_list->setObjectName(u"treatmentList"_s);
    m_list->setHeaderLabels({tr("Keys"), tr("Treated as")});
    m_list->setRootIsDecorated(false);
    m_list->setColumnWidth(0, fontMetrics().averageCharWidth() * 44);
    for (const inspect::Treatment& treatment : m_treatments) {
        const QString format = treatment.isNoLock() ? tr("not a lock")
                                                    : models::toQString(treatment.format);
        new QTreeWidgetItem(m_list, {models::toQString(treatment.names), format});
    }
    auto* intro = new QLabel(m_treatments.empty()
                                 ? tr("No names have been reassigned.")
                                 : tr("The first pattern that matches a key counts. Remove one to "
                                      "let Lockscope judge by itself again."),
                             this);
    intro->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_remove = buttons->addButton(tr("Remove"), QDialogButtonBox::ActionRole);
    m_remove->setObjectName(u"removeTreatment"_s);
    m_remove->setEnabled(false);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(intro);
    layout->addWidget(m_list, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_remove, &QPushButton::clicked, this, &TreatmentsDialog::removeSelected);
    connect(m_list, &QTreeWidget::itemSelectionChanged, this,
            [this] { m_remove->setEnabled(!m_list->selectedItems().isEmpty()); });
    resize(fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 18);
}

void TreatmentsDialog::removeSelected()
{
    const QModelIndex index = m_list->currentIndex();
    if (index.isValid()) {
        m_treatments.erase(m_treatments.begin() + index.row());
        delete m_list->takeTopLevelItem(index.row());
        Q_EMIT treatmentsChanged(m_treatments);
    }
}

} // namespace lockscope::widgets
