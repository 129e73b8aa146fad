#include "views/properties/field_note.h"

#include "views/common/theme.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QBoxLayout>
#include <QEvent>
#include <QLabel>

namespace tilewright::views {

FieldNote::FieldNote(QWidget &field) : QFrame(&field), m_field(field)
{
    setProperty("role", "banner");
    setAttribute(Qt::WA_TransparentForMouseEvents); // a click reaches the field that it covers
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kGap, kGrid, kGap, kGrid);
    column->setSpacing(kGrid);
    for (auto **label : {&m_bad, &m_hint}) {
        *label = new QLabel(this);
        (*label)->setWordWrap(true);
        (*label)->setTextFormat(Qt::PlainText);
        (*label)->hide();
        column->addWidget(*label);
    }
    hide();
    field.installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, &FieldNote::place);
    restyle();
}

void FieldNote::setTexts(QString const &bad, QString const &hint)
{
    m_bad->setText(bad);
    m_bad->setVisible(!bad.isEmpty());
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());
    place();
}

bool FieldNote::isWanted() const
{
    if (m_bad->text().isEmpty() && m_hint->text().isEmpty()) return false;
    return m_field.isVisible() && (m_field.isAncestorOf(QApplication::focusWidget()) || m_field.underMouse());
}

void FieldNote::place()
{
    if (!isWanted()) return hide();
    // The page that scrolls, or the parent: a field's own area ends below it.
    QWidget *page = m_field.parentWidget();
    while (page && page->parentWidget() && !page->isWindow() && !qobject_cast<QAbstractScrollArea *>(page->parentWidget()->parentWidget()))
        page = page->parentWidget();
    if (!page) return hide();
    if (parentWidget() != page) setParent(page);
    QRect const field(m_field.mapTo(page, QPoint()), m_field.size());
    int const height = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(field.width()) : sizeHint().height();
    bool const below = field.bottom() + 1 + height <= page->height() || field.top() < height;
    setGeometry(field.left(), below ? field.bottom() + 1 : field.top() - height, field.width(), height);
    show();
    raise();
}

bool FieldNote::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::Enter:
    case QEvent::Leave:
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide: place(); break;
    default: break;
    }
    return QFrame::eventFilter(watched, event);
}

void FieldNote::restyle()
{
    QPalette palette = m_bad->palette();
    palette.setColor(QPalette::WindowText, theme()[Token::Bad]);
    m_bad->setPalette(palette);
    for (auto *label : {m_bad, m_hint}) label->setFont(uiFont(TextSize::Caption));
}

} // namespace tilewright::views
