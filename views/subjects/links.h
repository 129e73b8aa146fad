#pragma once

#include "views/session/selection.h"

#include <QLabel>
#include <QString>

class QGridLayout;

namespace tilewright::views {

class Session;

/// Where a figure leads: what becomes selected and which view comes to the front.
struct Target {
    QString view;      ///< "" stays where it is
    Selected selected; ///< None leaves the selection alone
    bool isNull() const { return view.isEmpty() && selected.kind == SelectionKind::None; }
};
void goTo(Session &session, Target const &target, QObject *from);

/// Text with one link, by mouse or keyboard, or plain text without a target.
class LinkLabel : public QLabel {
    Q_OBJECT
public:
    LinkLabel(Session &session, QObject *origin, QWidget *parent = nullptr);
    void setLink(QString const &text, Target const &target, QString const &tip = {});
    QString plainText() const { return m_plain; }
    Target const &target() const { return m_target; }
    void follow(); ///< as if clicked
protected:
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override; ///< Enter and Space follow the link

private:
    void show();
    Session &m_session;
    QObject *m_origin;
    QString m_plain;
    Target m_target;
};

/// Takes every widget out of a layout and deletes it.
void clearLayout(class QLayout &layout);

} // namespace tilewright::views
