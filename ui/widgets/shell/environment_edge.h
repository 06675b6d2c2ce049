#pragma once

#include <QWidget>

namespace lockscope::widgets {

/// The coloured line across the top of the window that says which environment this is. Without a
/// colour for the environment it takes no space.
class EnvironmentEdge : public QWidget {
    Q_OBJECT
public:
    explicit EnvironmentEdge(QWidget* parent = nullptr);

    void setEnvironment(const QString& environment);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_environment;
};

} // namespace lockscope::widgets
