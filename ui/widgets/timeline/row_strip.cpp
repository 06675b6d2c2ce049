#include "ui/widgets/timeline/row_strip.h"

#include <QPaintEngine>
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
    const auto pixelAt = [width](double x) {
        return static_cast<std::size_t>(std::clamp(x, 0.0, width));
    };
    const std::size_t begin = pixelAt(left);
    const std::size_t narrowest = left >= 0 && left < width ? begin + 1 : begin;
    const std::size_t end = std::max(pixelAt(right), narrowest);
    if (begin >= end) {
        return;
    }
    std::fill(at(begin), at(end), color);
    m_begin = std::min(m_begin, begin);
    m_end = std::max(m_end, end);
}

void RowStrip::copy(const RowStrip& other)
{
    if (other.isEmpty()) {
        return;
    }
    std::copy(other.m_pixels.begin() + static_cast<std::ptrdiff_t>(other.m_begin),
              other.m_pixels.begin() + static_cast<std::ptrdiff_t>(other.m_end), at(other.m_begin));
    m_begin = other.m_begin;
    m_end = other.m_end;
}

void RowStrip::paint(QPainter& painter, int top, int height)
{
    if (isEmpty() || height <= 0) {
        return;
    }
    // To a file of lines and areas a picture would be a foreign body.
    const bool takesPixels = painter.paintEngine()->type() == QPaintEngine::Raster;
    if (takesPixels && runCount() >= kRunsForPicture) {
        paintPicture(painter, top, height);
    } else {
        paintRuns(painter, top, height);
    }
}

void RowStrip::clear()
{
    if (!isEmpty()) {
        std::fill(at(m_begin), at(m_end), kNothing);
    }
    m_begin = m_pixels.size();
    m_end = 0;
}

std::size_t RowStrip::runCount() const
{
    std::size_t count = 1;
    for (std::size_t i = m_begin + 1; i < m_end; ++i) {
        count += m_pixels[i] != m_pixels[i - 1] ? 1 : 0;
    }
    return count;
}

void RowStrip::paintRuns(QPainter& painter, int top, int height) const
{
    for (std::size_t from = m_begin; from < m_end;) {
        const QRgb color = m_pixels[from];
        std::size_t to = from;
        while (to < m_end && m_pixels[to] == color) {
            ++to;
        }
        if (color != kNothing) {
            painter.fillRect(static_cast<int>(from), top, static_cast<int>(to - from), height,
                             QColor::fromRgba(color));
        }
        from = to;
    }
}

/// The same line of pixels, again and again.
void RowStrip::paintPicture(QPainter& painter, int top, int height)
{
    const auto width = static_cast<int>(m_end - m_begin);
    if (m_picture.width() < width || m_picture.height() < height) {
        m_picture = QImage(static_cast<int>(m_pixels.size()), std::max(height, m_picture.height()),
                           QImage::Format_ARGB32_Premultiplied);
    }
    for (int line = 0; line < height; ++line) {
        std::copy(at(m_begin), at(m_end), reinterpret_cast<QRgb*>(m_picture.scanLine(line)));
    }
    painter.drawImage(QPoint(static_cast<int>(m_begin), top), m_picture,
                      QRect(0, 0, width, height));
}

} // namespace lockscope::widgets
