#pragma once

#include <QWidget>

// What of a view belongs into its pictures. A figure is the plot with its title, legend, scale and source; what one works
// the view with stays out: buttons, choices, fields, tabs and scroll bars do so by themselves, other parts by these words.
namespace tilewright::views {

inline constexpr char kDrawsFigures[] = "drawsFigures", kOutOfFigures[] = "outOfFigures", kPartOfFigures[] = "partOfFigures", kFigureSize[] = "figureSize";

/// Pictures of this view are figures. Views of editors do not say so: they are drawn as they stand.
inline void drawsFigures(QWidget &view) { view.setProperty(kDrawsFigures, true); }
/// Rows of choices, side panels, tables of details.
inline void keepOutOfFigures(QWidget &widget) { widget.setProperty(kOutOfFigures, true); }
/// What a drawing takes at its own scale: a figure has no empty page around it.
inline void asksInFigures(QWidget &widget, QSize size) { widget.setProperty(kFigureSize, size); }
/// A legend that is made of buttons.
inline void keepInFigures(QWidget &widget) { widget.setProperty(kPartOfFigures, true); }

} // namespace tilewright::views
