#include "views/common/steady_label.h"

#include "views/common/format.h"

#include <QEvent>
#include <QLabel>

namespace tilewright::views {

namespace {

constexpr int kStep = 32; // pixels by which a width grows

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
    // Lines break only between words, so a long name such as a path would lose its end.
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
    if (!isVisible()) measure(); // otherwise the label triggers it
}

bool SteadyLabel::hasHeightForWidth() const { return m_label->wordWrap(); }

namespace {

/// An elided text asks for its full width; otherwise a label that was narrow once would stay narrow.
template <typename Ask> auto ofWhole(QLabel const &shown, QString const &text, Ask const &ask)
{
    if (shown.text() == text) return ask(shown);
    QLabel whole(text);
    whole.setProperty("role", shown.property("role")); // selects the rule of the style sheet
    whole.setFont(shown.font());
    whole.setWordWrap(shown.wordWrap());
    whole.setTextInteractionFlags(shown.textInteractionFlags()); // with any flag set, a document lays out the text
    return ask(whole);
}

} // namespace

int SteadyLabel::heightForWidth(int width) const
{
    if (!m_label->wordWrap()) return m_hint.height();
    return ofWhole(*m_label, m_text, [width](QLabel const &label) { return label.heightForWidth(width); });
}

void SteadyLabel::measure()
{
    QSize hint =
        m_label->wordWrap() ? ofWhole(*m_label, m_text, [](QLabel const &label) { return label.sizeHint(); }) : m_label->sizeHint();
    if (m_label->wordWrap() && width() > 0) hint.setHeight(heightForWidth(width()));
    hint.setWidth((hint.width() + kStep - 1) / kStep * kStep);
    if (hint.width() < m_hint.width() && 2 * hint.width() > m_hint.width()) hint.setWidth(m_hint.width());
    if (hint == m_hint) return;
    m_hint = hint;
    updateGeometry();
}

bool SteadyLabel::event(QEvent *event)
{
    // Sent by the label whenever its text changes, because there is no layout.
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
