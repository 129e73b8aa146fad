#include "views/help/lesson_progress.h"

#include <QSettings>

namespace tilewright::views {

namespace {
QString key() { return QStringLiteral("help/lessonsDone"); }
} // namespace

LessonProgress::LessonProgress() : m_done(QSettings().value(key()).toStringList()) {}

void LessonProgress::setDone(QString const &lessonId, bool done)
{
    if (isDone(lessonId) == done) return;
    if (done) m_done.append(lessonId);
    else m_done.removeAll(lessonId);
    QSettings().setValue(key(), m_done);
}

} // namespace tilewright::views
