#pragma once

#include "views/common/theme.h"

#include <QList>
#include <QString>
#include <QWidget>

namespace tilewright::views {

/// Appearance of a key, equal to the explained thing.
enum class KeyLook {
    Plain,
    Hatched, ///< ground with a faint hatch: no activity
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

/// A legend of colours: a swatch and a word each. Wraps.
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
    /// Rectangles of the keys.
    QList<QRect> places(int width) const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QList<ColorKey> m_keys;
};

} // namespace tilewright::views
