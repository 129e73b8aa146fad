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
    QBrush fill = {}; ///< of bars; default: a line
};

/// Names of curves with their lines, or of bars with their filling. A click shows or hides one. Wraps long names in narrow panels.
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
