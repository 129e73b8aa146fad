#include "views/subjects/links.h"

#include "views/common/link_html.h"
#include "views/common/unbroken.h"
#include "views/session/session.h"

#include <QKeyEvent>
#include <QLayout>

namespace tilewright::views {

Destination destination(SelectionKind kind, int id, QString const &view)
{
    Destination to{view, {}};
    to.selected.kind = kind;
    to.selected.ids = {id};
    return to;
}

Destination destination(SelectionKind kind, QString const &name, QString const &view)
{
    Destination to{view, {}};
    to.selected.kind = kind;
    to.selected.name = name;
    return to;
}

Destination viewDestination(QString const &view) { return {view, {}}; }

void goTo(Session &session, Destination const &target, QObject *from)
{
    if (target.selected.kind != SelectionKind::None) session.selection().select(target.selected, from);
    if (!target.view.isEmpty()) emit session.viewRequested(target.view);
}

LinkLabel::LinkLabel(Session &session, QObject *origin, QWidget *parent) : QLabel(parent), m_session(session), m_origin(origin)
{
    setWordWrap(true);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard | Qt::TextSelectableByMouse);
    connect(this, &QLabel::linkActivated, this, &LinkLabel::follow);
    underlineOnHover(*this);
}

void LinkLabel::setLink(QString const &text, Destination const &target, QString const &tip)
{
    m_plain = text;
    m_target = target;
    setToolTip(tip);
    setAccessibleName(text);
    setFocusPolicy(target.isNull() ? Qt::NoFocus : Qt::StrongFocus);
    show();
}

void LinkLabel::follow() { goTo(m_session, m_target, m_origin); }

void LinkLabel::keyPressEvent(QKeyEvent *event)
{
    bool const activates = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (activates && !m_target.isNull()) follow();
    else QLabel::keyPressEvent(event);
}

void LinkLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) show();
}

void LinkLabel::show()
{
    if (m_target.isNull()) {
        setTextFormat(Qt::PlainText);
        if (QString const shown = unbroken(m_plain); text() != shown) setText(shown);
        return;
    }
    setTextFormat(Qt::RichText);
    auto const html = linkHtml(QStringLiteral("go"), m_plain);
    if (text() != html) setText(html);
}

void clearLayout(QLayout &layout)
{
    while (auto *item = layout.takeAt(0)) {
        if (auto *widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        } else if (auto *inner = item->layout()) {
            clearLayout(*inner);
        }
        delete item;
    }
}

} // namespace tilewright::views
