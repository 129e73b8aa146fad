#include "views/common/steady_label.h"

#include "views/common/format.h"

#include <QEvent>
#include <QLabel>

namespace tilewright::views {

namespace {

constexpr int kStep = 32; // pixels a width grows by

} // namespace

SteadyLabel::SteadyLabel(QWidget *parent) : QWidget(parent), m_label(new QLabel(this)) { measure(); }

QString SteadyLabel::text() const { return m_text; }

void SteadyLabel::setElided(Qt::TextElideMode mode)
{
    m_elide = mode;
    fit();
}

QString SteadyLabel::shown() const
{
    auto const metrics = m_label->fontMetrics();
    if (m_elide != Qt::ElideNone) return metrics.elidedText(m_text, m_elide, width());
    if (!m_label->wordWrap() || width() <= 0 || metrics.horizontalAdvance(m_text) <= width()) return m_text;
    // Lines break between words only: a name as long as a path would lose its end.
    QStringList words = m_text.split(QLatin1Char(' '));
    for (auto &word : words) word = elidePath(word, metrics, width());
    return words.join(QLatin1Char(' '));
}

void SteadyLabel::fit()
{
    QString const text = shown();
    if (text != m_label->text()) m_label->setText(text);
    if (m_elide == Qt::ElideNone) m_label->setToolTip(text == m_text ? QString() : m_text);
}

void SteadyLabel::setText(QString const &text)
{
    if (text == this->text()) return;
    m_text = text;
    fit();
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
