#pragma once

#include <QObject>

#include <vector>

class QTreeView;

namespace tilewright::views {

/// Requested widths of a column, in pixels.
struct ColumnWish {
    int width = 0;         ///< preferred width
    int title = 0;         ///< width of its shortest title
    int content = 0;       ///< the widest known cell; 0: unknown
    bool whole = false;    ///< a number, which must not be cut
    bool optional = false; ///< shown only at its full width
};

/// Avoids horizontal scrolling of a table. Columns first give up empty space. Then long texts are cut, the widest column first; numbers and
/// short words are cut last. If not even the titles have space, the table scrolls. After the user sets a width, the user's widths stay.
///
/// It also decides whether the table has a horizontal scroll bar, from the width of the table alone. Qt decides on either bar from the
/// space that the other one leaves: a table slightly too wide and slightly too high would alternate between both for ever, and the window
/// would hang. Space for a vertical bar is therefore reserved even if there is none.
class ColumnFitter : public QObject {
    Q_OBJECT
public:
    explicit ColumnFitter(QTreeView &tree);
    /// Of the `optional` columns, the first one has priority.
    void setWishes(std::vector<ColumnWish> wishes);
    /// Applies cells that were added later. Columns only grow, so that a growing table does not jitter.
    void widen(std::vector<ColumnWish> const &wishes);
    void fit();
    bool hides(int column) const; ///< hidden because of lack of space
    void leave() { m_theirs = true; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QTreeView &m_tree;
    QObject *const m_titles; ///< events come while the tree is destroyed: its members cannot be asked then
    std::vector<ColumnWish> m_wishes;
    std::vector<char> m_hidden;
    void hideWhatHasNoRoom(int room);
    std::vector<int> widthsFor(int room) const;
    int titleOf(std::size_t column) const; ///< including the arrow of a sorted column
    int room() const;
    void showBar();
    Qt::ScrollBarPolicy m_bar;
    bool m_fitting = false, m_theirs = false;
    bool m_pressed = false; ///< the mouse is down in the header: widths are set by a person
};

} // namespace tilewright::views
