#include "ui/widgets/controls/layouts.h"

namespace lockscope::widgets {

namespace {

template<class Layout>
Layout* create(QWidget* parent, const QMargins& margins, int spacing,
               std::initializer_list<LayoutPart> parts)
{
    auto* layout = new Layout(parent);
    layout->setContentsMargins(margins);
    layout->setSpacing(spacing);
    addParts(*layout, parts);
    return layout;
}

} // namespace

LayoutPart growing(LayoutPart part, int share)
{
    part.share = share;
    return part;
}

LayoutPart aligned(QWidget* widget, Qt::Alignment alignment)
{
    LayoutPart part(widget);
    part.alignment = alignment;
    return part;
}

LayoutPart gap(int pixels)
{
    LayoutPart part;
    part.pixels = pixels;
    return part;
}

LayoutPart room(int share)
{
    return growing({}, share);
}

QHBoxLayout* createRow(QWidget* parent, const QMargins& margins, int spacing,
                       std::initializer_list<LayoutPart> parts)
{
    return create<QHBoxLayout>(parent, margins, spacing, parts);
}

QVBoxLayout* createColumn(QWidget* parent, const QMargins& margins, int spacing,
                          std::initializer_list<LayoutPart> parts)
{
    return create<QVBoxLayout>(parent, margins, spacing, parts);
}

QHBoxLayout* createRow(int spacing, std::initializer_list<LayoutPart> parts)
{
    return createRow(nullptr, {}, spacing, parts);
}

QVBoxLayout* createColumn(int spacing, std::initializer_list<LayoutPart> parts)
{
    return createColumn(nullptr, {}, spacing, parts);
}

void addParts(QBoxLayout& layout, std::initializer_list<LayoutPart> parts)
{
    for (const LayoutPart& part : parts) {
        if (part.widget != nullptr) {
            layout.addWidget(part.widget, part.share, part.alignment);
        } else if (part.layout != nullptr) {
            layout.addLayout(part.layout, part.share);
        } else if (part.pixels > 0) {
            layout.addSpacing(part.pixels);
        } else {
            layout.addStretch(part.share);
        }
    }
}

} // namespace lockscope::widgets
