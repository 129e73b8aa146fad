#include "views/common/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace tilewright::views {

namespace {

/// Draws a line drawing in the colours of the current theme, so that icons follow a change of theme.
class TintedIcon : public QIconEngine {
public:
    TintedIcon(QByteArray svg, Token token) : m_svg(std::move(svg)), m_token(token) {}

    void paint(QPainter *painter, QRect const &rect, QIcon::Mode mode, QIcon::State) override
    {
        auto const &t = theme();
        QColor color = t[m_token]; // the ground of a selection is light
        if (mode == QIcon::Disabled) color.setAlphaF(0.35F);
        QByteArray tinted = m_svg;
        tinted.replace("#000000", color.name().toLatin1());
        tinted.replace("currentColor", color.name().toLatin1());
        QSvgRenderer renderer(tinted);
        painter->save();
        painter->setOpacity(color.alphaF());
        renderer.render(painter, rect);
        painter->restore();
    }

    QPixmap pixmap(QSize const &size, QIcon::Mode mode, QIcon::State state) override
    {
        if (size.isEmpty()) return {}; // a button without room asks for an empty icon, which cannot be drawn
        QPixmap map(size);
        map.fill(Qt::transparent);
        QPainter painter(&map);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return map;
    }

    QIconEngine *clone() const override { return new TintedIcon(*this); }

private:
    QByteArray m_svg;
    Token m_token;
};

} // namespace

QIcon icon(QString const &name, Token token)
{
    QFile file(QStringLiteral(":/icons/") + name + QStringLiteral(".svg"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QIcon(new TintedIcon(file.readAll(), token));
}

} // namespace tilewright::views
