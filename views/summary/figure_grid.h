#pragma once

#include "views/summary/summary_facts.h"

#include <QFrame>

class QVBoxLayout;

namespace tilewright::views {

/// A titled list of figures: label, value with link, the baseline's value and the difference.
class FigureGrid : public QFrame {
    Q_OBJECT
public:
    FigureGrid(Session &session, QObject *origin, QString const &title, QWidget *parent = nullptr);
    void show(QList<Figure> const &figures, SummaryFacts const *baseline);
    QList<LinkLabel *> values() const { return m_values; }

private:
    Session &m_session;
    QObject *m_origin;
    QVBoxLayout *m_all = nullptr;
    QWidget *m_rows = nullptr;
    QList<LinkLabel *> m_values;
};

} // namespace tilewright::views
