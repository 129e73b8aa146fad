#include "views/canvas/minimap.h"
#include "views/canvas/canvas_widget.h"

#include "views/common/figure_parts.h"
#include "views/common/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr int kMostWidth = 40 * kGrid, kMostHeight = 40 * kGrid;

} // namespace

CanvasMinimap::CanvasMinimap(CanvasWidget *canvas) : QWidget(canvas), m_canvas(canvas)
{
    setAccessibleName(tr("Overview of the model"));
    setToolTip(tr("Drag the frame to move over the model"));
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void CanvasMinimap::refresh()
{
    QRectF const bounds = m_canvas->scene().bounds;
    bool const room = m_canvas->width() > 2 * kMostWidth && m_canvas->height() > 2 * kMostHeight;
    bool const needed = !bounds.isEmpty() && !m_canvas->visibleScene().contains(bounds);
    setVisible(room && needed && !isInFigure(*this));
    if (!isVisible()) return;
    m_scale = std::min((kMostWidth - 2.0 * kGrid) / bounds.width(), (kMostHeight - 2.0 * kGrid) / bounds.height());
    QSize const size(std::max(8 * kGrid, int(bounds.width() * m_scale) + 2 * kGrid),
                     std::max(8 * kGrid, int(bounds.height() * m_scale) + 2 * kGrid));
    m_shift = QPointF((size.width() - bounds.width() * m_scale) / 2, (size.height() - bounds.height() * m_scale) / 2);
    setGeometry(m_canvas->width() - size.width() - kGap, m_canvas->height() - size.height() - kGap, size.width(), size.height());
    double const ratio = devicePixelRatioF();
    m_picture = QPixmap(size * ratio);
    m_picture.setDevicePixelRatio(ratio);
    m_picture.fill(theme()[Token::Raised]);
    QPainter painter(&m_picture);
    painter.translate(m_shift);
    painter.scale(m_scale, m_scale);
    painter.translate(-bounds.topLeft());
    painter.setPen(Qt::NoPen);
    for (auto const &node : m_canvas->scene().nodes) {
        painter.setBrush(theme()[node.problem >= static_cast<int>(Severity::Error) ? Token::Bad : node.family]);
        painter.drawRect(node.rect);
    }
    update();
}

void CanvasMinimap::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    painter.setPen(theme()[Token::Border]);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    QRectF const seen = m_canvas->visibleScene().translated(-m_canvas->scene().bounds.topLeft());
    QRectF const frame(seen.topLeft() * m_scale + m_shift, seen.size() * m_scale);
    QColor fill = theme()[Token::Accent];
    painter.setPen(QPen(fill, 1.5));
    fill.setAlphaF(0.1f);
    painter.setBrush(fill);
    painter.drawRect(frame.intersected(QRectF(rect()).adjusted(1, 1, -2, -2)));
}

void CanvasMinimap::jump(QPointF const &at) { m_canvas->centreOn((at - m_shift) / m_scale + m_canvas->scene().bounds.topLeft()); }

void CanvasMinimap::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton) jump(event->position());
}

void CanvasMinimap::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & Qt::LeftButton) jump(event->position());
}

} // namespace tilewright::views
