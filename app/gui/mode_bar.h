#pragma once

#include <QFrame>

#include <vector>

class QToolButton;

namespace tilewright::app {

/// The four modes as a column of icons with words, left of everything else.
class ModeBar : public QFrame {
    Q_OBJECT
public:
    explicit ModeBar(QWidget *parent = nullptr);
    void setMode(QString const &id);
signals:
    void modeChosen(QString const &id);

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void nameButtons();
    void restyle();
    std::vector<QToolButton *> m_buttons; ///< as in modes()
};

} // namespace tilewright::app
