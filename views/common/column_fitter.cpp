#include "views/common/column_fitter.h"

#include "views/common/theme.h"

#include <QApplication>
#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QTreeView>

#include <algorithm>

namespace tilewright::views {

namespace {

/// Narrower says nothing any more; the first column has the names.
constexpr int kLeast = 14 * kGrid, kLeastName = 36 * kGrid;
/// Names are what a row is found by, and in a tree they are indented: they give way last.
constexpr int kNameShare = 3;

} // namespace

ColumnFitter::ColumnFitter(QTreeView &tree) : QObject(&tree), m_tree(tree), m_bar(Qt::ScrollBarAlwaysOff)
{
    tree.installEventFilter(this);
    tree.setHorizontalScrollBarPolicy(m_bar);
    connect(tree.header(), &QHeaderView::sectionResized, this, [this] {
        if (!m_fitting && (QApplication::mouseButtons() & Qt::LeftButton)) m_theirs = true;
        showBar();
    });
    connect(tree.header(), &QHeaderView::sectionCountChanged, this, &ColumnFitter::showBar);
}

int ColumnFitter::room() const
{
    bool const bar = m_tree.verticalScrollBarPolicy() != Qt::ScrollBarAlwaysOff;
    return m_tree.width() - 2 * m_tree.frameWidth() - (bar ? m_tree.verticalScrollBar()->sizeHint().width() : 0);
}

void ColumnFitter::showBar()
{
    if (m_fitting || m_tree.horizontalScrollBarPolicy() != m_bar) return; // a figure has no bars
    auto const &header = *m_tree.header();
    int length = header.length();
    // A last column that takes what is left is no reason for a bar.
    if (header.stretchLastSection()) {
        int last = header.count() - 1;
        while (last >= 0 && header.isSectionHidden(header.logicalIndex(last))) --last;
        if (last >= 0) length += kLeast - header.sectionSize(header.logicalIndex(last));
    }
    m_bar = length > room() ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff;
    m_tree.setHorizontalScrollBarPolicy(m_bar);
}

void ColumnFitter::setWishes(std::vector<int> widths, std::vector<char> optional)
{
    m_wishes = std::move(widths);
    m_optional = std::move(optional);
    m_optional.resize(m_wishes.size(), 0);
    m_hidden.assign(m_wishes.size(), 0);
    m_theirs = false;
    fit();
}

bool ColumnFitter::hides(int column) const { return column >= 0 && column < static_cast<int>(m_hidden.size()) && m_hidden[static_cast<std::size_t>(column)]; }

void ColumnFitter::hideWhatHasNoRoom(int room)
{
    int left = room;
    for (std::size_t i = 0; i < m_wishes.size(); ++i)
        if (!m_optional[i] && !m_tree.isColumnHidden(static_cast<int>(i))) left -= m_wishes[i];
    for (std::size_t i = 0; i < m_wishes.size(); ++i) {
        bool const hidden = m_tree.isColumnHidden(static_cast<int>(i));
        if (!m_optional[i] || (hidden && !m_hidden[i])) continue; // hidden by a person
        m_hidden[i] = m_wishes[i] > left;
        left = m_hidden[i] ? 0 : left - m_wishes[i]; // what comes after it waits too
        if (hidden != static_cast<bool>(m_hidden[i])) m_tree.setColumnHidden(static_cast<int>(i), m_hidden[i]);
    }
}

void ColumnFitter::fit()
{
    if (m_theirs || m_wishes.empty()) return;
    int const room = this->room();
    m_fitting = true; // what is hidden here tells of widths too: none of them is a person's, also while a button is down
    hideWhatHasNoRoom(room);
    int wanted = 0, least = 0, widest = 0;
    auto const leastOf = [](int column) { return column == 0 ? kLeastName : kLeast; };
    auto const shown = [this](std::size_t i) { return !m_tree.isColumnHidden(static_cast<int>(i)); };
    for (std::size_t i = 0; i < m_wishes.size(); ++i)
        if (shown(i)) {
            wanted += m_wishes[i];
            least += std::min(m_wishes[i], leastOf(static_cast<int>(i)));
            widest = std::max(widest, m_wishes[i]);
        }
    auto const under = [&](std::size_t i, int cap) { return std::min(m_wishes[i], std::max(i == 0 ? kNameShare * cap : cap, leastOf(static_cast<int>(i)))); };
    int cap = widest;
    if (wanted > room && least <= room) { // the highest cap under which all of them fit
        int low = 0;
        while (low < cap) {
            int const middle = (low + cap + 1) / 2;
            int sum = 0;
            for (std::size_t i = 0; i < m_wishes.size(); ++i)
                if (shown(i)) sum += under(i, middle);
            if (sum <= room) low = middle;
            else cap = middle - 1;
        }
    }
    // Room to spare belongs to the columns: nothing is cut beside an empty half of a table.
    double const wider = wanted > 0 && wanted < room ? std::min(2.0, static_cast<double>(room) / wanted) : 1.0;
    for (std::size_t i = 0; i < m_wishes.size(); ++i) m_tree.setColumnWidth(static_cast<int>(i), static_cast<int>(under(i, cap) * wider));
    m_fitting = false;
    showBar();
}

bool ColumnFitter::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == &m_tree && event->type() == QEvent::Resize && !m_fitting) {
        fit();
        showBar(); // also where the widths are a person's
    }
    return QObject::eventFilter(watched, event);
}

} // namespace tilewright::views
