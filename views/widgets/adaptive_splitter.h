#pragma once

#include <QSplitter>

namespace tilewright::views {

/// Two parts side by side if there is enough width, else one above the other.
class AdaptiveSplitter : public QSplitter {
    Q_OBJECT
public:
    /// `wideFrom`: width in pixels from which the parts are side by side; `first`, `second`: their shares.
    AdaptiveSplitter(int wideFrom, int first, int second, QWidget *parent);
    /// Adds `content` as a vertically scrolling side with the background of the view.
    void addScrolled(QWidget &content);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    int m_wideFrom, m_first, m_second;
    bool m_shared = false;
};

} // namespace tilewright::views
