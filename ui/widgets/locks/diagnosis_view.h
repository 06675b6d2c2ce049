#pragma once

#include "core/kernel/diagnosis/diagnosis_text.h"

#include <QWidget>

#include <vector>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace lockscope::widgets {

/// Why a lock may be stuck: its reasons, the most probable first, each with what speaks for it, how
/// it may be a false alarm, and what to do. What is not known stands behind a button.
class DiagnosisView : public QWidget {
    Q_OBJECT
public:
    explicit DiagnosisView(QWidget* parent = nullptr);

    /// Updates in place, so that nothing flickers and a selection lives. Evidence that stands above
    /// already, word for word, is not repeated.
    void showDiagnosis(const diagnosis::Diagnosis& diagnosis, const std::string& saidAbove);

private:
    struct Card {
        QWidget* box = nullptr;
        QLabel* title = nullptr;
        QLabel* evidence = nullptr;
        QLabel* risk = nullptr;
        QLabel* remedy = nullptr;
    };

    Card createCard();
    void fill(const Card& card, const diagnosis::FindingText& finding,
              const std::string& saidAbove);
    void openUnknowns(bool isOpen);

    QLabel* m_caption = nullptr;
    QLabel* m_nothing = nullptr;
    QVBoxLayout* m_column = nullptr;
    std::vector<Card> m_cards;
    QToolButton* m_toggle = nullptr;
    QLabel* m_unknowns = nullptr;
};

} // namespace lockscope::widgets
