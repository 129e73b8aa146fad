#include "views/widgets/floating_note.h"

#include <QEvent>
#include <QObject>
#include <QWidget>

namespace tilewright::views {

namespace {

class Place : public QObject {
public:
    Place(QWidget *note, QWidget *host) : QObject(note), m_note(note), m_host(host)
    {
        note->installEventFilter(this);
        host->installEventFilter(this);
    }
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        bool const moved = watched == m_host && event->type() == QEvent::Resize;
        bool const changed = watched == m_note && (event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest);
        if (moved || changed) place();
        return QObject::eventFilter(watched, event);
    }

private:
    void place()
    {
        int const width = m_host->width();
        int const height = m_note->hasHeightForWidth() ? m_note->heightForWidth(width) : m_note->sizeHint().height();
        m_note->setGeometry(0, m_host->height() - height, width, height);
        m_note->raise();
    }
    QWidget *m_note, *m_host;
};

} // namespace

void floatOverBottom(QWidget *note, QWidget *host)
{
    note->setParent(host);
    new Place(note, host);
}

} // namespace tilewright::views
