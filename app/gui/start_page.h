#pragma once

#include <QList>
#include <QPushButton>
#include <QScrollArea>

class QGridLayout;
class QVBoxLayout;
class QLabel;

namespace tilewright::app {

/// The first page: an empty project, templates with picture, size and fit, recent files, lessons, and projects recovered after a crash.
class StartPage : public QScrollArea {
    Q_OBJECT
public:
    explicit StartPage(QWidget *parent = nullptr);
    void refresh(); ///< updates recent files and recovered projects
signals:
    void templateChosen(QString const &name); ///< "": an empty project
    void fileChosen(QString const &path);
    void openRequested();
    void lessonChosen(QString const &page);
    void recoveryChosen(QString const &autosave);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void build();
    void evenHeights();
    QList<QPushButton *> m_cards[2]; ///< templates; recent files and lessons
    QWidget *m_body = nullptr;
};

} // namespace tilewright::app
