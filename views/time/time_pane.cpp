#include "views/time/time_pane.h"

#include "views/common/figure_parts.h"

#include <QGridLayout>
#include <QInputDialog>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedWidget>

namespace tilewright::views {

TimePane::TimePane(QWidget *parent)
    : QWidget(parent), m_ruler(new TimeRuler(m_window, this)), m_overview(new TimeOverview(m_window, this)),
      m_stack(new QStackedWidget(this)), m_bar(new QScrollBar(Qt::Vertical, this))
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    grid->addWidget(m_ruler, 0, 0);
    grid->addWidget(m_stack, 1, 0);
    grid->addWidget(m_bar, 1, 1);
    grid->addWidget(m_overview, 2, 0);
    grid->setRowStretch(1, 1);
    m_bar->setAccessibleName(tr("Scroll lanes"));
    connect(m_bar, &QScrollBar::valueChanged, this, [this](int value) {
        if (auto *shown = canvas()) shown->setScroll(value);
    });
}

void TimePane::addCanvas(TimeCanvas *canvas)
{
    m_stack->addWidget(canvas);
    connect(canvas, &TimeCanvas::scrolled, this, &TimePane::arrange);
    connect(canvas, &TimeCanvas::gutterChanged, this, &TimePane::arrange);
    connect(canvas, &TimeCanvas::goToRequested, this, &TimePane::askWhere);
    arrange();
}

void TimePane::showCanvas(TimeCanvas *canvas)
{
    bool const focused = m_stack->currentWidget() && m_stack->currentWidget()->hasFocus();
    m_stack->setCurrentWidget(canvas);
    setFocusProxy(canvas);
    if (focused) canvas->setFocus();
    arrange();
}

TimeCanvas *TimePane::canvas() const { return qobject_cast<TimeCanvas *>(m_stack->currentWidget()); }

void TimePane::arrange()
{
    auto *shown = canvas();
    if (!shown) return;
    m_ruler->setGutter(shown->gutter());
    m_overview->setGutter(shown->gutter());
    int const hidden = std::max(0, shown->contentHeight() - shown->height());
    QSignalBlocker const quiet(m_bar);
    m_bar->setRange(0, hidden);
    m_bar->setPageStep(std::max(1, shown->height()));
    m_bar->setSingleStep(20);
    m_bar->setValue(shown->scroll());
    m_bar->setVisible(hidden > 0 && !isInFigure(*this)); // the source line of a figure has the same text
}

void TimePane::askWhere()
{
    auto *dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Go to"));
    dialog->setLabelText(m_window.scale().host ? tr("A moment, for example 1.5 ms:")
                                               : tr("A moment, for example 12000, 1.5 ms or step 3:"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](QString const &text) {
        std::int64_t time = 0;
        if (!parseTime(text, m_window.scale(), time)) return;
        std::int64_t const length = m_window.visible().length();
        m_window.show({time - length / 2, time - length / 2 + length});
    });
    dialog->open();
}

} // namespace tilewright::views
