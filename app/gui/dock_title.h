#pragma once

#include <QWidget>

class QDockWidget;
class QLabel;

namespace tilewright::app {

/// A thin title row for single panels. Panels in tabs have none.
class DockTitle : public QWidget {
    Q_OBJECT
public:
    DockTitle(QDockWidget &dock, QString const &iconName);

protected:
    void changeEvent(QEvent *event) override;

private:
    void restyle();
    QString m_icon;
    QLabel *m_picture = nullptr, *m_text = nullptr;
};

} // namespace tilewright::app
