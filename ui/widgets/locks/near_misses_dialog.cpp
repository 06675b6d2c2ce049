#include "ui/widgets/locks/near_misses_dialog.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/kernel_text.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/locks/watched_names.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

enum Column { KeyColumn, TypeColumn, WhyColumn };

} // namespace

NearMissesDialog::NearMissesDialog(const inspect::SweepFindings& findings, QWidget* parent)
    : QDialog(parent)
{
    setObjectName(u"nearMissesDialog"_s);
    setWindowTitle(tr("Keys not recognised as locks"));
    setAttribute(Qt::WA_DeleteOnClose);
    createList(findings);
    auto* intro = new QLabel(tr("These keys have names like locks, but their values name no "
                                "holder. Select the keys that are locks to watch them."),
                             this);
    intro->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_choose = buttons->addButton(tr("Treat as locks"), QDialogButtonBox::ActionRole);
    m_choose->setObjectName(u"takeForLocks"_s);
    m_choose->setEnabled(false);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(intro);
    layout->addWidget(m_list, 1);
    if (findings.nearMissCount() > findings.nearMisses().size()) {
        const auto listed = static_cast<qint64>(findings.nearMisses().size());
        const auto all = static_cast<qint64>(findings.nearMissCount());
        layout->addWidget(createQuietLabel(
            tr("The first %1 of %2.").arg(models::countText(listed), models::countText(all)),
            this));
    }
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_choose, &QPushButton::clicked, this, &NearMissesDialog::choose);
    connect(m_list, &QTreeWidget::itemSelectionChanged, this,
            [this] { m_choose->setEnabled(!m_list->selectedItems().isEmpty()); });
    resize(fontMetrics().averageCharWidth() * 110, fontMetrics().height() * 26);
}

void NearMissesDialog::createList(const inspect::SweepFindings& findings)
{
    m_list = new QTreeWidget(this);
    m_list->setObjectName(u"nearMissList"_s);
    m_list->setHeaderLabels({tr("Key"), tr("Type"), tr("Reason")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setTextElideMode(Qt::ElideMiddle);
    QList<QTreeWidgetItem*> items;
    for (const inspect::NearMiss& miss : findings.nearMisses()) {
        auto* item = new QTreeWidgetItem;
        const QString key = QString::fromStdString(escaped(miss.key));
        item->setText(KeyColumn, key);
        item->setToolTip(KeyColumn, key);
        item->setText(TypeColumn, models::toQString(inspect::nameOf(miss.type)));
        item->setText(WhyColumn, models::toQString(KernelText::lookUp(miss.why)));
        if (!isUtf8(miss.key)) {
            item->setFlags(item->flags() & ~Qt::ItemIsSelectable); // no pattern can be typed for it
        }
        items.append(item);
    }
    m_list->addTopLevelItems(items);
    m_list->setColumnWidth(KeyColumn, fontMetrics().averageCharWidth() * 44);
    m_list->setColumnWidth(TypeColumn, fontMetrics().averageCharWidth() * 10);
}

void NearMissesDialog::choose()
{
    QStringList patterns;
    for (const QTreeWidgetItem* item : m_list->selectedItems()) {
        const std::optional<Bytes> name = unescaped(item->text(KeyColumn).toStdString());
        if (name) {
            patterns.append(patternOfName(QString::fromStdString(*name)));
        }
    }
    Q_EMIT namesChosen(patterns);
    accept();
}

} // namespace lockscope::widgets
