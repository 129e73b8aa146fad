#pragma once

#include <QString>

namespace tilewright::views {

/// Effect of a link in a help page. "view:memory" shows a view, "template:mnist-mlp" creates a project, "action:compile" and "action:train"
/// run it, "select:tile/12" and "select:layer/dense" select; everything else is the id of a page.
struct HelpLink {
    enum Kind { Page, ShowView, OpenTemplate, Compile, Train, SelectTile, SelectLayer, Broken };
    Kind kind = Page;
    QString name; ///< page id, view id, template, layer; the tile's number as text
    bool operator==(HelpLink const &) const = default;
};

HelpLink parseHelpLink(QString const &target);

} // namespace tilewright::views
