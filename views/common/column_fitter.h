#pragma once

#include <QObject>

#include <vector>

class QTreeView;

namespace tilewright::views {

/// Keeps a table from scrolling sideways where that can be: the widest columns give way first, down to what can still be read.
/// Once a person has set a width, widths are theirs.
///
/// It also says whether the table has a bar below, by the width of the table alone: Qt asks for either bar by the room that
/// the other leaves at that moment, so a table a little too wide and a little too high for both would show one and hide the
/// other for ever, and the window would hang. So the room beside a bar at the right is left free also where there is none.
class ColumnFitter : public QObject {
    Q_OBJECT
public:
    explicit ColumnFitter(QTreeView &tree);
    /// What the columns would like to have. Those that are `optional` are there only where they have it, the first of them first.
    void setWishes(std::vector<int> widths, std::vector<char> optional = {});
    void fit();
    bool hides(int column) const; ///< for want of room
    void leave() { m_theirs = true; }
protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
private:
    QTreeView &m_tree;
    std::vector<int> m_wishes;
    std::vector<char> m_optional, m_hidden;
    void hideWhatHasNoRoom(int room);
    int room() const;
    void showBar();
    Qt::ScrollBarPolicy m_bar;
    bool m_fitting = false, m_theirs = false;
};

} // namespace tilewright::views
