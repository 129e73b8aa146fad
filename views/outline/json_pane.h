#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace tilewright::views {

class Session;

/// The model as editable Keras JSON. Apply makes the edits one undo step.
class JsonPane : public QWidget {
    Q_OBJECT
public:
    JsonPane(Session &session, QObject *view, QWidget *parent);
    void refresh();                       ///< call after changes of the model; keeps edited text
    void showLayer(QString const &layer); ///< marks and scrolls to its entry
    void restyle();
    QPlainTextEdit &editor() { return *m_edit; }
    QString message() const;
    void apply();

private:
    void reset();
    void updateButtons();
    void say(QString const &text, bool wrong);
    Session &m_session;
    QObject *m_view;
    QPlainTextEdit *m_edit = nullptr;
    QLabel *m_message = nullptr;
    QPushButton *m_apply = nullptr, *m_reset = nullptr;
    QString m_shown; ///< of the current model
    QString m_layer;
    bool m_loading = false;
    class JsonHighlighter *m_highlighter = nullptr;
};

} // namespace tilewright::views
