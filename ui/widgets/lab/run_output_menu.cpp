#include "ui/widgets/lab/run_output_menu.h"

#include "ui/models/formatting.h"

namespace lockscope::widgets {

using namespace Qt::StringLiterals;
using exports::ExportFormat;

RunOutputMenu::RunOutputMenu(QWidget* parent) : QMenu(parent)
{
    setObjectName(u"runOutputMenu"_s);
    connect(add(u"copyStory"_s, tr("Copy the &story")), &QAction::triggered, this,
            &RunOutputMenu::copyStoryRequested);
    addSeparator();
    connect(add(u"saveRun"_s, tr("Save the &run…")), &QAction::triggered, this,
            &RunOutputMenu::saveRequested);
    addSeparator();
    addExport(ExportFormat::Markdown, tr("Story for a &ticket (Markdown)…"));
    addExport(ExportFormat::Perfetto, tr("&Perfetto or Chrome trace…"));
    addExport(ExportFormat::ShiViz, tr("Shi&Viz log…"));
    addExport(ExportFormat::Csv, tr("&Intervals (CSV)…"));
    addSeparator();
    addPicture(u"png"_s, tr("Timeline as P&NG…"));
    addPicture(u"svg"_s, tr("Timeline as SV&G…"));
}

QAction* RunOutputMenu::add(const QString& name, const QString& text)
{
    QAction* const action = addAction(text);
    action->setObjectName(name);
    return action;
}

void RunOutputMenu::addExport(ExportFormat format, const QString& text)
{
    connect(add(models::toQString(idOf(format)) + u"Export", text), &QAction::triggered, this,
            [this, format] { Q_EMIT exportRequested(format); });
}

void RunOutputMenu::addPicture(const QString& suffix, const QString& text)
{
    connect(add(suffix + u"Picture", text), &QAction::triggered, this,
            [this, suffix] { Q_EMIT pictureRequested(suffix); });
}

} // namespace lockscope::widgets
