#pragma once

#include <QList>
#include <QPushButton>
#include <QScrollArea>

class QGridLayout;
class QVBoxLayout;
class QLabel;

namespace tilewright::app {

/// The first page: an empty project, templates with picture, size and fit, recent files, lessons, and what a crash left unsaved.
class StartPage : public QScrollArea {
    Q_OBJECT
public:
    explicit StartPage(QWidget *parent = nullptr);
    void refresh(); ///< updates recent files and unsaved changes
signals:
    void templateChosen(QString const &name); ///< "": an empty project
    void fileChosen(QString const &path);
    void openRequested();
    void lessonChosen(QString const &page);
    void recoveryChosen(QString const &autosave); ///< of a project that was never saved
    void changesChosen(QString const &path);      ///< to a saved project

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void build();
    void addRecoveries(QVBoxLayout &all, QWidget &page);
    void evenHeights();
    QList<QPushButton *> m_cards[3]; ///< templates; recent files and lessons; unsaved changes
    QWidget *m_body = nullptr;
};

} // namespace tilewright::app
