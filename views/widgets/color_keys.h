#pragma once

#include "views/common/theme.h"

#include <QList>
#include <QString>
#include <QWidget>

namespace tilewright::views {

/// As what a key explains is drawn.
enum class KeyLook {
    Plain,
    Hatched, ///< ground with a faint hatch: nothing happens
    Foot,    ///< in the lower half of a lane
    Top,     ///< a line on top
    Dashed   ///< a dashed line
};

struct ColorKey {
    Token token = Token::Idle;
    QString label; ///< translated
    KeyLook look = KeyLook::Plain;
    bool operator==(ColorKey const &) const = default;
};

/// What the colours of a plot mean: a swatch and a word each. Wraps.
class ColorKeys : public QWidget {
    Q_OBJECT
public:
    explicit ColorKeys(QWidget *parent = nullptr);
    void setKeys(QList<ColorKey> const &keys);
    QList<ColorKey> const &keys() const { return m_keys; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    /// Where each key is painted.
    QList<QRect> places(int width) const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QList<ColorKey> m_keys;
};

} // namespace tilewright::views
