#include "lab/row_strip.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockscope::widgets {

RowStrip::RowStrip(double width)
    : m_pixels(static_cast<std::size_t>(std::max(std::ceil(width), 0.0)), kNothing),
      m_begin(m_pixels.size())
{}

void RowStrip::fill(double left, double right, QRgb color)
{
    const auto width = static_cast<double>(m_pixels.size());
    const double first = std::floor(left);
    const auto begin = static_cast<std::size_t>(std::clamp(first, 0.0, width));
    const auto end = static_cast<std::size_t>(std::clamp(std::max(std::floor(right), first + 1),
                                                         0.0, width));
    if (begin >= end) {
        return;
    }
    std::fill(m_pixels.begin() + static_cast<std::ptrdiff_t>(begin),
              m_pixels.begin() + static_cast<std::ptrdiff_t>(end), color);
    m_begin = std::min(m_begin, begin);
    m_end = std::max(m_end, end);
}

void RowStrip::paint(QPainter& painter, int top, int height)
{
    for (std::size_t from = m_begin; from < m_end;) {
        const QRgb color = m_pixels[from];
        std::size_t to = from;
        while (to < m_end && m_pixels[to] == color) {
            m_pixels[to++] = kNothing;
        }
        if (color != kNothing) {
            painter.fillRect(static_cast<int>(from), top, static_cast<int>(to - from), height,
                             QColor::fromRgba(color));
        }
        from = to;
    }
    m_begin = m_pixels.size();
    m_end = 0;
}

} // namespace lockscope::widgets
