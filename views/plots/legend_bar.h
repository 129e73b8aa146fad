#pragma once

#include <QBrush>
#include <QColor>
#include <QList>
#include <QWidget>

class QToolButton;

namespace tilewright::views {

struct LegendEntry {
    QString name;
    QColor color;
    Qt::PenStyle pen = Qt::SolidLine;
    bool shown = true;
    QBrush fill = {}; ///< of bars; none: it is a line
};

/// Names of curves with their lines, of bars with their filling; a click shows or hides one. Wraps, so long names and narrow panels work.
class LegendBar : public QWidget {
    Q_OBJECT
public:
    explicit LegendBar(QWidget *parent = nullptr);
    void setEntries(QList<LegendEntry> const &entries);
signals:
    void toggled(int entry, bool shown);

private:
    QList<QToolButton *> m_buttons;
    QList<LegendEntry> m_entries;
};

} // namespace tilewright::views
