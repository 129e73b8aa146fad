#pragma once

#include <QString>
#include <QStringList>

namespace tilewright::views {

/// Lessons that the user marked as done, stored in the settings ("help/lessonsDone").
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
