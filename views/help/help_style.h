#pragma once

class QString;
class QTextDocument;

namespace tilewright::views {

/// Applies the program's fonts, distances and colours to a Markdown document, in the current theme.
void styleHelpDocument(QTextDocument &document);

/// Underlines the links to `href` (under the pointer) only; empty: none.
void underlineLinks(QTextDocument &document, QString const &href);

} // namespace tilewright::views
