#pragma once

#include <QWidget>

class QAction;

namespace tilewright::views {
class FitWatch;
class Session;
} // namespace tilewright::views

namespace tilewright::app {

/// A bar per IPU in the tool bar, including replicas: how full its fullest tile is. Shows the need in full colour and the rest up to the
/// highest address paler. Starts with an estimate, marked as such, and then shows the figure of a compile in the background. A click shows
/// the memory view, or what would make it fit.
class FitMeter : public QWidget {
    Q_OBJECT
public:
    explicit FitMeter(views::Session &session, QWidget *parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void update();
    /// The meter's action in the tool bar, which is hidden while there is nothing to show.
    void setAction(QAction *action);
    QString text() const { return m_text; }
    /// The painted bars, one per IPU.
    QList<QRectF> bars() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    bool showsRemedies() const; ///< it was compiled and does not fit
    bool isBroken() const;      ///< the project has errors, so nothing is known
    void open();
    views::Session &m_session;
    views::FitWatch *m_watch = nullptr;
    QString m_text;
    QAction *m_action = nullptr;
};

} // namespace tilewright::app
