#pragma once

#include "views/help/help_page.h"

#include <QHash>

namespace tilewright::views {

struct HelpHit {
    int page = -1; ///< index in HelpLibrary::pages()
    int score = 0;
    QString excerpt;
};

/// All pages in one language: written ones of resources/help, where a translation is missing the English one;
/// reference pages; index pages. A value that never changes once made.
class HelpLibrary {
public:
    HelpLibrary() = default;
    explicit HelpLibrary(QList<HelpPage> pages);
    /// Reads ":/help/LANGUAGE/*.md". Requires: initResources(). Languages that are not there: English.
    static HelpLibrary load(QString const &language);

    QList<HelpPage> const &pages() const { return m_pages; }
    HelpPage const *find(QString const &id) const;
    /// The page that somebody means who asks by a page id, a view's id ("memory", "view:memory"), a concept, a layer's
    /// or option's name with or without its prefix; empty: nothing of that name.
    QString resolve(QString const &wanted) const;
    /// Pages in which every word of the query occurs, best first: in the title, in the id, in the text.
    QList<HelpHit> search(QString const &query) const;
    /// Ids of all pages of a kind, in their order.
    QStringList idsOfKind(QString const &kind) const;

private:
    QList<HelpPage> m_pages;
    QHash<QString, int> m_byId;
    QStringList m_plain; ///< by page, plainText()
};

} // namespace tilewright::views
