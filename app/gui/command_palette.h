#pragma once

#include "app/gui/palette_entry.h"

#include <QDialog>

#include <vector>

class QLineEdit;
class QListWidget;

namespace tilewright::app {

class MainWindow;

/// A search field and a list of matches, best first.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(QString const &hint, std::vector<PaletteEntry> entries, QWidget *parent);
    static void commands(MainWindow &window);
    static void things(MainWindow &window);

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void filter(QString const &text);
    void accept(int row);
    std::vector<PaletteEntry> m_entries;
    std::vector<int> m_shown;
    QLineEdit *m_line = nullptr;
    QListWidget *m_list = nullptr;
    int m_mostHeight = 0;
};

} // namespace tilewright::app
