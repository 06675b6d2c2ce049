#pragma once

#include <QWidget>

class QButtonGroup;
class QHBoxLayout;

namespace lockscope::widgets {

/// The names of the pages there are; the current one is marked. A page appears here by being added.
class PageBar : public QWidget {
    Q_OBJECT
public:
    explicit PageBar(QWidget* parent = nullptr);

    void addPage(const QString& name, const QString& title);
    void setCurrent(const QString& name);
    QStringList names() const { return m_names; }

Q_SIGNALS:
    void pageChosen(const QString& name);

private:
    QButtonGroup* m_group = nullptr;
    QHBoxLayout* m_layout = nullptr;
    QStringList m_names; // by id in the group
};

} // namespace lockscope::widgets
