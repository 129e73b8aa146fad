#pragma once

#include <QWidget>

#include <vector>

class QAction;

namespace tilewright::views {
class Session;
}

namespace tilewright::app {

/// A small bar per IPU in the tool bar: how full its worst tile is. Estimated before a compile, compiled truth after;
/// says which. A click shows the memory view.
class FitMeter : public QWidget {
    Q_OBJECT
public:
    explicit FitMeter(views::Session &session, QWidget *parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void update();
    /// The tool bar's entry of it: hides the meter while there is nothing to show.
    void setAction(QAction *action);
protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
private:
    struct Bar { double share = 0; bool fits = true; };
    views::Session &m_session;
    std::vector<Bar> m_bars;
    bool m_estimated = true;
    QString m_text;
    QAction *m_action = nullptr;
};

} // namespace tilewright::app
