#pragma once

#include "core/kernel/exports/export_format.h"

#include <QMenu>

namespace lockscope::widgets {

/// Where a run can go: a file of its own, other programs, a ticket, a picture.
class RunOutputMenu : public QMenu {
    Q_OBJECT
public:
    explicit RunOutputMenu(QWidget* parent = nullptr);

Q_SIGNALS:
    void copyStoryRequested();
    void saveRequested();
    void exportRequested(lockscope::exports::ExportFormat format);
    /// Of the timeline as it is seen; `suffix`: "png" or "svg".
    void pictureRequested(const QString& suffix);

private:
    QAction* add(const QString& name, const QString& text);
    void addExport(exports::ExportFormat format, const QString& text);
    void addPicture(const QString& suffix, const QString& text);
};

} // namespace lockscope::widgets
