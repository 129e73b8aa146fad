#pragma once

#include "engine/core/types.h"
#include "engine/model/model.h"

#include <QWidget>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;

namespace tilewright::views {

/// The line at the bottom of the canvas for typing layers. Shows while typing what will be added, or the syntax error. Offers completions
/// in a list above itself.
class AddBox : public QWidget {
    Q_OBJECT
public:
    /// `host`: the widget whose lower part the completions may cover.
    explicit AddBox(QWidget *host);
    QLineEdit &edit() { return *m_edit; }
    /// The layer before the typed ones, for the shapes in the preview.
    void setPlace(QString const &after, Shape const &input);
    /// Takes the keyboard focus, with this text.
    void start(QString const &text = {});
    /// Called after a refused edit: keeps the text and shows the reason.
    void showRefusal(QString const &why);
    void done();            ///< the edit was made: clears the line
    QString status() const; ///< text of the line below

signals:
    void layersTyped(std::vector<tilewright::model::Layer> const &layers);
    void left(); ///< Escape

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void updateState();
    void updateCompletions();
    void takeCompletion();
    void commit();
    void say(QString const &text, bool wrong);
    bool key(int key);
    QWidget *m_host;
    QLineEdit *m_edit = nullptr;
    QLabel *m_status = nullptr;
    QListWidget *m_list = nullptr;
    QString m_after;
    Shape m_input;
    bool m_wrong = false;
};

} // namespace tilewright::views
