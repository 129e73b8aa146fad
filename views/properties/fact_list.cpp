#include "views/properties/fact_list.h"

#include "views/common/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace tilewright::views {

FactList::FactList(QString const &accessibleName, QWidget *parent) : QWidget(parent)
{
    setAccessibleName(accessibleName);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
}

void FactList::setSections(QList<FactSection> const &sections)
{
    if (sections == m_sections && m_body) return;
    m_sections = sections;
    rebuild();
}

void FactList::rebuild()
{
    delete m_body;
    m_body = new QWidget(this);
    auto *grid = new QGridLayout(m_body);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kGap);
    grid->setVerticalSpacing(kGrid / 2);
    grid->setColumnStretch(1, 1);
    QPalette quiet = palette();
    quiet.setColor(QPalette::WindowText, theme()[Token::SecondaryText]);
    int line = 0;
    for (auto const &section : m_sections) {
        if (!section.title.isEmpty()) {
            auto *title = new QLabel(section.title, m_body);
            QFont font = title->font();
            font.setBold(true);
            title->setFont(font);
            title->setWordWrap(true);
            if (line > 0) title->setContentsMargins(0, kGap, 0, 0);
            grid->addWidget(title, line++, 0, 1, 2);
        }
        for (auto const &fact : section.facts) {
            auto *label = new QLabel(fact.label, m_body);
            label->setPalette(quiet);
            label->setWordWrap(true);
            label->setAlignment(Qt::AlignLeading | Qt::AlignTop);
            auto *value = new QLabel(m_body);
            value->setWordWrap(true);
            value->setAlignment(Qt::AlignLeading | Qt::AlignTop);
            value->setToolTip(fact.exact);
            if (fact.link.isEmpty()) {
                value->setTextFormat(Qt::PlainText);
                value->setText(fact.value);
                value->setTextInteractionFlags(Qt::TextSelectableByMouse);
            } else {
                value->setTextFormat(Qt::RichText);
                value->setText(QStringLiteral("<a href=\"%1\" style=\"color:%2\">%3</a>")
                                   .arg(fact.link.toHtmlEscaped(), theme()[Token::Accent].name(), fact.value.toHtmlEscaped()));
                value->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard | Qt::TextSelectableByMouse);
                value->setFocusPolicy(Qt::StrongFocus);
                connect(value, &QLabel::linkActivated, this, &FactList::linkActivated);
            }
            value->setAccessibleName(tr("%1: %2").arg(fact.label, fact.value));
            if (fact.label.isEmpty()) {
                grid->addWidget(value, line++, 0, 1, 2);
                label->hide();
            } else {
                grid->addWidget(label, line, 0);
                grid->addWidget(value, line++, 1);
            }
        }
    }
    layout()->addWidget(m_body);
    m_body->show();
}

void FactList::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_body) rebuild();
}

} // namespace tilewright::views
