#pragma once

#include <QFrame>

#include <functional>
#include <optional>

class QLabel;
class QPushButton;
class QTimer;
class QToolButton;

namespace tilewright::app {

/// The first sentence of a text.
QString firstSentence(QString const &text);

/// A message in one sentence with at most one button. It covers the line of the console, which has the height of a one-line message,
/// so no view moves when it appears or disappears; only longer messages cover the lower edge of a view. It disappears with its cause or
/// when it is closed; a note without a button also after five seconds.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum Kind { Note, Warning, Error };
    explicit MessageBar(QWidget *parent = nullptr);
    /// Shows the first sentence of a longer text; the tooltip has the whole. `action` runs when the button is pressed.
    void show(Kind kind, QString const &text, QString const &remedy, QString const &actionText, std::function<void()> action);
    /// A question that other messages interrupt but do not replace: it returns when they go, until it is answered or closed.
    void ask(QString const &text, QString const &actionText, std::function<void()> action);
    void dismiss(); ///< the message has lost its cause
    void clear();   ///< the question, too, was about something that is gone
    QString text() const;
    Kind kind() const { return m_kind; }

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Question {
        QString text, actionText;
        std::function<void()> action;
    };
    void restyle();
    Kind m_kind = Note;
    QLabel *m_icon = nullptr, *m_text = nullptr;
    QPushButton *m_button = nullptr;
    QToolButton *m_close = nullptr;
    QTimer *m_timer = nullptr;
    std::function<void()> m_action;
    std::optional<Question> m_question;
    bool m_asks = false; ///< the question is on show
};

} // namespace tilewright::app
