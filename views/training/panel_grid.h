#pragma once

#include <QList>
#include <QWidget>

class QGridLayout;
class QScrollArea;

namespace tilewright::views {

/// A vertical scroll area that shows the ground of what it lies on.
QScrollArea *clearScrollArea(QWidget *content, QWidget *parent);

/// Panels in one, two or three columns, as many as the width has room for, in a page that scrolls
/// when they are too many. Hidden panels leave no gap.
class PanelGrid : public QWidget {
    Q_OBJECT
public:
    explicit PanelGrid(QWidget *parent = nullptr);
    /// `span`: columns it takes where there are so many.
    void addPanel(QWidget *panel, int minimumHeight, int span = 1);
    void setPanelShown(QWidget *panel, bool shown);
    static int columnsFor(int width);
protected:
    void resizeEvent(QResizeEvent *event) override;
private:
    void arrange();
    struct Panel {
        QWidget *frame = nullptr, *panel = nullptr;
        int span = 1;
        bool shown = true;
    };
    QList<Panel> m_panels;
    QScrollArea *m_scroll = nullptr;
    QGridLayout *m_grid = nullptr;
    int m_columns = 0;
};

} // namespace tilewright::views
