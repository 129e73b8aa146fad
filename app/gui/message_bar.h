#pragma once

#include <QFrame>

#include <functional>

class QLabel;
class QPushButton;
class QTimer;
class QToolButton;

namespace tilewright::app {

/// What a text begins with, up to the end of its first sentence.
QString firstSentence(QString const &text);

/// What has to be said, in one sentence under the tool bar, with one button at most. It takes room of its own, so it covers
/// nothing; it goes when its cause is gone, when it is closed, and as a note without a button by itself.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum Kind { Note, Warning, Error };
    explicit MessageBar(QWidget *parent = nullptr);
    /// Of a longer text the first sentence; the tool tip has all of it. `action` runs when the button is pressed.
    void show(Kind kind, QString const &text, QString const &remedy, QString const &actionText, std::function<void()> action);
    QString text() const;
    Kind kind() const { return m_kind; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void restyle();
    Kind m_kind = Note;
    QLabel *m_icon = nullptr, *m_text = nullptr;
    QPushButton *m_button = nullptr;
    QToolButton *m_close = nullptr;
    QTimer *m_timer = nullptr;
    std::function<void()> m_action;
};

} // namespace tilewright::app
