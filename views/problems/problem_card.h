#pragma once

#include "views/problems/project_fixes.h"

#include <QFrame>

namespace tilewright::views {

/// One problem: severity, subject, message, remedy and a button per fix. A click or the focus picks it, Enter or a
/// double click asks to go there.
class ProblemCard : public QFrame {
    Q_OBJECT
public:
    ProblemCard(Diagnostic const &problem, std::vector<ProjectFix> const &fixes, QWidget *parent);
    Diagnostic const &problem() const { return m_problem; }
    void setMarked(bool on); ///< belongs to what is selected
signals:
    void picked();
    void activated();
    void fixChosen(int fix);

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    Diagnostic m_problem;
    bool m_marked = false;
};

} // namespace tilewright::views
