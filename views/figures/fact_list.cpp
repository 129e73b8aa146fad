#include "views/figures/fact_list.h"

#include "views/common/theme.h"

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
        return x.title == y.title && std::ranges::equal(x.facts, y.facts, {}, &Fact::label, &Fact::label);
    });
}

} // namespace

FactList::FactList(Session &session, QObject *origin, QString const &accessibleName, QWidget *parent)
    : QWidget(parent), m_session(session), m_origin(origin)
{
    setAccessibleName(accessibleName);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
}

void FactList::setSections(QList<FactSection> sections)
{
    sections.removeIf([](FactSection const &section) { return section.facts.isEmpty(); });
    if (sections == m_sections && m_body) return;
    bool const kept = m_body && sameShape(sections, m_sections);
    m_sections = std::move(sections);
    if (!kept) return rebuild();
    auto value = m_values.begin();
    for (auto const &section : m_sections)
        for (auto const &fact : section.facts) fill(**value++, fact);
}

void FactList::fill(LinkLabel &value, Fact const &fact)
{
    value.setLink(fact.value, fact.to, fact.tip);
    value.setAccessibleName(fact.label.isEmpty() ? fact.value : tr("%1: %2").arg(fact.label, fact.value));
}

void FactList::rebuild()
{
    if (m_body) { // a followed link of it may be on the stack
        m_body->hide();
        layout()->removeWidget(m_body);
        m_body->deleteLater();
    }
    m_values.clear();
    m_body = new QWidget(this);
    auto *grid = new QGridLayout(m_body);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kGap);
    grid->setVerticalSpacing(kGrid / 2);
    grid->setColumnStretch(1, 1);
    int line = 0;
    for (auto const &section : m_sections) {
        if (!section.title.isEmpty()) {
            auto *title = new QLabel(section.title, m_body);
            QFont font = title->font();
            font.setBold(true);
            title->setFont(font);
            title->setWordWrap(true);
            title->setTextInteractionFlags(Qt::TextSelectableByMouse);
            if (line > 0) title->setContentsMargins(0, kGap, 0, 0);
            grid->addWidget(title, line++, 0, 1, 2);
        }
        for (auto const &fact : section.facts) {
            auto *value = new LinkLabel(m_session, m_origin, m_body);
            value->setAlignment(Qt::AlignLeading | Qt::AlignTop);
            fill(*value, fact);
            m_values.push_back(value);
            if (fact.label.isEmpty()) {
                grid->addWidget(value, line++, 0, 1, 2);
                continue;
            }
            auto *label = new QLabel(fact.label, m_body);
            label->setProperty("role", "secondary");
            label->setWordWrap(true);
            label->setAlignment(Qt::AlignLeading | Qt::AlignTop);
            grid->addWidget(label, line, 0);
            grid->addWidget(value, line++, 1);
        }
    }
    layout()->addWidget(m_body);
    m_body->show();
}

} // namespace tilewright::views
