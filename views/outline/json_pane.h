#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace tilewright::views {

class Session;

/// The model as Keras's JSON, to read and to edit. Edits take effect with Apply, as one undo step.
class JsonPane : public QWidget {
    Q_OBJECT
public:
    JsonPane(Session &session, QObject *view, QWidget *parent);
    void refresh();                       ///< the model changed; text that a person edited stays
    void showLayer(QString const &layer); ///< marks its entry and scrolls there
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
    QString m_shown; ///< of the model as it is
    QString m_layer;
    bool m_loading = false;
    class JsonHighlighter *m_highlighter = nullptr;
};

} // namespace tilewright::views
