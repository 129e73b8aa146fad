#include "views/summary/figure_card.h"

#include "views/common/words.h"

#include <QBoxLayout>
#include <QLabel>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr int kWidthStep = 8 * kGrid;

} // namespace

void showChange(QLabel &label, FigureChange const &change)
{
    label.setText(change.text);
    QPalette palette = label.palette();
    // A deterioration is not an error; the word states it.
    palette.setColor(QPalette::WindowText, theme()[change.direction != 0 ? Token::Text : Token::SecondaryText]);
    label.setPalette(palette);
}

FigureCard::FigureCard(Session &session, QObject *origin, QWidget *parent) : QFrame(parent)
{
    setProperty("role", "card");
    m_label = new QLabel(this);
    m_label->setProperty("role", "secondary");
    m_label->setWordWrap(true);
    m_value = new LinkLabel(session, origin, this);
    m_value->setFont(uiFont(TextSize::Headline));
    m_value->setWordWrap(false);
    m_note = new QLabel(this);
    m_note->setProperty("role", "secondary");
    m_note->setWordWrap(true);
    m_change = new QLabel(this);
    m_change->setWordWrap(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(kGap + kGrid, kGap, kGap + kGrid, kGap);
    layout->setSpacing(kGrid / 2);
    for (QWidget *widget : {static_cast<QWidget *>(m_label), static_cast<QWidget *>(m_value), static_cast<QWidget *>(m_note),
                            static_cast<QWidget *>(m_change)})
        layout->addWidget(widget);
    layout->addStretch(1);
}

QSize FigureCard::sizeHint() const
{
    int width = m_value->sizeHint().width();
    for (auto const *label : {m_label, m_note, m_change})
        if (!label->isHidden()) width = std::max(width, label->fontMetrics().horizontalAdvance(label->text()) + 1);
    auto const margins = layout()->contentsMargins();
    width += margins.left() + margins.right() + 2 * frameWidth();
    // While a run goes on its card changes with every step: it only grows, and in large steps, so that the cards beside it stay.
    m_widest = std::max(m_widest, (width + kWidthStep - 1) / kWidthStep * kWidthStep);
    return {m_widest, heightForWidth(m_widest)};
}

void FigureCard::show(Figure const &figure, Figure const *baseline, Token tone)
{
    m_label->setText(withOrigin(figure.label, figure.origin));
    m_value->setLink(quantityText(figure), figure.target, quantityTip(figure, figure.tip));
    m_value->setAccessibleName(QStringLiteral("%1: %2").arg(m_label->text(), quantityText(figure)));
    m_note->setText(figure.note);
    m_note->setVisible(!figure.note.isEmpty());
    m_change->setVisible(baseline != nullptr);
    if (baseline) {
        auto change = changeOf(figure, *baseline);
        change.text = change.same ? Words::tr("as before") : Words::tr("was %1: %2").arg(quantityText(*baseline), change.text);
        showChange(*m_change, change);
    }
    // A mark at the edge in addition to the word, so that a verdict is visible at a glance.
    QString const mark = tone == Token::Text
        ? QString()
        : QStringLiteral("tilewright--views--FigureCard { border-left: 4px solid %1; }").arg(theme()[tone].name());
    if (mark != styleSheet()) setStyleSheet(mark);
}

} // namespace tilewright::views
