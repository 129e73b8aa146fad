#pragma once

#include "app/gui/modes.h"
#include "views/session/session.h"
#include "views/session/view.h"

#include <QJsonObject>
#include <QWidget>

#include <map>
#include <vector>

class QDockWidget;
class QMainWindow;
class QTabBar;
class QTimer;

namespace tilewright::app {

class ConsoleStrip;
class ModeBar;

/// All views in their places: the mode bar, tabs in the centre, panels at the sides and below, the console strip. The centre is a dock
/// window inside the one with the panels, so that panels keep their size and the centre takes the space when the window grows. User
/// arrangements are kept per mode, separately for wide and narrow windows.
class Workbench : public QWidget {
    Q_OBJECT
public:
    explicit Workbench(views::Session &session, QWidget *parent = nullptr);
    ~Workbench() override;

    QStringList viewIds() const;                                      ///< of all views, in the order of menus
    views::ViewDescriptor const &descriptor(QString const &id) const; ///< Requires: the view exists
    bool has(QString const &id) const { return find(id) != nullptr; }
    /// Shows a view and creates it if needed; adds it to the mode if needed. Null: unknown view.
    views::View *showView(QString const &id);
    /// The same, with keyboard focus.
    void activateView(QString const &id);
    /// Removes a view from the mode; the last one in the centre stays.
    void hideView(QString const &id);
    void moveView(QString const &id, Place place);
    void toggleFloating(QString const &id);
    bool isInMode(QString const &id) const;
    Place placeOf(QString const &id) const;
    /// The focused view, else the front view of the centre; null: none.
    views::View *currentView() const;
    std::vector<views::View *> madeViews() const;

    QString mode() const { return m_mode; }
    void setMode(QString const &id);
    void resetMode(); ///< restores the initial arrangement
    bool isCompact() const { return m_compact; }

    bool isPanelOpen() const;
    void setPanelOpen(bool open, QString const &front = {});

    /// The current arrangement, for saving under a name, and its restoration.
    QJsonObject arrangement() const;
    void apply(QString const &mode, QJsonObject const &arrangement);
    /// Mode, arrangements of all modes and the states of views.
    QJsonObject save() const;
    void restore(QJsonObject const &saved);

signals:
    void modeChanged(QString const &id);
    void viewsChanged(); ///< another set of views is in the mode

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    static constexpr double kLeftShare = 0.55;
    struct Pane {
        views::ViewDescriptor descriptor;
        QDockWidget *dock = nullptr;
        views::View *view = nullptr;
        QJsonObject state; ///< restored when the view is created
        Place place = Place::Centre;
        bool inMode = false;
    };
    // workbench.cpp
    Pane *find(QString const &id);
    Pane const *find(QString const &id) const;
    void makeDock(Pane &pane);
    void nameViews(); ///< in the current language
    void updateTitleBar(Pane &pane);
    views::View *makeView(Pane &pane);
    void makeVisibleViews();
    void showTabMenu(QTabBar &bar, QPoint const &at);
    // workbench_arrange.cpp
    void arrange(); ///< for the current mode and width
    void takeOut(Pane &pane);
    void takeOut(); ///< removes all views
    void put(Pane &pane, Place place);
    bool restoreArrangement(QJsonObject const &saved);
    void arrangeAfresh();
    void sizePanels();
    QList<QDockWidget *> shown(Place place) const; ///< not those that float
    QList<QDockWidget *> stackedLeft() const;      ///< two panels at the left, the upper one first; or none
    void shareLeft();                              ///< gives them their shares of the height
    void styleTabs();
    void remember(); ///< stores the current arrangement for mode and width
    bool wantsCompact() const;
    QString slot() const; ///< key of mode and width in m_kept
    QDockWidget *neighbour(Pane const &pane) const;
    QMainWindow &windowOf(Place place) const;
    void applyTextSize();

    views::Session &m_session;
    std::vector<Pane> m_panes;
    ModeBar *m_bar = nullptr;
    ConsoleStrip *m_strip = nullptr;
    QMainWindow *m_sides = nullptr, *m_centre = nullptr;
    QWidget *m_store = nullptr; ///< holds the docks of views that are not in the mode; never shown
    QTimer *m_snapshot = nullptr;
    std::map<QString, QJsonObject> m_kept;
    QString m_mode = QStringLiteral("build");
    bool m_compact = false, m_arranged = false, m_arranging = false;
    int m_panelHeight = 0;           ///< of the bottom panel; 0: not opened yet
    double m_leftShare = kLeftShare; ///< of the upper of two panels at the left
};

} // namespace tilewright::app
