#include "views/widgets/fact_list.h"

#include "views/common/link_html.h"
#include "views/common/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace tilewright::views {

namespace {

/// True if only values differ, so that the existing labels can be reused.
bool sameShape(QList<FactSection> const &a, QList<FactSection> const &b)
{
    return std::ranges::equal(a, b, [](FactSection const &x, FactSection const &y) {
        return x.title == y.title && std::ranges::equal(x.facts, y.facts, [](Fact const &f, Fact const &g) {
                   return f.label == g.label && f.link.isEmpty() == g.link.isEmpty();
               });
    });
}

} // namespace

FactList::FactList(QString const &accessibleName, QWidget *parent) : QWidget(parent)
{
    setAccessibleName(accessibleName);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
}

void FactList::setSections(QList<FactSection> const &sections)
{
    if (sections == m_sections && m_body) return;
    bool const kept = m_body && sameShape(sections, m_sections);
    m_sections = sections;
    if (!kept) return rebuild();
    auto value = m_values.begin();
    for (auto const &section : m_sections)
        for (auto const &fact : section.facts) fill(**value++, fact);
}

void FactList::fill(QLabel &value, Fact const &fact)
{
    value.setToolTip(fact.exact);
    value.setText(fact.link.isEmpty() ? fact.value : linkHtml(fact.link, fact.value));
    value.setAccessibleName(tr("%1: %2").arg(fact.label, fact.value));
}

void FactList::rebuild()
{
    delete m_body;
    m_values.clear();
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
            if (fact.link.isEmpty()) {
                value->setTextFormat(Qt::PlainText);
                value->setTextInteractionFlags(Qt::TextSelectableByMouse);
            } else {
                value->setTextFormat(Qt::RichText);
                value->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard | Qt::TextSelectableByMouse);
                value->setFocusPolicy(Qt::StrongFocus);
                connect(value, &QLabel::linkActivated, this, &FactList::linkActivated);
                underlineOnHover(*value);
            }
            fill(*value, fact);
            m_values.push_back(value);
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
    // Deferred, because Qt iterates over the widgets it restyles and would use a deleted one.
    if (event->type() == QEvent::PaletteChange && m_body) QMetaObject::invokeMethod(this, &FactList::rebuild, Qt::QueuedConnection);
}

} // namespace tilewright::views
