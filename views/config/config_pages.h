#pragma once

#include <QWidget>

#include <memory>

class QCheckBox;
class QLabel;
class QPlainTextEdit;

namespace tilewright::project {
struct Project;
}

namespace tilewright::views {

class FactList;
class MachinePicture;
class PropertyTable;
class ScheduleWidget;
class Session;

/// Replication, accumulation, pipelining and feeds, with the resulting schedule.
class ParallelPage : public QWidget {
    Q_OBJECT
public:
    ParallelPage(Session &session, QWidget *parent);
    PropertyTable &table() const { return *m_table; }
    ScheduleWidget &schedule() const { return *m_schedule; }
    void refresh();

private:
    void preview();
    Session &m_session;
    PropertyTable *m_table;
    QLabel *m_text;
    std::shared_ptr<project::Project const> m_tried; ///< with an edit that is not applied yet
    ScheduleWidget *m_schedule;
};

/// Choice of the system, its picture and its figures.
class SystemPage : public QWidget {
    Q_OBJECT
public:
    SystemPage(Session &session, QObject *origin, QWidget *parent);
    PropertyTable &table() const { return *m_table; }
    MachinePicture &picture() const { return *m_picture; }
    void refresh();
    void follow();

private:
    void show(project::Project const &project);
    Session &m_session;
    PropertyTable *m_table;
    MachinePicture *m_picture;
    FactList *m_facts;
};

/// The configuration as lines and as JSON, to read and copy.
class TextPage : public QWidget {
    Q_OBJECT
public:
    TextPage(Session &session, QWidget *parent);
    void refresh();

private:
    Session &m_session;
    QCheckBox *m_changedOnly;
    QPlainTextEdit *m_lines, *m_json;
};

} // namespace tilewright::views
