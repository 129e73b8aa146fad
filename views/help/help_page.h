#pragma once

#include <QList>
#include <QString>

// Pages of the help as values. An id is "KIND:NAME": concept:tile, viewhelp:memory, lesson:mnist, layer:Dense,
// option:ipu_config.io_tiles.num_io_tiles, index:concepts. Links between pages are ids.
namespace tilewright::views {

struct HelpPage {
    QString id;
    QString title;    ///< the first heading
    QString markdown; ///< the whole page, heading included
    QString kind() const { return id.section(QLatin1Char(':'), 0, 0); }
    QString name() const { return id.section(QLatin1Char(':'), 1); }
    bool operator==(HelpPage const &) const = default;
};

/// Splits a file into pages: each begins with a line "<!-- page ID -->" and its heading. Text before the first page is for authors.
QList<HelpPage> parseHelpPages(QString const &text);

/// The text of a page without marks and link targets, for searching and excerpts.
QString plainText(QString const &markdown);
/// The first sentence below the heading, plain.
QString firstSentence(QString const &markdown);
/// Targets of all links of a page, in order.
QStringList linkTargets(QString const &markdown);

/// Escapes all characters that Markdown would interpret.
QString escapedMarkdown(QString const &text);

} // namespace tilewright::views
