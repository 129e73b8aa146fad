#include "views/figures/severity_mark.h"

#include "views/wording/labels.h"

#include <QPainter>
#include <QPainterPath>

namespace tilewright::views {

Token severityToken(std::string_view severity)
{
    if (severity == "error") return Token::Bad;
    if (severity == "warning") return Token::Warning;
    return severity == "advice" ? Token::Compute : Token::SecondaryText;
}

SeverityMark::SeverityMark(std::string_view severity, QWidget *parent) : QWidget(parent), m_severity(severity)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(severityLabel(severity));
    setToolTip(severityLabel(severity));
}

void SeverityMark::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme()[severityToken(m_severity)]);
    QRectF const r = QRectF(rect()).adjusted(2, 2, -2, -2);
    QPainterPath shape;
    if (m_severity == "error") {
        shape.addRoundedRect(r, 2, 2);
    } else if (m_severity == "warning") {
        shape.addPolygon(QPolygonF({QPointF(r.center().x(), r.top()), r.bottomRight(), r.bottomLeft()}));
        shape.closeSubpath();
    } else if (m_severity == "advice") {
        shape.addPolygon(QPolygonF({QPointF(r.center().x(), r.top()), QPointF(r.right(), r.center().y()),
                                    QPointF(r.center().x(), r.bottom()), QPointF(r.left(), r.center().y())}));
        shape.closeSubpath();
    } else {
        shape.addEllipse(r.adjusted(2, 2, -2, -2));
    }
    painter.drawPath(shape);
}

} // namespace tilewright::views
