#pragma once

class QString;
class QTextDocument;

namespace tilewright::views {

/// Gives a document made of Markdown the look of the program: fonts, distances and colours of the present theme.
void styleHelpDocument(QTextDocument &document);

/// Underlines the links that lead to `href`, the one under the pointer, and no others; empty: none.
void underlineLinks(QTextDocument &document, QString const &href);

} // namespace tilewright::views
