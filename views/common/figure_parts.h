#pragma once

#include <QString>
#include <QVariant>
#include <QWidget>

// Marks for the parts of a view in its pictures. A figure is the plot with title, legend, scale and source, without controls. Buttons,
// choices, fields, tabs and scroll bars are removed automatically; these functions mark other parts.
namespace tilewright::views {

inline constexpr char kDrawsFigures[] = "drawsFigures", kOutOfFigures[] = "outOfFigures", kPartOfFigures[] = "partOfFigures",
                      kFigureSize[] = "figureSize", kFigureRest[] = "figureRest", kIsFigure[] = "isFigure";

/// Pictures of this view are figures. Without this mark (editors) the view is drawn unchanged.
inline void drawsFigures(QWidget &view) { view.setProperty(kDrawsFigures, true); }
/// For rows of choices, side panels, tables of details.
inline void keepOutOfFigures(QWidget &widget) { widget.setProperty(kOutOfFigures, true); }
/// The size of a drawing at its own scale, so that its figure has no empty margin.
inline void asksInFigures(QWidget &widget, QSize size) { widget.setProperty(kFigureSize, size); }
/// Describes the part of a drawing that has no space: "3 more lanes". Empty: everything has space.
inline void saysInFigures(QWidget &widget, QString const &rest) { widget.setProperty(kFigureRest, rest); }
/// For a legend made of buttons.
inline void keepInFigures(QWidget &widget) { widget.setProperty(kPartOfFigures, true); }

/// Whether the widget is in a figure. Such a widget shows everything, not just the part visible in the window.
inline bool isInFigure(QWidget const &widget)
{
    for (QWidget const *w = &widget; w; w = w->parentWidget())
        if (w->property(kIsFigure).toBool()) return true;
    return false;
}

} // namespace tilewright::views
