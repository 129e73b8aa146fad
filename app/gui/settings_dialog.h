#pragma once

#include <QDialog>

namespace tilewright::app {

/// Theme, language, units; takes effect at once.
class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    explicit SettingsDialog(QWidget *parent);
};

} // namespace tilewright::app
