#pragma once

#include <QString>
#include <QStringList>

namespace tilewright::views {

/// Which lessons a person has marked as done; kept in the settings of the program ("help/lessonsDone").
class LessonProgress {
public:
    LessonProgress();
    bool isDone(QString const &lessonId) const { return m_done.contains(lessonId); }
    void setDone(QString const &lessonId, bool done);
    QStringList const &done() const { return m_done; }

private:
    QStringList m_done;
};

} // namespace tilewright::views
