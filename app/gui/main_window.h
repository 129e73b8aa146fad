#pragma once

#include "views/document/document.h"
#include "views/session/model_file.h"
#include "views/session/session.h"
#include "views/session/view.h"

#include <QKeySequence>
#include <QMainWindow>
#include <QPointer>

#include <functional>
#include <memory>
#include <vector>

class QComboBox;
class QStackedWidget;

namespace tilewright::app {

class CommandPalette;
class FitMeter;
class MessageBar;
class StartPage;
class StatusStrip;
class Workbench;

/// An entry of the edit menu. The focused widget executes it, by a slot of that name or by its own action for the keys.
struct EditKind {
    char const *id, *text, *icon, *slot;
    QKeySequence::StandardKey keys;
};
inline constexpr EditKind kEdits[] = {
    {"edit.cut", QT_TRANSLATE_NOOP("edits", "Cu&t"), "cut", "cut", QKeySequence::Cut},
    {"edit.copy", QT_TRANSLATE_NOOP("edits", "&Copy"), "copy", "copy", QKeySequence::Copy},
    {"edit.paste", QT_TRANSLATE_NOOP("edits", "&Paste"), "paste", "paste", QKeySequence::Paste},
    {"edit.delete", QT_TRANSLATE_NOOP("edits", "&Delete"), "delete", "remove", QKeySequence::Delete},
    {"edit.select_all", QT_TRANSLATE_NOOP("edits", "Select &all"), "", "selectAll", QKeySequence::SelectAll},
};

/// The window: menus, tool bar, messages, start page or workbench, one session. Uses views only through the View interface.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `safe`: ignores saved layouts.
    explicit MainWindow(bool safe, QWidget *parent = nullptr);
    ~MainWindow() override;

    views::Session &session() { return *m_session; }
    void openFiles(QStringList const &files);
    /// Closes without asking; the autosave holds unsaved changes.
    void quitNow();
    bool quits() const { return m_quitting; }
    /// Shows a view, and creates it if needed.
    views::View *showView(QString const &id);
    /// The same, with keyboard focus.
    void activateView(QString const &id);
    void goToView(QString const &id); ///< for requests of a view: switches the mode if needed
    /// The second part of saveAs: saves the project with its history to another file.
    bool saveTo(QString const &path);
    /// "build", "train", "analyse", "present", or the name of a saved arrangement.
    void applyLayout(QString const &name);
    QStringList layoutNames() const;
    QString layoutName() const; ///< of the mode
    Workbench &workbench() { return *m_workbench; }
    QAction *action(QString const &id) const; ///< null when there is none
    std::vector<std::pair<QString, QAction *>> const &actions() const { return m_actions; }

protected:
    void closeEvent(QCloseEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    // main_window.cpp
    void openQueued();
    void complete(views::OpenParts parts); ///< asks for what a model file leaves open
    void build();                          ///< creates everything in the window
    void rebuild();                        ///< does so in another language; open documents and views stay
    void connectSession();
    void connectStart();
    void showTarget();
    void showError(Diagnostic const &error);
    void showNotice(Diagnostic const &warning);
    void updateTitle();
    void updateActions();
    void updateEditActions();
    void showWorkbench(bool on);
    views::View *currentView() const;
    /// The function of an edit menu entry for the focused widget or its parents; empty: not available.
    std::function<void()> editor(EditKind const &kind) const;
    // main_window_actions.cpp
    void makeActions();
    void makeMenus();
    void makeToolBar();
    QAction *add(QString const &id, QString const &text, QString const &icon, QKeySequence const &keys, std::function<void()> run);
    void fillRecentMenu();
    // main_window_files.cpp
    bool save();
    bool saveAs();
    /// Takes over what is typed in a field that has the keyboard: fields hand over their text when they lose it.
    void finishEditing();
    bool mayClose();   ///< asks where work would be lost; false: the open project stays
    bool mayReplace(); ///< the same, while a file is being opened
    void offerData(QString const &path, QString const &format);
    void newProject(QString const &templateName);
    void open();
    void exportView();
    void exportModel();
    void stepBack(bool undo); ///< undo or redo, told in the strip
    void offerRecovery();
    bool saved(QString const &path, views::Document::Overwrite overwrite = views::Document::Overwrite::Known);
    bool wait(std::function<void(std::function<void()>)> const &begin);
    std::function<void(Status const &)> raiseErrors(std::function<void()> end);
    void saveWindow();
    void restoreWindow();
    void saveLayoutAs();

    std::unique_ptr<views::Session> m_session;
    std::vector<std::pair<QString, QAction *>> m_actions;
    QStackedWidget *m_pages = nullptr;
    StartPage *m_start = nullptr;
    Workbench *m_workbench = nullptr;
    FitMeter *m_fit = nullptr;
    MessageBar *m_messages = nullptr;
    QString m_notice;         ///< the last warning of an action in it
    std::string m_noticeCode; ///< of the warning that it tells
    StatusStrip *m_status = nullptr;
    QComboBox *m_target = nullptr;
    QMenu *m_recent = nullptr, *m_viewMenu = nullptr, *m_layoutMenu = nullptr, *m_templates = nullptr;
    QToolBar *m_toolBar = nullptr;
    QPointer<QWidget> m_editing; ///< last focused widget, except menus
    bool m_safe = false, m_quitting = false, m_shown = false, m_speaksAnew = false;
    QList<QStringList> m_toOpen; ///< files to open after the current ones
    bool m_opens = false, m_waits = false;
    bool m_keptProject = false; ///< somebody kept the open project instead of the file that is being opened
};

} // namespace tilewright::app
