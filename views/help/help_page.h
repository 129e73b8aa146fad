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

/// Cuts a file of pages: each begins with a line "<!-- page ID -->" and its heading. What stands before the
/// first such line is for authors and belongs to no page.
QList<HelpPage> parseHelpPages(QString const &text);

/// The page as it is read: no marks, no link targets. For searching and for excerpts.
QString plainText(QString const &markdown);
/// The first sentence below the heading, plain.
QString firstSentence(QString const &markdown);
/// Targets of all links of a page, in order.
QStringList linkTargets(QString const &markdown);

/// The same text with everything that Markdown would read as a mark taken literally.
QString escapedMarkdown(QString const &text);

} // namespace tilewright::views
