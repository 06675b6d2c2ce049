#pragma once

#include "ui/widgets/controls/notifier.h"

#include <QStringList>

namespace lockscope::test {

/// A notifier that writes down what it is told.
class ScriptedNotifier : public widgets::Notifier {
public:
    QString obstacle() const override { return m_obstacle; }
    void notify(const QString& title, const QString& text) override
    {
        m_told += title + u": " + text;
    }
    void beep() override { ++m_beepCount; }

    void setObstacle(const QString& obstacle) { m_obstacle = obstacle; }
    const QStringList& told() const { return m_told; }
    int beepCount() const { return m_beepCount; }

private:
    QString m_obstacle;
    QStringList m_told;
    int m_beepCount = 0;
};

} // namespace lockscope::test
