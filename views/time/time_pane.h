#pragma once

#include "views/time/time_canvas.h"
#include "views/time/time_overview.h"

#include <QWidget>

class QScrollBar;
class QStackedWidget;

namespace tilewright::views {

/// A ruler, a canvas with its scroll bar, and the overview. Several canvases can be shown in turn over the same time.
class TimePane : public QWidget {
    Q_OBJECT
public:
    explicit TimePane(QWidget *parent = nullptr);

    TimeWindow &window() { return m_window; }
    TimeOverview &overview() { return *m_overview; }
    /// Takes ownership.
    void addCanvas(TimeCanvas *canvas);
    void showCanvas(TimeCanvas *canvas);
    TimeCanvas *canvas() const;

private:
    void arrange();
    void askWhere();
    TimeWindow m_window;
    TimeRuler *m_ruler = nullptr;
    TimeOverview *m_overview = nullptr;
    QStackedWidget *m_stack = nullptr;
    QScrollBar *m_bar = nullptr;
};

} // namespace tilewright::views
