#pragma once

#include <QFrame>

#include <functional>

class QLabel;
class QPushButton;
class QTimer;
class QToolButton;

namespace tilewright::app {

/// The first sentence of a text.
QString firstSentence(QString const &text);

/// A message of one sentence with at most one button. It lies over the line of the console, which is as tall as a message of one line:
/// no view moves when it comes and goes, and only longer messages cover the lower edge of a view. It goes when its cause is gone or
/// when it is closed; a note without a button also goes after five seconds.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum Kind { Note, Warning, Error };
    explicit MessageBar(QWidget *parent = nullptr);
    /// Shows the first sentence of a longer text; the tooltip has the whole. `action` runs when the button is pressed.
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
