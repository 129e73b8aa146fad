#pragma once

#include "views/summary/summary_facts.h"

#include <QFrame>

class QLabel;

namespace tilewright::views {

/// One headline figure: label, large value with link, note, difference from the baseline.
class FigureCard : public QFrame {
    Q_OBJECT
public:
    FigureCard(Session &session, QObject *origin, QWidget *parent = nullptr);
    /// `tone`: colour of the value; `baseline` null: none.
    void show(Figure const &figure, Figure const *baseline, Token tone);
    void follow() { m_value->follow(); }
    QSize sizeHint() const override; ///< each text in one line; they wrap with less width
private:
    QLabel *m_label = nullptr, *m_note = nullptr, *m_change = nullptr;
    LinkLabel *m_value = nullptr;
    mutable int m_widest = 0; ///< pixels
};

/// Writes a change with its word.
void showChange(QLabel &label, FigureChange const &change);

} // namespace tilewright::views
