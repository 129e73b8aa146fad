#include "views/figures/details_pane.h"

#include "views/common/theme.h"
#include "views/wording/labels.h"

#include <QBoxLayout>
#include <QGridLayout>
#include <QIcon>
#include <QPainter>

namespace tilewright::views {

DetailsPane::DetailsPane(Session &session, QObject *origin, QString const &accessibleName, QWidget *parent)
    : QScrollArea(parent), m_session(session), m_origin(origin)
{
    setAccessibleName(accessibleName);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    m_page = new QWidget;
    m_column = new QVBoxLayout(m_page);
    m_column->setContentsMargins(kGap, 0, kGap, 0);
    m_column->setSpacing(kGrid);
    setWidget(m_page);
}

void DetailsPane::show(QString const &title, QList<DetailSection> const &sections)
{
    clearLayout(*m_column);
    auto const heading = [this](QString const &text) {
        auto *label = new QLabel(text, m_page);
        label->setProperty("role", "headline");
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_column->addWidget(label);
    };
    heading(title);
    for (auto const &section : sections) {
        if (section.lines.isEmpty()) continue;
        if (!section.title.isEmpty()) {
            m_column->addSpacing(kGrid);
            heading(section.title);
        }
        auto *rows = new QWidget(m_page);
        auto *grid = new QGridLayout(rows);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setHorizontalSpacing(kGap);
        grid->setVerticalSpacing(kGrid / 2);
        grid->setColumnStretch(1, 1);
        int row = 0;
        for (auto const &line : section.lines) {
            auto *label = new QLabel(line.label, rows);
            label->setProperty("role", "secondary");
            label->setWordWrap(true);
            auto *value = new LinkLabel(m_session, m_origin, rows);
            value->setLink(line.text, line.target, line.tip);
            grid->addWidget(label, row, 0, Qt::AlignTop);
            grid->addWidget(value, row++, 1);
        }
        m_column->addWidget(rows);
    }
    m_column->addStretch(1);
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
