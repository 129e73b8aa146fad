#pragma once

#include <QList>
#include <QWidget>

class QGridLayout;
class QScrollArea;

namespace tilewright::views {

/// A vertical scroll area with the background of its parent.
QScrollArea *clearScrollArea(QWidget *content, QWidget *parent);

/// Panels in one, two or three columns, by width, on a scrolling page. Hidden panels and the last row leave no gaps.
class PanelGrid : public QWidget {
    Q_OBJECT
public:
    explicit PanelGrid(QWidget *parent = nullptr);
    /// At least this height; more if its texts need it. `span`: columns to occupy, if available.
    void addPanel(QWidget *panel, int minimumHeight, int span = 1);
    void setPanelShown(QWidget *panel, bool shown);
    static int columnsFor(int width);
    struct Place {
        int row = 0, column = 0, span = 1;
        bool operator==(Place const &) const = default;
    };
    /// Positions for panels with these spans, without holes. Each span is at most `columns`.
    static QList<Place> placesFor(QList<int> spans, int columns);

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void arrange();
    void keepBarRoom();
    struct Panel {
        QWidget *frame = nullptr, *panel = nullptr;
        int minimumHeight = 0, span = 1;
        bool shown = true;
        int width = -1, needed = 0; ///< width of the panel, and the largest height its texts have needed at that width
    };
    QList<Panel> m_panels;
    QScrollArea *m_scroll = nullptr;
    QGridLayout *m_grid = nullptr;
    int m_columns = 0;
};

} // namespace tilewright::views
