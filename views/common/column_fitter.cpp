#include "views/common/column_fitter.h"

#include "views/common/theme.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QTreeView>

#include <algorithm>

namespace tilewright::views {

namespace {

/// Minimum useful width; the first column has the names.
constexpr int kLeast = 14 * kGrid, kLeastName = 36 * kGrid;
/// Texts up to this length are short and useless when cut.
constexpr int kShortWords = 24 * kGrid;
/// Additional width of the sort arrow beyond the room at each title.
constexpr int kArrow = 3 * kGrid;
/// Names identify rows, and trees indent them, so they shrink last.
constexpr int kNameShare = 3;

} // namespace

ColumnFitter::ColumnFitter(QTreeView &tree)
    : QObject(&tree), m_tree(tree), m_titles(tree.header()->viewport()), m_bar(Qt::ScrollBarAlwaysOff)
{
    tree.installEventFilter(this);
    m_titles->installEventFilter(this);
    tree.setHorizontalScrollBarPolicy(m_bar);
    connect(tree.header(), &QHeaderView::sectionResized, this, [this] {
        if (!m_fitting && m_pressed) m_theirs = true;
        showBar();
    });
    connect(tree.header(), &QHeaderView::sectionCountChanged, this, &ColumnFitter::showBar);
    connect(tree.header(), &QHeaderView::sortIndicatorChanged, this, &ColumnFitter::fit);
}

int ColumnFitter::room() const
{
    bool const bar = m_tree.verticalScrollBarPolicy() != Qt::ScrollBarAlwaysOff;
    return m_tree.width() - 2 * m_tree.frameWidth() - (bar ? m_tree.verticalScrollBar()->sizeHint().width() : 0);
}

void ColumnFitter::showBar()
{
    if (m_fitting || m_tree.horizontalScrollBarPolicy() != m_bar) return; // a figure has no scroll bars
    auto const &header = *m_tree.header();
    int length = header.length();
    // A stretched last column is no reason for a scroll bar.
    if (header.stretchLastSection()) {
        int last = header.count() - 1;
        while (last >= 0 && header.isSectionHidden(header.logicalIndex(last))) --last;
        if (last >= 0) length += kLeast - header.sectionSize(header.logicalIndex(last));
    }
    m_bar = length > room() ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff;
    m_tree.setHorizontalScrollBarPolicy(m_bar);
}

void ColumnFitter::setWishes(std::vector<ColumnWish> wishes)
{
    m_wishes = std::move(wishes);
    m_hidden.assign(m_wishes.size(), 0);
    m_theirs = false;
    fit();
}

void ColumnFitter::widen(std::vector<ColumnWish> const &wishes)
{
    bool wider = false;
    for (std::size_t i = 0; i < std::min(wishes.size(), m_wishes.size()); ++i) {
        wider = wider || wishes[i].content > m_wishes[i].content;
        m_wishes[i].content = std::max(m_wishes[i].content, wishes[i].content);
    }
    if (wider) fit();
}

bool ColumnFitter::hides(int column) const
{
    return column >= 0 && column < static_cast<int>(m_hidden.size()) && m_hidden[static_cast<std::size_t>(column)];
}

void ColumnFitter::hideWhatHasNoRoom(int room)
{
    int left = room;
    for (std::size_t i = 0; i < m_wishes.size(); ++i)
        if (!m_wishes[i].optional && !m_tree.isColumnHidden(static_cast<int>(i))) left -= m_wishes[i].width;
    for (std::size_t i = 0; i < m_wishes.size(); ++i) {
        bool const hidden = m_tree.isColumnHidden(static_cast<int>(i));
        if (!m_wishes[i].optional || (hidden && !m_hidden[i])) continue; // hidden by a person
        m_hidden[i] = m_wishes[i].width > left;
        left = m_hidden[i] ? 0 : left - m_wishes[i].width; // later columns wait too
        if (hidden != static_cast<bool>(m_hidden[i])) m_tree.setColumnHidden(static_cast<int>(i), m_hidden[i]);
    }
}

int ColumnFitter::titleOf(std::size_t column) const
{
    auto const &header = *m_tree.header();
    bool const sorted = header.isSortIndicatorShown() && header.sortIndicatorSection() == static_cast<int>(column);
    return m_wishes[column].title + (sorted ? kArrow : 0);
}

std::vector<int> ColumnFitter::widthsFor(int room) const
{
    // From the minimum width of the table (titles complete) to its full width; the room is between two of these.
    enum { Bare, Readable, Whole, Wished, Everything, Steps };
    std::vector<int> widths[Steps];
    int sums[Steps] = {};
    for (std::size_t i = 0; i < m_wishes.size(); ++i) {
        auto const &wish = m_wishes[i];
        int const title = titleOf(i), wished = std::max({wish.width, title, wish.whole ? wish.content : 0}),
                  known = wish.content > 0 ? std::max(wish.content, title) : wished;
        int step[Steps];
        step[Bare] = std::min(wished, std::max(title, i == 0 ? std::clamp(known, kLeast, kLeastName) : kLeast));
        step[Whole] = std::clamp(known, step[Bare], wished);
        int const readable =
            wish.content == 0 ? step[Bare] : std::max(title, wish.whole ? wish.content : std::min(wish.content, kShortWords));
        step[Readable] = std::clamp(readable, step[Bare], step[Whole]);
        step[Wished] = wished;
        step[Everything] = std::max(wished, wish.content);
        bool const shown = !m_tree.isColumnHidden(static_cast<int>(i));
        for (int s = 0; s < Steps; ++s) {
            widths[s].push_back(step[s]);
            sums[s] += shown ? step[s] : 0;
        }
    }
    if (sums[Bare] > room) return widths[Wished]; // it scrolls, with complete words
    if (sums[Everything] <= room) {
        // Spare room goes to the columns, so that nothing is cut beside empty space.
        double const wider = sums[Everything] > 0 ? std::min(2.0, static_cast<double>(room) / sums[Everything]) : 1.0;
        for (int &width : widths[Everything]) width = static_cast<int>(width * wider);
        return widths[Everything];
    }
    int step = Bare;
    while (sums[step + 1] <= room) ++step;
    auto const under = [&](std::size_t i, int cap) {
        return std::clamp(i == 0 ? kNameShare * cap : cap, widths[step][i], widths[step + 1][i]);
    };
    int cap = 0;
    for (int high = room; cap < high;) { // the largest cap for which all columns fit
        int const middle = (cap + high + 1) / 2;
        int sum = 0;
        for (std::size_t i = 0; i < m_wishes.size(); ++i)
            if (!m_tree.isColumnHidden(static_cast<int>(i))) sum += under(i, middle);
        if (sum <= room) cap = middle;
        else high = middle - 1;
    }
    std::vector<int> fitted;
    for (std::size_t i = 0; i < m_wishes.size(); ++i) fitted.push_back(under(i, cap));
    return fitted;
}

void ColumnFitter::fit()
{
    if (m_theirs || m_wishes.empty()) return;
    int const room = this->room();
    m_fitting = true; // hiding changes widths too; those are not set by a person, even while a mouse button is down
    hideWhatHasNoRoom(room);
    auto const widths = widthsFor(room);
    for (std::size_t i = 0; i < widths.size(); ++i) m_tree.setColumnWidth(static_cast<int>(i), widths[i]);
    m_fitting = false;
    showBar();
}

bool ColumnFitter::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_titles) {
        if (event->type() == QEvent::MouseButtonPress) m_pressed = true;
        else if (event->type() == QEvent::MouseButtonRelease) m_pressed = false;
    }
    if (watched == &m_tree && event->type() == QEvent::Resize && !m_fitting) {
        fit();
        showBar(); // also if a person set the widths
    }
    return QObject::eventFilter(watched, event);
}

} // namespace tilewright::views
