#pragma once

#include <QDialog>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace tilewright::app {

class MainWindow;

/// A line to type in and a list of what matches, best first.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    struct Entry {
        QString text, detail;
        std::function<void()> run;
    };
    CommandPalette(QString const &hint, std::vector<Entry> entries, QWidget *parent);
    /// Every action with its shortcut.
    static void commands(MainWindow &window);
    /// Layers, operations, variables, options, views of the project and the report on show.
    static void things(MainWindow &window);
    static std::vector<Entry> commandEntries(MainWindow &window);
    static std::vector<Entry> thingEntries(MainWindow &window);

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void filter(QString const &text);
    void accept(int row);
    std::vector<Entry> m_entries;
    std::vector<int> m_shown;
    QLineEdit *m_line = nullptr;
    QListWidget *m_list = nullptr;
};

/// How well `pattern` matches `text` as a subsequence: 0 not at all; whole words and beginnings count more.
int fuzzyScore(QString const &pattern, QString const &text);

} // namespace tilewright::app
