#pragma once

#include "views/problems/project_fixes.h"

#include <QFrame>

namespace tilewright::views {

/// One problem: severity, subject, message, remedy and a button per fix. Click or focus picks it; Enter or double click requests its place.
class ProblemCard : public QFrame {
    Q_OBJECT
public:
    ProblemCard(Diagnostic const &problem, std::vector<ProjectFix> const &fixes, QWidget *parent);
    Diagnostic const &problem() const { return m_problem; }
    void setMarked(bool on); ///< whether it belongs to the selection
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
