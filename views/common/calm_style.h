#pragma once

#include <QColor>
#include <QIcon>
#include <QProxyStyle>

namespace tilewright::views {

/// The Fusion style with calmer selections: selected rows keep their text, icons and swatches, and a light ground and an edge mark them.
/// Cut text appears in full as a tooltip. Dialogs, buttons and file lists have the icons of this program.
class CalmStyle : public QProxyStyle {
    Q_OBJECT
public:
    CalmStyle();
    using QProxyStyle::polish;
    void polish(QWidget *widget) override;
    void drawPrimitive(PrimitiveElement element, QStyleOption const *option, QPainter *painter, QWidget const *widget) const override;
    void drawControl(ControlElement element, QStyleOption const *option, QPainter *painter, QWidget const *widget = nullptr) const override;
    QIcon standardIcon(StandardPixmap which, QStyleOption const *option = nullptr, QWidget const *widget = nullptr) const override;
    QPixmap standardPixmap(StandardPixmap which, QStyleOption const *option = nullptr, QWidget const *widget = nullptr) const override;
    QPixmap generatedIconPixmap(QIcon::Mode mode, QPixmap const &pixmap, QStyleOption const *option) const override;

private:
    class WholeTexts *m_wholeTexts;
    class WrappedTips *m_wrappedTips;
};

/// Ground of selected rows and plots: the accent at 12 %.
QColor selectionColor();
/// Width of the edge at its side.
inline constexpr int kSelectionEdge = 3;

/// Scales all text relative to the desktop's size. Takes effect with the next applyTheme().
void setTextScale(double scale);
double textScale();

} // namespace tilewright::views
