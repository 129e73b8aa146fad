#pragma once

#include <QStringList>

class QWidget;

// What is wrong with the texts of widgets as they are laid out and drawn, whatever view they are of. Each fault is a line
// with the widget, its text and what is missing.
namespace tilewright::tests {

/// Labels, buttons, boxes, tabs, titles of groups, headings of tables and placeholders that need more room than they have, or
/// lie partly outside of what shows them. What is cut on purpose has its whole text in the tooltip that comes; buttons, titles and
/// headings may not be cut.
QStringList clippedTexts(QWidget &root);

/// Texts whose strongest colour does not stand out from their ground as WCAG asks: 4.5 times, large ones 3 times. Drawn as
/// they are; what cannot be used now is no fault.
QStringList faintTexts(QWidget &root);

/// What one reads there, without marks of keys and of links.
QStringList readTexts(QWidget &root);

} // namespace tilewright::tests
