#include "ui/widgets/audit/audit_details.h"

#include "core/kernel/report/audit_trail.h"
#include "ui/models/audit/audit_model.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/controls/selectable_text.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/style/tones.h"

#include <QLabel>
#include <QStringList>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLinesShown = 7;

QString headlineOf(const report::AuditRecord& record)
{
    return AuditDetails::tr("%1: %2, %3")
        .arg(models::toQString(record.key), models::auditActionText(record),
             models::auditOutcomeText(record));
}

QString detailOf(const report::AuditRecord& record)
{
    QStringList sentences;
    if (record.outcome == report::kInterruptedOutcome) {
        sentences += AuditDetails::tr("Its outcome was never written: the program was ended in "
                                      "between, or is still waiting. It is not known whether it "
                                      "was applied.");
    }
    if (!record.detail.empty()) {
        sentences += models::toQString(record.detail);
    }
    if (!record.reason.empty()) {
        sentences += AuditDetails::tr("Reason: %1").arg(models::toQString(record.reason));
    }
    sentences += AuditDetails::tr("By %1 on %2, with %3 (process %4).")
                     .arg(models::toQString(record.user), models::toQString(record.host),
                          models::toQString(record.program), QString::number(record.process));
    return sentences.join(u'\n');
}

void addLine(QStringList& lines, std::uint64_t number, std::string_view text)
{
    if (number > 0) {
        lines += AuditDetails::tr("Line %1").arg(models::countText(number));
        lines += models::toQString(text);
    }
}

} // namespace

AuditDetails::AuditDetails(QWidget* parent) : QWidget(parent)
{
    m_headline = createWrappedText(u"auditHeadline"_s, this);
    makeBold(*m_headline);
    m_detail = createWrappedText(u"auditDetail"_s, this);
    m_headline->setTextFormat(Qt::PlainText);
    m_detail->setTextFormat(Qt::PlainText);
    m_lines = new SelectableText(this);
    m_lines->setObjectName(u"auditLines"_s);
    m_lines->setAccessibleName(tr("Lines of the file"));
    m_lines->setFont(monospacedFont());
    m_lines->setLineCountMax(kLinesShown);
    createColumn(this, {}, 6, {m_headline, m_detail, m_lines});
    showRecord(nullptr);
}

void AuditDetails::showRecord(const report::AuditRecord* record)
{
    setVisible(record != nullptr);
    if (record == nullptr) {
        return;
    }
    QPalette colored = palette();
    colored.setColor(QPalette::WindowText,
                     severityColor(models::auditSeverityOf(*record), palette()));
    m_headline->setPalette(colored);
    m_headline->setText(headlineOf(*record));
    m_detail->setText(detailOf(*record));
    QStringList lines;
    addLine(lines, record->intentLine, record->intentText);
    addLine(lines, record->outcomeLine, record->outcomeText);
    m_lines->setText(lines.join(u'\n'));
}

} // namespace lockscope::widgets
