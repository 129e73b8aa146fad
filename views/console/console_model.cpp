#include "views/console/console_model.h"

#include "views/common/theme.h"
#include "views/console/console_text.h"

#include <QBrush>
#include <QElapsedTimer>

#include <algorithm>
#include <vector>

namespace tilewright::views {

namespace {

/// Number of lines between two checks of the clock.
constexpr int kSlice = 256;

} // namespace

ConsoleModel::ConsoleModel(Console const &console, QObject *parent) : QAbstractTableModel(parent), m_console(console) {}

bool ConsoleModel::accepts(ConsoleLine const &line) const
{
    if (!m_levels[static_cast<std::size_t>(qBound(0, line.level, 3))] || m_hiddenComponents.contains(line.component)) return false;
    if (!m_filter) return true;
    return m_filter([&line](int column) -> QVariant {
        switch (column) {
        case Time: return line.time.toString(Qt::ISODateWithMs);
        case Level: return levelName(line.level);
        case Component: return line.component;
        case Subject: return line.subject;
        default: return line.text;
        }
    });
}

void ConsoleModel::restart()
{
    beginResetModel();
    m_rows.clear();
    m_next = m_console.dropped();
    endResetModel();
}

void ConsoleModel::dropGone()
{
    auto const keep = std::lower_bound(m_rows.begin(), m_rows.end(), m_console.dropped());
    int const gone = static_cast<int>(keep - m_rows.begin());
    if (gone == 0) return;
    beginRemoveRows({}, 0, gone - 1);
    m_rows.erase(m_rows.begin(), keep);
    endRemoveRows();
}

bool ConsoleModel::pull(int budgetMs)
{
    auto const &lines = m_console.lines();
    qint64 const first = m_console.dropped(), end = first + static_cast<qint64>(lines.size());
    if (end < m_next || lines.empty()) { // cleared
        m_counted = m_errors = m_warnings = 0;
        m_since = {};
        m_components.clear();
        restart();
    }
    if (!m_since.isValid() && !lines.empty()) m_since = lines.front().time;
    dropGone();
    m_next = std::max(m_next, first);
    m_counted = std::max(m_counted, first);

    // The last examined line can have been repeated in the meantime.
    if (!m_rows.empty() && m_rows.back() == m_next - 1) {
        int const repeats = lines[static_cast<std::size_t>(m_rows.back() - first)].repeats;
        int const row = static_cast<int>(m_rows.size()) - 1;
        if (repeats != m_lastRepeats) emit dataChanged(index(row, Text), index(row, Text));
        m_lastRepeats = repeats;
    }

    QElapsedTimer clock;
    clock.start();
    std::vector<qint64> found;
    while (m_next < end) {
        auto const &line = lines[static_cast<std::size_t>(m_next - first)];
        if (m_next >= m_counted) {
            m_counted = m_next + 1;
            m_errors += line.level == 3 ? 1 : 0;
            m_warnings += line.level == 2 ? 1 : 0;
            m_components.insert(line.component);
        }
        if (accepts(line)) {
            found.push_back(m_next);
            m_lastRepeats = line.repeats;
        }
        ++m_next;
        if (m_next % kSlice == 0 && clock.elapsed() >= budgetMs) break;
    }
    if (!found.empty()) {
        int const at = static_cast<int>(m_rows.size());
        beginInsertRows({}, at, at + static_cast<int>(found.size()) - 1);
        m_rows.insert(m_rows.end(), found.begin(), found.end());
        endInsertRows();
    }
    return m_next == end;
}

QString ConsoleModel::setFilter(QString const &text)
{
    QString error;
    QStringList const columns{QStringLiteral("time"), QStringLiteral("level"), QStringLiteral("component"), QStringLiteral("subject"),
                              QStringLiteral("text")};
    auto filter = text.trimmed().isEmpty() ? RowFilter() : parseFilter(text, columns, &error);
    if (!error.isEmpty()) return error;
    m_filter = std::move(filter);
    restart();
    return {};
}

void ConsoleModel::setLevelShown(int level, bool shown)
{
    if (m_levels[static_cast<std::size_t>(level)] == shown) return;
    m_levels[static_cast<std::size_t>(level)] = shown;
    restart();
}

void ConsoleModel::setComponentShown(QString const &component, bool shown)
{
    if (isComponentShown(component) == shown) return;
    if (shown) m_hiddenComponents.remove(component);
    else m_hiddenComponents.insert(component);
    restart();
}

QStringList ConsoleModel::components() const
{
    QStringList list(m_components.begin(), m_components.end());
    list.sort();
    return list;
}

void ConsoleModel::setRelativeTime(bool on)
{
    m_relative = on;
    if (!m_rows.empty()) emit dataChanged(index(0, Time), index(rowCount() - 1, Time));
}

ConsoleLine const *ConsoleModel::lineAt(int row) const
{
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return nullptr;
    qint64 const at = m_rows[static_cast<std::size_t>(row)] - m_console.dropped();
    return at >= 0 && at < static_cast<qint64>(m_console.lines().size()) ? &m_console.lines()[static_cast<std::size_t>(at)] : nullptr;
}

int ConsoleModel::rowCount(QModelIndex const &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int ConsoleModel::columnCount(QModelIndex const &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ConsoleModel::data(QModelIndex const &index, int role) const
{
    auto const *line = index.isValid() ? lineAt(index.row()) : nullptr;
    if (!line) return {};
    if (role == Qt::ForegroundRole) {
        if (index.column() == Level && line->level >= 2) return QBrush(theme()[line->level == 3 ? Token::Bad : Token::Text]);
        return QBrush(theme()[index.column() == Text && line->level > 0 ? Token::Text : Token::SecondaryText]);
    }
    if (role == Qt::FontRole) return index.column() == Text ? monoFont(TextSize::Caption) : uiFont(TextSize::Caption);
    if (role == Qt::ToolTipRole)
        return index.column() == Text ? plainLine(*line) : index.column() == Time ? line->time.toString(Qt::ISODateWithMs) : QVariant();
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
    switch (index.column()) {
    case Time: return lineTime(line->time, m_relative ? m_since : QDateTime());
    case Level: return levelText(line->level);
    case Component: return line->component;
    case Subject: return line->subject;
    default: return lineText(*line);
    }
}

QVariant ConsoleModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Time: return tr("Time");
    case Level: return tr("Level");
    case Component: return tr("Component");
    case Subject: return tr("Subject");
    default: return tr("Message");
    }
}

} // namespace tilewright::views
