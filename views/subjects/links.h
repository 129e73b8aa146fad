#pragma once

#include "views/subjects/destination.h"

#include <QLabel>
#include <QString>

class QGridLayout;

namespace tilewright::views {

class Session;

/// Of a row of the report, or of something with a name. `view` "" keeps the current view.
Destination destination(SelectionKind kind, int id, QString const &view = {});
Destination destination(SelectionKind kind, QString const &name, QString const &view = {});
Destination viewDestination(QString const &view);
void goTo(Session &session, Destination const &target, QObject *from);

/// A text with one link, for mouse and keyboard, or plain text without a target.
class LinkLabel : public QLabel {
    Q_OBJECT
public:
    LinkLabel(Session &session, QObject *origin, QWidget *parent = nullptr);
    void setLink(QString const &text, Destination const &target, QString const &tip = {});
    QString plainText() const { return m_plain; }
    Destination const &target() const { return m_target; }
    void follow(); ///< as if clicked
protected:
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override; ///< Enter and Space follow the link

private:
    void show();
    Session &m_session;
    QObject *m_origin;
    QString m_plain;
    Destination m_target;
};

/// Removes and deletes every widget of a layout.
void clearLayout(class QLayout &layout);

} // namespace tilewright::views
