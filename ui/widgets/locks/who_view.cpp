#include "ui/widgets/locks/who_view.h"

#include "core/kernel/diagnosis/key_capture.h"
#include "ui/models/formatting.h"
#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"

#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSecondsMax = 60;
constexpr std::chrono::milliseconds kProgressTick{200};

bool isAnyClientKnown(const inspect::LockRecord& lock)
{
    return std::ranges::any_of(lock.holders, [](const inspect::Holder& holder) {
        return holder.client() != nullptr;
    });
}

bool hasOwner(const inspect::LockRecord& lock)
{
    return std::ranges::any_of(lock.holders,
                               [](const inspect::Holder& holder) { return !holder.owner.empty(); });
}

} // namespace

WhoView::WhoView(service::ReleaseDesk& desk, std::function<FactContext()> context, QWidget* parent)
    : QWidget(parent),
      m_desk(desk),
      m_context(std::move(context))
{
    setObjectName(u"whoView"_s);
    m_known = createWrappedText(u"whoKnown"_s, this);
    m_open = new QPushButton(tr("Listen for its clients…"), this);
    m_open->setObjectName(u"whoButton"_s);
    m_open->setToolTip(tr("By MONITOR. What it costs the server is said before anything is sent."));
    createForm();
    m_result = createWrappedText(u"whoResult"_s, this);
    m_result->setTextFormat(Qt::PlainText);
    m_result->setTextInteractionFlags(Qt::TextSelectableByMouse);
    createColumn(this, {}, 6,
                 {createCaption(tr("Who is it?"), this), m_known, aligned(m_open, Qt::AlignLeft),
                  m_form, m_result});
    m_rest = new QTimer(this);
    m_rest->setSingleShot(true);
    m_rest->setTimerType(Qt::PreciseTimer); // a coarse one may have more left than it was given
    m_tick = new QTimer(this);
    m_tick->setInterval(kProgressTick);
    connect(m_tick, &QTimer::timeout, this, &WhoView::refresh);
    connect(m_open, &QPushButton::clicked, this, [this] {
        m_form->show();
        refresh();
        m_listen->setFocus();
    });
    connect(&m_desk, &service::ReleaseDesk::captured, this, &WhoView::takeResult);
    refresh();
}

void WhoView::createForm()
{
    m_form = new QWidget(this);
    m_form->setObjectName(u"whoForm"_s);
    m_form->hide();
    QLabel* const cost = createWrappedText(u"whoCost"_s, m_form);
    const auto megabytes = operations::FeedLimits().bytes / 1'000'000;
    cost->setText(tr("The server sends a copy of every command of all clients while this lasts "
                     "(MONITOR), which can cost it up to a third of its throughput. It ends by "
                     "itself after the time below or after %1 MB, and you can stop it. Only "
                     "commands about this lock are counted; nothing of the others is kept.")
                      .arg(megabytes));
    m_seconds = new QSpinBox(m_form);
    m_seconds->setObjectName(u"whoSeconds"_s);
    m_seconds->setAccessibleName(tr("Listen for so many seconds"));
    m_seconds->setRange(1, kSecondsMax);
    m_seconds->setSuffix(tr(" s"));
    const auto usual = std::chrono::ceil<std::chrono::seconds>(operations::FeedLimits().span);
    m_seconds->setValue(static_cast<int>(usual.count()));
    m_listen = new QPushButton(tr("Listen"), m_form);
    m_listen->setObjectName(u"whoListen"_s);
    m_stop = new QPushButton(tr("Stop"), m_form);
    m_stop->setObjectName(u"whoStop"_s);
    m_progress = createQuietLabel({}, m_form);
    m_progress->setObjectName(u"whoProgress"_s);
    m_sameAs = new CommandBox(m_form);
    m_sameAs->setObjectName(u"whoSameAs"_s);
    createColumn(m_form, {}, 6,
                 {cost, createRow(6, {m_seconds, m_listen, m_stop, m_progress, room()}),
                  createCaption(tr("Same as"), m_form), m_sameAs});
    connect(m_listen, &QPushButton::clicked, this, &WhoView::listen);
    connect(m_stop, &QPushButton::clicked, this, [this] { m_desk.stopCapture(); });
    connect(m_seconds, &QSpinBox::valueChanged, this, &WhoView::refresh);
}

Duration WhoView::span() const
{
    return std::chrono::seconds(m_seconds->value());
}

void WhoView::showLock(const inspect::LockPtr& lock)
{
    const bool isSame = lock != nullptr && m_lock != nullptr && lock->id == m_lock->id;
    m_lock = lock;
    if (!isSame) {
        if (m_request != 0) {
            m_desk.stopCapture();
        }
        endListening();
        m_form->hide();
        m_result->clear();
    }
    refresh();
}

void WhoView::setOnline(bool isOnline)
{
    m_isOnline = isOnline;
    refresh();
}

void WhoView::listen()
{
    if (m_lock == nullptr || m_request != 0) {
        return;
    }
    operations::FeedLimits limits;
    limits.span = span();
    m_request = m_desk.captureCommands(m_lock->id, limits);
    m_rest->start(std::chrono::ceil<std::chrono::milliseconds>(limits.span));
    m_tick->start();
    m_result->clear();
    refresh();
    m_stop->setFocus();
}

void WhoView::takeResult(quint64 request, const operations::CaptureResult& result)
{
    if (request != m_request) {
        return; // about another lock
    }
    const bool hadFocus = m_stop->hasFocus();
    endListening();
    if (const auto* const problem = std::get_if<store::Problem>(&result)) {
        showRemark(*m_result, models::toQString(store::explain(*problem)), 2);
    } else {
        const auto& seen = std::get<operations::LockCapture>(result);
        const std::string text = diagnosis::captureText(seen.capture, seen.end, seen.clients);
        m_result->setPalette(palette());
        m_result->setText(models::toQString(text).trimmed());
    }
    refresh();
    if (hadFocus) {
        m_listen->setFocus();
    }
}

void WhoView::endListening()
{
    m_request = 0;
    m_rest->stop();
    m_tick->stop();
}

void WhoView::refresh()
{
    setVisible(m_lock != nullptr);
    if (m_lock == nullptr) {
        return;
    }
    m_known->setText(isAnyClientKnown(*m_lock) ? tr("A connected client fits the owner: see above.")
                     : hasOwner(*m_lock)
                         ? tr("No connected client fits the owner token. Redis does not record who "
                              "wrote a key.")
                         : tr("This format records no owner, and Redis does not record who wrote "
                              "a key."));
    const bool isListening = m_request != 0;
    m_open->setVisible(m_form->isHidden());
    m_listen->setVisible(!isListening);
    m_listen->setEnabled(m_isOnline);
    m_stop->setVisible(isListening);
    m_seconds->setEnabled(!isListening);
    const auto rest = std::chrono::ceil<std::chrono::seconds>(
        std::chrono::milliseconds(std::max(0, m_rest->remainingTime())));
    m_progress->setVisible(isListening || !m_isOnline);
    m_progress->setText(isListening ? tr("Listening: %1 s left").arg(rest.count())
                                    : tr("There is currently no connection."));
    m_result->setVisible(!m_result->text().isEmpty());
    m_sameAs->setCommand(models::toQString(diagnosis::captureCommandLine(m_context().endpoints,
                                                                         m_lock->id, span())));
}

} // namespace lockscope::widgets
