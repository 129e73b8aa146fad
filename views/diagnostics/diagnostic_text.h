#pragma once

#include "engine/core/result.h"

#include <QString>

// Messages of the engine in the language of the window. The engine itself writes English: logs, the commands and files stay so.
namespace tilewright::views {

/// The translated pattern with the arguments in its places, numbers as the reader's language writes them. A finished text is looked up
/// among the texts of the registries and otherwise stays as it is.
QString messageText(Message const &message);

struct DiagnosticText {
    QString message, remedy;
};
DiagnosticText diagnosticText(Diagnostic const &diagnostic);
/// Message and remedy as sentences, one after the other.
QString diagnosticSentences(Diagnostic const &diagnostic);
/// The subject: a name stays as it is, the place of a tile is translated.
QString subjectText(Diagnostic const &diagnostic);
/// Subject, message and remedy in one line: "dense: Message. Remedy."
QString diagnosticLine(Diagnostic const &diagnostic);
/// With a capital first letter, unless the text begins with the name of a field, and a full stop.
QString sentence(QString text);

} // namespace tilewright::views
