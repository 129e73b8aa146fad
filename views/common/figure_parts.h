#pragma once

#include <QString>
#include <QVariant>
#include <QWidget>

// What of a view belongs into its pictures. A figure is the plot with its title, legend, scale and source; what one works
// the view with stays out: buttons, choices, fields, tabs and scroll bars do so by themselves, other parts by these words.
namespace tilewright::views {

inline constexpr char kDrawsFigures[] = "drawsFigures", kOutOfFigures[] = "outOfFigures", kPartOfFigures[] = "partOfFigures",
                      kFigureSize[] = "figureSize", kFigureRest[] = "figureRest", kIsFigure[] = "isFigure";

/// Pictures of this view are figures. Views of editors do not say so: they are drawn as they stand.
inline void drawsFigures(QWidget &view) { view.setProperty(kDrawsFigures, true); }
/// Rows of choices, side panels, tables of details.
inline void keepOutOfFigures(QWidget &widget) { widget.setProperty(kOutOfFigures, true); }
/// What a drawing takes at its own scale: a figure has no empty page around it.
inline void asksInFigures(QWidget &widget, QSize size) { widget.setProperty(kFigureSize, size); }
/// What of a drawing has no room in it, in words: "3 more lanes". Empty: all of it has.
inline void saysInFigures(QWidget &widget, QString const &rest) { widget.setProperty(kFigureRest, rest); }
/// A legend that is made of buttons.
inline void keepInFigures(QWidget &widget) { widget.setProperty(kPartOfFigures, true); }

/// Whether the widget stands in a view that is a figure by now: it shows the whole of what the window shows a part of.
inline bool isInFigure(QWidget const &widget)
{
    for (QWidget const *w = &widget; w; w = w->parentWidget())
        if (w->property(kIsFigure).toBool()) return true;
    return false;
}

} // namespace tilewright::views
