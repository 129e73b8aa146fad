#pragma once

#include <QColor>
#include <QProxyStyle>

namespace tilewright::views {

/// Fusion, but what is selected in a list keeps its text, icons and swatches: a light ground and an edge say it. What is cut for
/// want of room is whole in its tooltip.
class CalmStyle : public QProxyStyle {
    Q_OBJECT
public:
    CalmStyle();
    using QProxyStyle::polish;
    void polish(QWidget *widget) override;
    void drawPrimitive(PrimitiveElement element, QStyleOption const *option, QPainter *painter, QWidget const *widget) const override;
    void drawControl(ControlElement element, QStyleOption const *option, QPainter *painter, QWidget const *widget = nullptr) const override;
    QPixmap generatedIconPixmap(QIcon::Mode mode, QPixmap const &pixmap, QStyleOption const *option) const override;

private:
    class WholeTexts *m_wholeTexts;
    class WrappedTips *m_wrappedTips;
};

/// Behind what is selected in rows and plots: the accent at 12 %.
QColor selectionColor();
/// Of the edge at its side.
inline constexpr int kSelectionEdge = 3;

/// All text so many times as large as the desktop has it; seen with the next applyTheme().
void setTextScale(double scale);
double textScale();

} // namespace tilewright::views
