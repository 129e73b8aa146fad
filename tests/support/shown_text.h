#pragma once

#include <QStringList>

class QWidget;

// Faults in the texts of widgets as laid out and drawn, in any view. Each fault is a line with the widget, its text and the missing part.
namespace tilewright::tests {

/// Labels, buttons, boxes, tabs, titles of groups, table headings and placeholders that need more room than they have, or are partly
/// outside of
/// their parent. Elided text must be complete in the tool tip; buttons, titles and headings must not be elided.
QStringList clippedTexts(QWidget &root);

/// Texts with less contrast than WCAG requires between their strongest colour and their ground: 4.5, for large text 3. Drawn like the
/// widget;
/// disabled text is exempt.
QStringList faintTexts(QWidget &root);

/// The visible text, without the marks of keys and links.
QStringList readTexts(QWidget &root);

} // namespace tilewright::tests
