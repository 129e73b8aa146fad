#include "views/widgets/adaptive_splitter.h"

#include <QResizeEvent>
#include <QScrollArea>

namespace tilewright::views {

AdaptiveSplitter::AdaptiveSplitter(int wideFrom, int first, int second, QWidget *parent)
    : QSplitter(Qt::Horizontal, parent), m_wideFrom(wideFrom), m_first(first), m_second(second)
{
    setChildrenCollapsible(false);
}

void AdaptiveSplitter::resizeEvent(QResizeEvent *event)
{
    auto const wanted = event->size().width() >= m_wideFrom ? Qt::Horizontal : Qt::Vertical;
    bool const turned = wanted != orientation();
    if (turned) setOrientation(wanted);
    QSplitter::resizeEvent(event);
    if (!turned && m_shared) return;
    m_shared = true; // from here on, sizes set by a person stay
    int const room = wanted == Qt::Horizontal ? event->size().width() : event->size().height();
    setSizes({room * m_first / (m_first + m_second), room * m_second / (m_first + m_second)});
    setStretchFactor(0, m_first);
    setStretchFactor(1, m_second);
}

void AdaptiveSplitter::addScrolled(QWidget &content)
{
    auto *scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(&content);
    scroll->viewport()->setAutoFillBackground(false);
    content.setAutoFillBackground(false);
    addWidget(scroll);
}

} // namespace tilewright::views
