#include "views/common/steady_label.h"

#include <QEvent>
#include <QLabel>

namespace tilewright::views {

namespace {

constexpr int kStep = 32; // pixels a width grows by

} // namespace

SteadyLabel::SteadyLabel(QWidget *parent) : QWidget(parent), m_label(new QLabel(this)) { measure(); }

QString SteadyLabel::text() const { return m_elide == Qt::ElideNone ? m_label->text() : m_text; }

void SteadyLabel::setElided(Qt::TextElideMode mode)
{
    m_text = text();
    m_elide = mode;
    fit();
}

void SteadyLabel::fit()
{
    if (m_elide != Qt::ElideNone) m_label->setText(m_label->fontMetrics().elidedText(m_text, m_elide, width()));
}

void SteadyLabel::setText(QString const &text)
{
    if (text == this->text()) return;
    m_text = text;
    if (m_elide == Qt::ElideNone) m_label->setText(text);
    else fit();
    if (!isVisible()) measure(); // else the label sends for it
}

bool SteadyLabel::hasHeightForWidth() const { return m_label->wordWrap(); }

int SteadyLabel::heightForWidth(int width) const { return m_label->wordWrap() ? m_label->heightForWidth(width) : m_hint.height(); }

void SteadyLabel::measure()
{
    QSize hint = m_label->sizeHint();
    if (m_label->wordWrap() && width() > 0) hint.setHeight(m_label->heightForWidth(width()));
    hint.setWidth((hint.width() + kStep - 1) / kStep * kStep);
    if (hint.width() < m_hint.width() && 2 * hint.width() > m_hint.width()) hint.setWidth(m_hint.width());
    if (hint == m_hint) return;
    m_hint = hint;
    updateGeometry();
}

bool SteadyLabel::event(QEvent *event)
{
    // Sent by the label, as this has no layout, whenever its text changes.
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) measure();
    return QWidget::event(event);
}

void SteadyLabel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_label->setGeometry(rect());
    fit();
    measure();
}

} // namespace tilewright::views
