#pragma once

class QTextDocument;

namespace tilewright::views {

/// Gives a document made of Markdown the look of the program: fonts, distances and colours of the present theme.
void styleHelpDocument(QTextDocument &document);

} // namespace tilewright::views
