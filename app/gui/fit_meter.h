#pragma once

#include <QWidget>

class QAction;

namespace tilewright::views {
class FitWatch;
class Session;
} // namespace tilewright::views

namespace tilewright::app {

/// A small bar per IPU in the tool bar, replicas included: how full its fullest tile is, what it needs at once
/// and, paler, what it reaches beyond. At once an estimate, which says so, then what a compile in the background found. A click shows the
/// memory view.
class FitMeter : public QWidget {
    Q_OBJECT
public:
    explicit FitMeter(views::Session &session, QWidget *parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void update();
    /// The tool bar's entry of it: hides the meter while there is nothing to show.
    void setAction(QAction *action);
    QString text() const { return m_text; }
    /// The bars, as they are painted: one per IPU.
    QList<QRectF> bars() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    views::Session &m_session;
    views::FitWatch *m_watch = nullptr;
    QString m_text;
    QAction *m_action = nullptr;
};

} // namespace tilewright::app
