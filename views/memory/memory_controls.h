#pragma once

#include "views/memory/memory_scene.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace tilewright::views {

/// The controls above the pictures. Wraps in narrow windows.
class MemoryControls : public QWidget {
    Q_OBJECT
public:
    explicit MemoryControls(QWidget *parent = nullptr);

    MemoryOptions const &options() const { return m_options; }
    void setOptions(MemoryOptions const &options);
    void setIpus(int ipus);
    void setGaps(std::optional<Bytes> ofWorstTile);  ///< that the switch adds there
    bool gapsChosen() const { return m_gapsChosen; } ///< by the user, now or in an earlier session; else the report decides
    void setGapsChosen() { m_gapsChosen = true; }
    static QString showName(MemoryShow show);
    void setCompareAvailable(bool on, QString const &with);
    void wantCompare() { m_wantsCompare = true; } ///< switches comparison on when it becomes available
    /// Shows the chosen tiles as text, unless the user is editing it.
    void setTilesText(QString const &text);
    void setTilesError(QString const &error); ///< empty: none
    void focusTiles();
    /// Gaps, limit, compare: in a separate row, placed beside the tabs of the pictures.
    QWidget &toggles() { return *m_toggles; }
    void toggleGaps();
    void toggleLimit();
    void nextOrder();
signals:
    void optionsChanged();
    void tilesEntered(QString const &text);

protected:
    /// Unused keys of a control (Return in the tile field) are not commands of the view.
    void keyPressEvent(QKeyEvent *event) override;

private:
    void read();
    MemoryOptions m_options;
    bool m_quiet = false, m_wantsCompare = false, m_gapsChosen = false;
    QLineEdit *m_tiles = nullptr;
    QLabel *m_error = nullptr;
    QWidget *m_toggles = nullptr;
    QComboBox *m_show = nullptr, *m_by = nullptr, *m_order = nullptr, *m_scale = nullptr, *m_ipu = nullptr;
    QToolButton *m_gaps = nullptr, *m_limit = nullptr, *m_compare = nullptr;
};

} // namespace tilewright::views
