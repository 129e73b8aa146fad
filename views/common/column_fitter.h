#pragma once

#include <QObject>

#include <vector>

class QTreeView;

namespace tilewright::views {

/// What a column asks for, in pixels.
struct ColumnWish {
    int width = 0;         ///< would like to have
    int title = 0;         ///< its shortest title
    int content = 0;       ///< the widest cell that is known; 0: none is
    bool whole = false;    ///< a number: cut, it would say something else
    bool optional = false; ///< there only where it has its width
};

/// Keeps a table from scrolling sideways where that can be. Columns first give up room that is empty, then what is long gives
/// way, the widest first: numbers and short words are cut only where nothing else is left to give. Where not even the titles
/// have room, the table scrolls.
/// Once a person has set a width, widths are theirs.
///
/// It also says whether the table has a bar below, by the width of the table alone: Qt asks for either bar by the room that
/// the other leaves at that moment, so a table a little too wide and a little too high for both would show one and hide the
/// other for ever, and the window would hang. So the room beside a bar at the right is left free also where there is none.
class ColumnFitter : public QObject {
    Q_OBJECT
public:
    explicit ColumnFitter(QTreeView &tree);
    /// Of those that are `optional`, the first is there first.
    void setWishes(std::vector<ColumnWish> wishes);
    /// Cells that came since then: columns are asked for more, never for less, so that a table that grows does not tremble.
    void widen(std::vector<ColumnWish> const &wishes);
    void fit();
    bool hides(int column) const; ///< for want of room
    void leave() { m_theirs = true; }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QTreeView &m_tree;
    std::vector<ColumnWish> m_wishes;
    std::vector<char> m_hidden;
    void hideWhatHasNoRoom(int room);
    std::vector<int> widthsFor(int room) const;
    int titleOf(std::size_t column) const; ///< with the arrow where the table is sorted by it
    int room() const;
    void showBar();
    Qt::ScrollBarPolicy m_bar;
    bool m_fitting = false, m_theirs = false;
};

} // namespace tilewright::views
