#include "app/gui/command_palette.h"

#include "app/gui/main_window.h"
#include "views/common/theme.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <tuple>

namespace tilewright::app {

namespace {

constexpr int kShown = 60;
constexpr int kKindRole = Qt::UserRole, kKeysRole = Qt::UserRole + 1;

/// A line of the list: the entry's name, its shortcut and, at the right edge, its kind.
class EntryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, QStyleOptionViewItem const &option, QModelIndex const &index) const override
    {
        QStyleOptionViewItem line = option;
        initStyleOption(&line, index);
        QString const text = line.text, kind = index.data(kKindRole).toString(), keys = index.data(kKeysRole).toString();
        line.text.clear();
        line.widget->style()->drawControl(QStyle::CE_ItemViewItem, &line, painter, line.widget);
        QRect const room = option.rect.adjusted(views::kGap, 0, -views::kGap, 0);
        auto const &metrics = option.fontMetrics;
        int const kindWidth = metrics.horizontalAdvance(kind) + (keys.isEmpty() ? 0 : metrics.horizontalAdvance(keys) + 2 * views::kGap);
        bool const enabled = option.state.testFlag(QStyle::State_Enabled);
        auto const &theme = views::theme();
        painter->save();
        painter->setPen(theme[views::Token::SecondaryText]);
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, kind);
        if (!keys.isEmpty())
            painter->drawText(room.adjusted(0, 0, -metrics.horizontalAdvance(kind) - 2 * views::kGap, 0), Qt::AlignRight | Qt::AlignVCenter,
                              keys);
        painter->setPen(theme[enabled ? views::Token::Text : views::Token::SecondaryText]);
        QRect const nameRoom = room.adjusted(0, 0, -kindWidth - 2 * views::kGap, 0);
        painter->drawText(nameRoom, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideMiddle, nameRoom.width()));
        painter->restore();
    }
};

} // namespace

CommandPalette::CommandPalette(QString const &hint, std::vector<PaletteEntry> entries, QWidget *parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint), m_entries(std::move(entries)), m_line(new QLineEdit(this)),
      m_list(new QListWidget(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(hint);
    m_line->setPlaceholderText(hint);
    m_line->setAccessibleName(hint);
    m_list->setAccessibleName(tr("Matches"));
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setItemDelegate(new EntryDelegate(m_list));
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(views::kGap, views::kGap, views::kGap, views::kGap);
    all->addWidget(m_line);
    all->addWidget(m_list);
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListWidget::itemActivated, this, [this] { accept(m_list->currentRow()); });
    connect(m_list, &QListWidget::itemClicked, this, [this] { accept(m_list->currentRow()); });
    m_line->installEventFilter(this);
    int const width = std::min(640, parent->width() - 40);
    QPoint const corner = parent->mapToGlobal(QPoint((parent->width() - width) / 2, 64));
    m_mostHeight = std::min(420, parent->height() - 120);
    setGeometry(QRect(corner, QSize(width, m_mostHeight)));
    filter({});
    m_line->setFocus();
}

bool CommandPalette::eventFilter(QObject *object, QEvent *event)
{
    if (object == m_line && event->type() == QEvent::KeyPress) {
        auto const key = static_cast<QKeyEvent *>(event)->key();
        int const row = m_list->currentRow(), last = m_list->count() - 1;
        if (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_PageDown || key == Qt::Key_PageUp) {
            int const by = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : key == Qt::Key_PageDown ? 10 : -10;
            m_list->setCurrentRow(std::clamp(row + by, 0, std::max(0, last)));
            return true;
        }
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            accept(row);
            return true;
        }
    }
    return QDialog::eventFilter(object, event);
}

void CommandPalette::filter(QString const &text)
{
    struct Match {
        int score, index;
        bool enabled;
    };
    std::vector<Match> matches;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (int const score = matchScore(text, m_entries[i]); score > 0)
            // Enter takes the first entry, so it should be one that does something.
            matches.push_back({m_entries[i].enabled ? score : std::max(1, score - 1000), static_cast<int>(i), m_entries[i].enabled});
    std::size_t const shown = std::min<std::size_t>(matches.size(), kShown);
    std::ranges::partial_sort(matches, matches.begin() + static_cast<std::ptrdiff_t>(shown), [](Match const &a, Match const &b) {
        return std::tuple(b.score, b.enabled, a.index) < std::tuple(a.score, a.enabled, b.index);
    });
    m_shown.clear();
    m_list->clear();
    for (std::size_t i = 0; i < shown; ++i) {
        auto const &entry = m_entries[static_cast<std::size_t>(matches[i].index)];
        m_shown.push_back(matches[i].index);
        auto *item = new QListWidgetItem(entry.text, m_list);
        item->setData(kKindRole, entry.enabled ? entry.kind : tr("%1 · not available now").arg(entry.kind));
        item->setData(kKeysRole, entry.keys);
        item->setToolTip(entry.text);
        if (!entry.enabled) item->setFlags(Qt::ItemIsSelectable);
    }
    if (shown == 0) {
        auto *none = new QListWidgetItem(tr("Nothing matches “%1”").arg(text), m_list);
        none->setFlags(Qt::NoItemFlags);
    }
    m_list->setCurrentRow(0);
    // As high as its matches need.
    int const rows = m_list->sizeHintForRow(0) * m_list->count() + 2 * m_list->frameWidth() + 2 * views::kGrid;
    int const around = 2 * views::kGap + m_line->sizeHint().height() + layout()->spacing();
    resize(width(), std::min(m_mostHeight, std::max(rows + around, 2 * views::kRowHeight + around)));
}

void CommandPalette::accept(int row)
{
    if (row < 0 || row >= static_cast<int>(m_shown.size())) return;
    auto const &entry = m_entries[static_cast<std::size_t>(m_shown[static_cast<std::size_t>(row)])];
    if (!entry.enabled) return;
    auto const run = entry.run;
    close();
    run();
}

void CommandPalette::commands(MainWindow &window) { (new CommandPalette(tr("Type a command"), commandEntries(window), &window))->show(); }

void CommandPalette::things(MainWindow &window)
{
    (new CommandPalette(tr("Search commands, views, settings, targets, layers, fields, runs and report rows"), thingEntries(window),
                        &window))
        ->show();
}

} // namespace tilewright::app
