#pragma once

#include "views/session/session.h"
#include "views/session/view.h"

#include <QMainWindow>

#include <map>
#include <memory>
#include <vector>

class QComboBox;
class QDockWidget;
class QStackedWidget;

namespace tilewright::app {

class CommandPalette;
class FitMeter;
class MessageBar;
class StartPage;
class StatusStrip;

/// The workbench: docks around nothing, one session. Composes views, asks nothing of them but the View interface.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `safe`: saved layouts are ignored.
    explicit MainWindow(bool safe, QWidget *parent = nullptr);
    ~MainWindow() override;

    views::Session &session() { return *m_session; }
    void openFiles(QStringList const &files);
    /// Ends without asking: what was not saved is in the autosave.
    void quitNow();
    /// Brings a view to the front, made if need be.
    views::View *showView(QString const &id);
    /// "build", "train", "analyse", "present", or a saved name.
    void applyLayout(QString const &name);
    QStringList layoutNames() const;
    QString layoutName() const { return m_layout; }
    QAction *action(QString const &id) const; ///< null when there is none
    std::vector<std::pair<QString, QAction *>> const &actions() const { return m_actions; }

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

private:
    struct Pane {
        views::ViewDescriptor descriptor;
        QDockWidget *dock = nullptr;
        views::View *view = nullptr;
        QJsonObject state; ///< to restore when the view is made
    };

    // main_window.cpp
    void connectSession();
    void updateTitle();
    void updateActions();
    void showWorkbench(bool on);
    Pane *pane(QString const &id);
    views::View *makeView(Pane &pane);
    views::View *currentView() const;
    // main_window_actions.cpp
    void makeActions();
    void makeMenus();
    void makeToolBar();
    QAction *add(QString const &id, QString const &text, QString const &icon, QKeySequence const &keys, std::function<void()> run);
    void retranslate();
    void fillRecentMenu();
    // main_window_files.cpp
    bool save();
    bool saveAs();
    bool mayClose();
    void newProject(QString const &templateName);
    void open();
    void exportView();
    void offerRecovery(QString const &path);
    // main_window_layout.cpp
    void makeDocks();
    void arrange(QString const &name);
    bool isSmall() const;
    void rememberSides();
    void restoreSides();
    void saveWindow();
    void restoreWindow();
    void saveLayoutAs();
    QJsonObject viewStates() const;
    void restoreViewStates(QJsonObject const &states);

    std::unique_ptr<views::Session> m_session;
    std::vector<Pane> m_panes;
    std::vector<std::pair<QString, QAction *>> m_actions;
    std::map<QString, std::pair<QString, QString>> m_texts;
    StartPage *m_start = nullptr;
    FitMeter *m_fit = nullptr;
    MessageBar *m_messages = nullptr;
    StatusStrip *m_status = nullptr;
    QComboBox *m_target = nullptr, *m_layouts = nullptr;
    QMenu *m_recent = nullptr, *m_viewMenu = nullptr, *m_layoutMenu = nullptr, *m_templates = nullptr;
    QToolBar *m_toolBar = nullptr;
    QString m_layout = QStringLiteral("build");
    bool m_safe = false, m_quitting = false, m_shown = false;
    std::vector<std::pair<QDockWidget *, QSize>> m_sides; ///< panels beside and below the middle, and their sizes
    bool m_compact = false; ///< the window is small: side panels stand in tabs
};

} // namespace tilewright::app
