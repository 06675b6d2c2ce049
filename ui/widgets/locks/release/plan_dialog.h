#pragma once

#include "core/kernel/inspect/observation.h"
#include "core/service/release_desk.h"
#include "ui/widgets/locks/lock_facts.h"
#include "ui/widgets/style/flat_style.h"

#include <QDialog>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QLabel;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace lockscope::widgets {

class ReleaseOutcomeView;

/// A dialog that reads one lock afresh, shows what would be done to it, does that, and shows what
/// became of it. What the user is asked before is the business of the two kinds of it.
///
/// It never closes without a word: a user who leaves before the plan was sent hears that nothing
/// was done. Enter in a field sends the plan, or says what is missing. Once the watch saw another
/// hold than the one that was read, nothing is sent any more: one has to look again.
class PlanDialog : public QDialog {
    Q_OBJECT
public:
    /// What happened to the locks; others than the shown one are ignored.
    void takeChange(const inspect::LockChange& change);

Q_SIGNALS:
    /// The plan was sent.
    void attempted(quint64 request, const lockscope::inspect::ReleasePlan& plan);
    /// It was closed, and nothing was sent.
    void withdrawn(const lockscope::inspect::LockId& id);
    /// It was closed while the answer was under way.
    void leftUnanswered(quint64 request);

public Q_SLOTS:
    void reject() override;

protected:
    struct Words {
        QString name;    // of the object
        QString title;   // of the window
        QString execute; // on the button
        Emphasis emphasis = Emphasis::Primary;
    };

    PlanDialog(service::ReleaseDesk& desk, std::function<FactContext()> context,
               const inspect::LockId& id, QWidget* parent);

    /// Puts the dialog together, `characters` wide, and has the lock read. Once, by the constructor
    /// of the kind.
    void begin(const Words& words, QWidget* planPage, int characters);

    /// Takes what was read and shows it on the plan page. A sentence when nothing can be done.
    virtual QString takeDetails(const operations::LockDetails& details) = 0;
    /// The lock is still what was read, and this is what is known of it by now; null: nothing.
    virtual void takeNews(const inspect::LockPtr& lock) = 0;
    /// What the user still has to do before the plan can be sent; empty when it can.
    virtual QString missing() const = 0;
    /// Whose holds the plan would end; empty while no holder is chosen.
    virtual std::vector<inspect::Holder> meant() const = 0;
    virtual inspect::ReleasePlan plan() const = 0;
    virtual QString reason() const = 0;
    /// All that was seen of the lock, where a release can be undone with it.
    virtual std::optional<inspect::LockSnapshot> seen() const { return std::nullopt; }
    virtual QWidget* firstField() const = 0;

    /// To be called when something was entered; `remark` says at once what is wrong with it.
    void takeEntry(const QString& remark = {});
    /// To be called when others are meant now.
    void takeChoice();
    /// To be called when the plan page needs another height.
    void fitToContent();
    /// Closes in favour of something else that is done about the lock.
    void giveWay();

    const inspect::LockId& id() const { return m_id; }
    FactContext context() const { return m_context(); }
    bool isShowingPlan() const { return m_stage == Stage::Plan; }
    /// The server that the plan is sent to, or a master of it, asks for a reason.
    bool isReasonNeeded() const;

    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Stage { Reading, Obstacle, Plan, Sent, Answered };

    void createTitle(QVBoxLayout& layout);
    void showDestination();
    void createPages(QVBoxLayout& layout, QWidget* planPage);
    void createButtons(QVBoxLayout& layout, const Words& words);

    void read();
    void showDetails(quint64 request, const operations::LockDetails& details);
    void showObstacle(const QString& text);
    void judge(const inspect::LockChange& change);
    QString obstacle() const;
    void say(const QString& remark);
    void refresh();
    void answerEnter();
    void send();
    void noteSent(quint64 request, const inspect::ReleasePlan& plan);
    void finish();
    void endGuard();

    service::ReleaseDesk& m_desk;
    std::function<FactContext()> m_context;
    inspect::LockId m_id;
    Stage m_stage = Stage::Reading;
    quint64 m_request = 0;                    // the one whose answer is awaited
    inspect::LockChange m_newest;             // of this lock, since the dialog is open
    inspect::LockPtr m_looked;                // the hold that the plan is about
    std::optional<inspect::KeyGuard> m_guard; // of the plan, until that is sent
    std::vector<std::pair<std::uint16_t, std::string>> m_masters; // that the plan is sent to
    QString m_news; // it is not that hold any more, and since when

    QLabel* m_destination = nullptr; // without text unless a master is written to
    QStackedWidget* m_pages = nullptr;
    QWidget* m_planPage = nullptr;
    QLabel* m_reading = nullptr;
    ReleaseOutcomeView* m_outcome = nullptr;
    QLabel* m_remark = nullptr;
    QPushButton* m_execute = nullptr;
    QPushButton* m_again = nullptr;
    QPushButton* m_cancel = nullptr;
};

} // namespace lockscope::widgets
