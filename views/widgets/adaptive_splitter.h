#pragma once

#include <QSplitter>

namespace tilewright::views {

/// Two parts side by side where there is width for it, else one above the other.
class AdaptiveSplitter : public QSplitter {
    Q_OBJECT
public:
    /// `wideFrom`: pixels from which the parts stand side by side; `first`, `second`: how they share the room.
    AdaptiveSplitter(int wideFrom, int first, int second, QWidget *parent);
    /// Adds `content` as a side that scrolls up and down on the ground of the view.
    void addScrolled(QWidget &content);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    int m_wideFrom, m_first, m_second;
    bool m_shared = false;
};

} // namespace tilewright::views
