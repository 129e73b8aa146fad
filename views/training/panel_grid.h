#pragma once

#include <QList>
#include <QWidget>

class QGridLayout;
class QScrollArea;

namespace tilewright::views {

/// A vertical scroll area that shows the ground of what it lies on.
QScrollArea *clearScrollArea(QWidget *content, QWidget *parent);

/// Panels in one, two or three columns, as many as the width has room for, in a page that scrolls
/// when they are too many. Neither hidden panels nor the last row leave a gap.
class PanelGrid : public QWidget {
    Q_OBJECT
public:
    explicit PanelGrid(QWidget *parent = nullptr);
    /// At least so high; higher where its texts need more lines. `span`: columns it takes where there are so many.
    void addPanel(QWidget *panel, int minimumHeight, int span = 1);
    void setPanelShown(QWidget *panel, bool shown);
    static int columnsFor(int width);
    struct Place {
        int row = 0, column = 0, span = 1;
        bool operator==(Place const &) const = default;
    };
    /// Where panels of these spans lie, without a hole. Each span is at most `columns`.
    static QList<Place> placesFor(QList<int> spans, int columns);

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void arrange();
    struct Panel {
        QWidget *frame = nullptr, *panel = nullptr;
        int minimumHeight = 0, span = 1;
        bool shown = true;
    };
    QList<Panel> m_panels;
    QScrollArea *m_scroll = nullptr;
    QGridLayout *m_grid = nullptr;
    int m_columns = 0;
};

} // namespace tilewright::views
