#pragma once

#include "views/help/help_library.h"
#include "views/help/lesson_progress.h"
#include "views/session/view.h"

class QCheckBox;
class QLineEdit;
class QListWidget;
class QStackedWidget;
class QTextBrowser;
class QToolButton;
class QUrl;

namespace tilewright::views {

/// The help panel: written pages, lessons and the reference made from the engine's tables. Works offline. Links lead to pages, views and
/// actions of the open project.
class HelpView : public View {
    Q_OBJECT
public:
    HelpView(Session &session, QWidget *parent);
    ~HelpView() override;

    /// Opens the page named by `wanted` (see HelpLibrary::resolve), or searches for it.
    void openPage(QString const &wanted);
    QString currentPage() const;
    void goBack();
    void goForward();

    QJsonObject saveState() const override;
    void restoreState(QJsonObject const &state) override;
    void startSearch() override;

protected:
    void refresh() override;
    void restyle() override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Visited {
        QString page;
        int scroll = 0;
    };
    QWidget *makeBar();
    QWidget *makeLessonBar();
    void load();
    void visit(QString const &pageId);
    void display(Visited const &place);
    void followLink(QUrl const &link);
    void openTemplate(QString const &name);
    void showHits(QString const &query);
    void openHit(int row);
    void updateBars();
    void nextLesson(int direction);
    QString pageMarkdown(HelpPage const &page) const;

    HelpLibrary m_library;
    QString m_language; ///< of the library; empty: none read yet
    LessonProgress m_progress;
    QList<Visited> m_visited;
    int m_at = -1;
    QToolButton *m_back = nullptr, *m_forward = nullptr, *m_home = nullptr;
    QLineEdit *m_search = nullptr;
    QStackedWidget *m_stack = nullptr;
    QTextBrowser *m_browser = nullptr;
    QListWidget *m_hits = nullptr;
    QWidget *m_lessonBar = nullptr;
    QToolButton *m_previous = nullptr, *m_next = nullptr;
    QCheckBox *m_done = nullptr;
};

ViewDescriptor helpView();

} // namespace tilewright::views
