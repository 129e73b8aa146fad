#pragma once

#include "views/common/table_model.h"
#include "views/diagnostics/console.h"

#include <QAbstractTableModel>
#include <QSet>

#include <array>
#include <deque>

namespace tilewright::views {

/// The lines of a Console that pass level, component and filter. A row stores only the number of its line. pull() examines new lines in
/// slices, so that a flood or a new filter never blocks the event loop.
class ConsoleModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Columns { Time, Level, Component, Subject, Text, ColumnCount };

    explicit ConsoleModel(Console const &console, QObject *parent = nullptr);

    /// Examines new lines for about `budgetMs`. Returns true when done.
    bool pull(int budgetMs);
    /// Returns a syntax error, or "". The next pulls select the rows again.
    QString setFilter(QString const &text);
    void setLevelShown(int level, bool shown);
    bool isLevelShown(int level) const { return m_levels[static_cast<std::size_t>(level)]; }
    void setComponentShown(QString const &component, bool shown);
    bool isComponentShown(QString const &component) const { return !m_hiddenComponents.contains(component); }
    QStringList components() const; ///< of the lines so far
    void setRelativeTime(bool on);
    bool isRelativeTime() const { return m_relative; }

    ConsoleLine const *lineAt(int row) const;  ///< null: unknown row, or its line was dropped
    qint64 errors() const { return m_errors; } ///< since the last clear
    qint64 warnings() const { return m_warnings; }

    int rowCount(QModelIndex const &parent = {}) const override;
    int columnCount(QModelIndex const &parent = {}) const override;
    QVariant data(QModelIndex const &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    bool accepts(ConsoleLine const &line) const;
    void restart();
    void dropGone();

    Console const &m_console;
    std::deque<qint64> m_rows; ///< numbers of lines since the last clear
    qint64 m_next = 0;         ///< first number not examined
    qint64 m_counted = 0;      ///< first number not counted
    qint64 m_errors = 0, m_warnings = 0;
    int m_lastRepeats = 0;
    std::array<bool, 4> m_levels{true, true, true, true};
    QSet<QString> m_components, m_hiddenComponents;
    RowFilter m_filter;
    bool m_relative = false;
    QDateTime m_since;
};

} // namespace tilewright::views
