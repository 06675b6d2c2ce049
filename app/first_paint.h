#pragma once

#include <QAbstractItemView>
#include <QObject>

namespace lockscope::app {

/// Says on the logging category lockscope.startup when the table was painted with rows for the
/// first time. That is what the start-up benchmark waits for.
class FirstPaint final : public QObject {
    Q_OBJECT
public:
    explicit FirstPaint(QAbstractItemView& table, QObject* parent = nullptr);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAbstractItemView& m_table;
};

} // namespace lockscope::app
