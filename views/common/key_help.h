#pragma once

#include <QStringList>
#include <QVariant>
#include <QWidget>

// The keys of a drawing, as the list behind "?" shows them. A line is "keys<TAB>what they do".
namespace tilewright::views {

inline constexpr char kKeyHelp[] = "keyHelp";

inline void setKeyHelp(QWidget &widget, QStringList const &lines) { widget.setProperty(kKeyHelp, lines); }

/// Of all visible drawings below `root`, each line once.
inline QStringList keyHelpBelow(QWidget const &root)
{
    QStringList lines = root.property(kKeyHelp).toStringList();
    for (auto const *child : root.findChildren<QWidget *>())
        if (child->isVisible()) lines << child->property(kKeyHelp).toStringList();
    lines.removeDuplicates();
    return lines;
}

} // namespace tilewright::views
