#pragma once

#include <QString>

class QLabel;

namespace tilewright::views {

/// A link as rich text: words in the colour of links, underlined while hovered.
QString linkHtml(QString const &href, QString const &text, bool hovered = false);
/// Underlines the links of a label while the mouse is over them. Call once per label.
void underlineOnHover(QLabel &label);

} // namespace tilewright::views
