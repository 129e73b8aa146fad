#include "views/figures/details_pane.h"

#include "views/common/theme.h"
#include "views/figures/fact_list.h"
#include "views/wording/labels.h"

#include <QBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPainter>

namespace tilewright::views {

DetailsPane::DetailsPane(Session &session, QObject *origin, QString const &accessibleName, QWidget *parent)
    : QScrollArea(parent), m_title(new QLabel), m_facts(new FactList(session, origin, accessibleName))
{
    setAccessibleName(accessibleName);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    m_title->setProperty("role", "headline");
    m_title->setWordWrap(true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(kGrid, 0, kGrid, 0);
    column->setSpacing(kGap);
    column->addWidget(m_title);
    column->addWidget(m_facts);
    column->addStretch(1);
    setWidget(page);
}

void DetailsPane::show(QString const &title, QList<FactSection> const &sections)
{
    m_title->setText(title);
    m_facts->setSections(sections);
}

QIcon programKindIcon(std::string_view kind)
{
    QString letter;
    if (kind == "function") letter = QStringLiteral("f");
    else if (kind == "sequence") letter = QStringLiteral("≡");
    else if (kind == "repeat" || kind == "repeat_while") letter = QStringLiteral("↻");
    else if (kind == "call") letter = QStringLiteral("→");
    else if (kind == "if" || kind == "switch" || kind == "switch_per_tile") letter = QStringLiteral("?");
    else if (kind == "execute") letter = QStringLiteral("C");
    else if (kind == "exchange") letter = QStringLiteral("X");
    else if (kind == "global_exchange" || kind == "collective") letter = QStringLiteral("G");
    else if (kind.starts_with("stream")) letter = QStringLiteral("H");
    else if (kind.starts_with("sync")) letter = QStringLiteral("S");
    else letter = QStringLiteral("·");
    QPixmap pixmap(kIconSize, kIconSize);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor const color = theme()[programKindToken(kind)];
    bool const control = programKindToken(kind) == Token::SecondaryText;
    painter.setPen(control ? QPen(color, 1) : QPen(Qt::NoPen));
    painter.setBrush(control ? QBrush(Qt::NoBrush) : QBrush(color));
    painter.drawRoundedRect(QRectF(1.5, 1.5, kIconSize - 3, kIconSize - 3), 3, 3);
    auto font = uiFont(TextSize::Caption);
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(control ? color : textOn(color));
    painter.drawText(QRect(0, 0, kIconSize, kIconSize), Qt::AlignCenter, letter);
    return QIcon(pixmap);
}

} // namespace tilewright::views
