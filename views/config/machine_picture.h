#pragma once

#include "views/config/machine_layout.h"

#include <QWidget>

namespace tilewright::views {

/// A picture of the chosen system: boards, IPUs, links, and the role of each IPU by colour and text (replica, stage). A click or the arrow
/// keys choose an IPU.
class MachinePicture : public QWidget {
    Q_OBJECT
public:
    explicit MachinePicture(QWidget *parent);
    void setLayoutOf(SystemLayout layout);
    void setMarked(std::vector<int> ipus);
    int currentIpu() const { return m_current; }
    QRectF rectOf(int ipu) const; ///< in widget coordinates
    QString tipOf(int ipu) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
signals:
    void picked(int ipu);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    MachineGeometry geometryFor(double width, double height) const;
    int ipus() const { return m_layout.machine ? m_layout.machine->ipus : 0; }
    SystemLayout m_layout;
    std::vector<int> m_marked;
    int m_current = -1;
};

} // namespace tilewright::views
