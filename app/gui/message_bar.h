#pragma once

#include <QFrame>

#include <functional>

class QLabel;
class QPushButton;
class QTimer;

namespace tilewright::app {

/// What has to be said, at the top of the window; never in the way.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum Kind { Note, Warning, Error };
    explicit MessageBar(QWidget *parent = nullptr);
    /// `action` runs when the button is pressed; notes go by themselves.
    void show(Kind kind, QString const &text, QString const &remedy, QString const &actionText, std::function<void()> action);
    QString text() const;
protected:
    bool eventFilter(QObject *object, QEvent *event) override;
private:
    void place();
    QLabel *m_icon = nullptr, *m_text = nullptr;
    QPushButton *m_button = nullptr;
    QTimer *m_timer = nullptr;
    std::function<void()> m_action;
};

} // namespace tilewright::app
