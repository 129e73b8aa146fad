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

/// The line at the bottom of the canvas where layers are typed. Says while typing what would be added, or why
/// that cannot be read; offers completions in a list above itself.
class AddBox : public QWidget {
    Q_OBJECT
public:
    /// `host`: the widget whose lower edge the list of completions may cover.
    explicit AddBox(QWidget *host);
    QLineEdit &edit() { return *m_edit; }
    /// What is in front of what will be typed: for the preview's shapes.
    void setPlace(QString const &after, Shape const &input);
    /// Keyboard here, with this text.
    void start(QString const &text = {});
    /// After an edit that was refused: the text stays, with the reason.
    void showRefusal(QString const &why);
    void done();            ///< the edit was made: ready for the next one
    QString status() const; ///< what the line under the text says

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
