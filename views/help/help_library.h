#pragma once

#include "views/help/help_page.h"

#include <QHash>

namespace tilewright::views {

struct HelpHit {
    int page = -1; ///< index in HelpLibrary::pages()
    int score = 0;
    QString excerpt;
};

/// All pages in one language: pages of resources/help (English if a translation is missing), reference pages, index pages. Immutable.
class HelpLibrary {
public:
    HelpLibrary() = default;
    explicit HelpLibrary(QList<HelpPage> pages);
    /// Reads ":/help/LANGUAGE/*.md". Requires: initResources(). Unknown languages: English.
    static HelpLibrary load(QString const &language);

    QList<HelpPage> const &pages() const { return m_pages; }
    HelpPage const *find(QString const &id) const;
    /// The page for a page id, a view's id ("memory", "view:memory"), a concept, or a layer's or option's name with or without prefix;
    /// empty: none.
    QString resolve(QString const &wanted) const;
    /// Pages that contain every word of the query, best first: matches in the title, in the id, in the text.
    QList<HelpHit> search(QString const &query) const;
    /// Ids of all pages of a kind, in their order.
    QStringList idsOfKind(QString const &kind) const;

private:
    QList<HelpPage> m_pages;
    QHash<QString, int> m_byId;
    QStringList m_plain; ///< by page, plainText()
};

} // namespace tilewright::views
