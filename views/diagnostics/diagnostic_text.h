#pragma once

#include "engine/core/result.h"

#include <QString>
#include <QStringList>

#include <optional>

// What a diagnostic of the engine says in the language of the window. The engine itself speaks English: logs, the commands and
// what goes into files stay so.
namespace tilewright::views {

/// Its pattern translated, its numbers as the reader writes them. A finished text is looked for among those of the registries.
QString messageText(Message const &message);

struct DiagnosticText {
    QString message, remedy;
};
/// By its code, with the values of its message in their places. A message that the dictionary does not hold stays as it is, after
/// the translated title of its code.
DiagnosticText diagnosticText(Diagnostic const &diagnostic);
/// Of what the engine says that is no diagnostic: where data come from, why a program was not in the cache.
QString engineText(QString const &english);
/// Message and remedy as sentences, one behind the other.
QString diagnosticSentences(Diagnostic const &diagnostic);
/// What it is about: a name stays one, a tile is said in words.
QString subjectText(Diagnostic const &diagnostic);
/// Code, subject and text in one line: "dense: message. remedy".
QString diagnosticLine(Diagnostic const &diagnostic);
/// First letter capital, unless a name stands there; with a full stop.
QString sentence(QString text);

/// The values of `text` if it says what `pattern` says with values in the places of %1, %2 …; a full stop at the end does not
/// count. Empty: it does not.
std::optional<QStringList> valuesIn(QString const &text, QString const &pattern);

} // namespace tilewright::views
