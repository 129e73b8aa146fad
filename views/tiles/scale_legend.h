#pragma once

#include "views/tiles/tile_scale.h"

#include <QString>
#include <QWidget>

#include <functional>

namespace tilewright::views {

/// The colours of a scale with what they mean: ends, limit, hatching over it.
class ScaleLegend : public QWidget {
    Q_OBJECT
public:
    explicit ScaleLegend(QWidget *parent = nullptr);
    void setScale(TileScale const &scale, std::function<QString(std::int64_t)> text);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
private:
    QString text(std::int64_t value) const { return m_text ? m_text(value) : QString::number(value); }
    TileScale m_scale;
    std::function<QString(std::int64_t)> m_text;
};

} // namespace tilewright::views
