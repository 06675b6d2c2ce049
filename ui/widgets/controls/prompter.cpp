#include "ui/widgets/controls/prompter.h"

#include "ui/models/ui_text.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/style/flat_style.h"
#include "ui/widgets/style/theme.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <utility>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

/// What a dialog is done with when the second way was chosen.
constexpr int kOther = 2;

Answer answerOf(int result)
{
    switch (result) {
    case QDialog::Accepted: return Answer::Accepted;
    case kOther: return Answer::Other;
    default: return Answer::Declined;
    }
}

QLabel* createText(QDialog* dialog, const QString& text)
{
    auto* label = new QLabel(text, dialog);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setMinimumWidth(label->fontMetrics().averageCharWidth() * 60);
    return label;
}

QDialogButtonBox* createButtons(QDialog* dialog, const Question& question)
{
    auto* buttons = new QDialogButtonBox(dialog);
    QPushButton* accept = buttons->addButton(question.acceptLabel, QDialogButtonBox::AcceptRole);
    accept->setObjectName(u"acceptButton"_s);
    if (question.declineLabel.isEmpty()) {
        accept->setDefault(true);
    } else {
        QPushButton* decline = buttons->addButton(question.declineLabel,
                                                  QDialogButtonBox::RejectRole);
        decline->setObjectName(u"declineButton"_s);
        decline->setDefault(true);
        decline->setFocus();
    }
    if (!question.otherLabel.isEmpty()) {
        QPushButton* other = buttons->addButton(question.otherLabel, QDialogButtonBox::ActionRole);
        other->setObjectName(u"otherButton"_s);
        QObject::connect(other, &QPushButton::clicked, dialog, [dialog] { dialog->done(kOther); });
    }
    QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    return buttons;
}

/// "run.cbor" of "Runs (*.run.cbor)": the first one, without its dot.
QString endingIn(const QString& filter)
{
    static const QRegularExpression kEnding(u"\\*\\.([^\\s)]+)"_s);
    return kEnding.match(filter).captured(1);
}

QFileDialog* createFileDialog(QWidget* parent, const FileQuestion& question,
                              std::function<void(QString)> then)
{
    auto* dialog = new QFileDialog(parent, question.title, {}, question.filter);
    dialog->setObjectName(u"fileDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, std::move(then));
    return dialog;
}

} // namespace

void Prompter::tell(QWidget* parent, const QString& title, const QString& text,
                    const QString& detail)
{
    Question notice;
    notice.title = title;
    notice.text = text;
    notice.detail = detail;
    notice.acceptLabel = UiText::tr("OK");
    ask(parent, notice, [](Answer) {});
}

void DialogPrompter::ask(QWidget* parent, const Question& question,
                         std::function<void(Answer)> then)
{
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(u"questionDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(question.title);

    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(12);
    QLabel* headline = createText(dialog, question.text);
    makeBold(*headline);
    layout->addWidget(headline);
    if (!question.detail.isEmpty()) {
        QLabel* detail = createText(dialog, question.detail);
        if (question.isMonospaced) {
            detail->setFont(monospacedFont());
            detail->setWordWrap(false);
        }
        layout->addWidget(detail);
    }
    layout->addSpacing(4);
    layout->addWidget(createButtons(dialog, question));

    QObject::connect(dialog, &QDialog::finished, parent,
                     [then = std::move(then)](int result) { then(answerOf(result)); });
    dialog->open();
}

void DialogPrompter::chooseFile(QWidget* parent, const FileQuestion& question,
                                std::function<void(QString)> then)
{
    QFileDialog* dialog = createFileDialog(parent, question, std::move(then));
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->open();
}

void DialogPrompter::chooseSaveFile(QWidget* parent, const FileQuestion& question,
                                    std::function<void(QString)> then)
{
    QFileDialog* dialog = createFileDialog(parent, question, std::move(then));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(endingIn(question.filter));
    dialog->selectFile(question.fileName);
    dialog->open();
}

} // namespace lockscope::widgets
