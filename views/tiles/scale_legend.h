#pragma once

#include "views/tiles/tile_scale.h"

#include <QRect>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <array>
#include <functional>

namespace tilewright::views {

/// A colour scale with its meaning: ends, limit, hatching above the limit.
class ScaleLegend : public QWidget {
    Q_OBJECT
public:
    explicit ScaleLegend(QWidget *parent = nullptr);
    void setScale(TileScale const &scale, std::function<QString(std::int64_t)> text);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;
    /// Positions in a legend of that width.
    struct Places {
        QRect bar, sample, over;     ///< over: values above the limit; empty: none
        std::array<QRect, 3> labels; ///< both ends and the middle (empty without space)
        QStringList texts;
        int height = 0, least = 0; ///< least: width below which texts would touch
    };
    Places places(int width) const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    bool hasOvers() const;
    TileScale shownScale() const;
    QString text(std::int64_t value) const { return m_text ? m_text(value) : QString::number(value); }
    TileScale m_scale;
    std::function<QString(std::int64_t)> m_text;
};

} // namespace tilewright::views
