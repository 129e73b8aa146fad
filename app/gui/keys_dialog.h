#pragma once

#include <QDialog>

namespace tilewright::app {

class MainWindow;

/// The keys of the view in front and of the window, in a table.
class KeysDialog : public QDialog {
    Q_OBJECT
public:
    explicit KeysDialog(MainWindow &window);
};

} // namespace tilewright::app
