#pragma once

#include "ui/models/matrix/matrix_model.h"
#include "ui/widgets/controls/prompter.h"

#include <QFont>
#include <QPalette>
#include <QString>

namespace lockscope::widgets {

enum class MatrixFormat { Png, Svg, Csv, Markdown };

/// "Picture (PNG)…"
QString titleOf(MatrixFormat format);

/// Where it is to go.
FileQuestion saveQuestion(MatrixFormat format);

/// Writes the whole matrix; what is not searched yet stays empty. A picture has this font and these
/// colours. Returns why it failed; empty: it is there, and a file that was there before is not.
QString saveMatrix(const models::MatrixModel& matrix, MatrixFormat format, const QString& path,
                   const QFont& font, const QPalette& palette);

} // namespace lockscope::widgets
