#include "views/plots/legend_bar.h"

#include "views/common/figure_parts.h"
#include "views/common/theme.h"
#include "views/common/flow_layout.h"

#include <QPainter>
#include <QPixmap>
#include <QToolButton>

namespace tilewright::views {

namespace {

/// Sample of a curve or a bar.
QIcon sampleIcon(LegendEntry const &entry, double ratio)
{
    QPixmap pixmap(QSize(5 * kGrid, kIconSize) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    if (entry.fill.style() != Qt::NoBrush) {
        QRectF const box(kGrid, 2.5, 3 * kGrid, kIconSize - 5);
        painter.fillRect(box, entry.shown ? entry.fill : QBrush(Qt::NoBrush));
        painter.setPen(theme()[Token::Border]);
        painter.drawRect(box);
        return QIcon(pixmap);
    }
    painter.setPen(QPen(entry.shown ? entry.color : theme()[Token::Idle], 2, entry.pen, Qt::FlatCap));
    painter.drawLine(QPointF(0, kIconSize / 2.0), QPointF(5 * kGrid, kIconSize / 2.0));
    return QIcon(pixmap);
}

} // namespace

LegendBar::LegendBar(QWidget *parent) : QWidget(parent)
{
    setLayout(new FlowLayout);
    keepInFigures(*this);
    auto policy = sizePolicy();
    policy.setHeightForWidth(true);
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    policy.setVerticalPolicy(QSizePolicy::Minimum);
    setSizePolicy(policy);
}

void LegendBar::setEntries(QList<LegendEntry> const &entries)
{
    m_entries = entries;
    while (m_buttons.size() > entries.size()) delete m_buttons.takeLast();
    while (m_buttons.size() < entries.size()) {
        auto *button = new QToolButton(this);
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIconSize(QSize(5 * kGrid, kIconSize));
        int const entry = static_cast<int>(m_buttons.size());
        connect(button, &QToolButton::clicked, this, [this, entry] { emit toggled(entry, !m_entries[entry].shown); });
        layout()->addWidget(button);
        button->show(); // a layout reserves no room for buttons shown later
        m_buttons.append(button);
    }
    for (int i = 0; i < entries.size(); ++i) {
        auto *button = m_buttons[i];
        button->setText(entries[i].name);
        QFont font = uiFont(TextSize::Caption);
        font.setStrikeOut(!entries[i].shown); // a second cue beside the grey line
        button->setFont(font);
        button->setIcon(sampleIcon(entries[i], devicePixelRatioF()));
        button->setToolTip(entries[i].shown ? tr("Hide %1").arg(entries[i].name) : tr("Show %1").arg(entries[i].name));
        if (entries[i].fill.style() == Qt::NoBrush)
            button->setAccessibleName(entries[i].shown ? tr("Curve %1, shown").arg(entries[i].name)
                                                       : tr("Curve %1, hidden").arg(entries[i].name));
        else
            button->setAccessibleName(entries[i].shown ? tr("Bars %1, shown").arg(entries[i].name)
                                                       : tr("Bars %1, hidden").arg(entries[i].name));
    }
    setVisible(!entries.isEmpty());
    updateGeometry();
}

} // namespace tilewright::views
