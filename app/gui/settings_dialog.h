#pragma once

#include <QDialog>

class QComboBox;
class QFormLayout;

namespace tilewright::app {

/// Theme, language, units; takes effect at once.
class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    explicit SettingsDialog(QWidget *parent);

protected:
    void changeEvent(QEvent *event) override;

private:
    void retranslate();
    QFormLayout *m_form = nullptr;
    QComboBox *m_theme = nullptr, *m_language = nullptr, *m_units = nullptr;
};

} // namespace tilewright::app
