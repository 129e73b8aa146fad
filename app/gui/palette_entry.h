#pragma once

#include <QString>

#include <functional>
#include <vector>

namespace tilewright::app {

class MainWindow;

/// Something the palette finds by name, and what choosing it does.
struct PaletteEntry {
    QString text;        ///< as the list shows it
    QString kind;        ///< "command", "layer", …, translated
    QString keys;        ///< its shortcut, or ""
    QString words;       ///< further words that find it
    bool enabled = true; ///< false: listed, but cannot be chosen now
    std::function<void()> run;
    bool acts = false; ///< does or shows something: ranks before things of the same name
};

/// How well `query` names the entry; 0: not at all. Each word of the query must match. A whole word of the text ranks before
/// the beginning of one, then whole further words, parts of words, and last letters that only occur in this order. For an entry
/// that acts, a whole further word counts almost as one of the text, and it ranks first if all words match wholly.
int matchScore(QString const &query, PaletteEntry const &entry);

/// Every action with its shortcut, the modes, saved arrangements, themes, languages and units, proposals of pipeline stages and the modes
/// of Execution.
std::vector<PaletteEntry> commandEntries(MainWindow &window);
/// The commands, and everything that has a name: targets, layers of the model, layer classes to add, options, fields of plan and
/// data, runs of the project, and the operations, variables and compute sets of the report on show.
std::vector<PaletteEntry> thingEntries(MainWindow &window);

} // namespace tilewright::app
