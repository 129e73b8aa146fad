#include "views/canvas/inline_rename.h"
#include "views/canvas/canvas_widget.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>

#include <algorithm>

namespace tilewright::views {

namespace {

class RenameField : public QLineEdit {
public:
    RenameField(CanvasWidget &canvas, std::function<void(QString const &)> renamed) : QLineEdit(&canvas), m_renamed(std::move(renamed)) {}

protected:
    void keyPressEvent(QKeyEvent *event) override
    {
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return close(true);
        if (event->key() == Qt::Key_Escape) return close(false);
        QLineEdit::keyPressEvent(event);
    }
    void focusOutEvent(QFocusEvent *event) override
    {
        QLineEdit::focusOutEvent(event);
        if (event->reason() != Qt::PopupFocusReason) close(false);
    }

private:
    void close(bool take)
    {
        if (m_closed) return;
        m_closed = true;
        hide();
        deleteLater();
        if (take) m_renamed(text());
        else parentWidget()->setFocus();
    }
    std::function<void(QString const &)> m_renamed;
    bool m_closed = false;
};

} // namespace

void startRename(CanvasWidget &canvas, QString const &id, std::function<void(QString const &)> const &renamed)
{
    int const node = canvas.scene().node(id.toStdString());
    if (node < 0) return;
    canvas.reveal(id.toStdString());
    QRectF const rect = canvas.scene().nodes[static_cast<std::size_t>(node)].rect;
    auto *field = new RenameField(canvas, renamed);
    field->setText(id);
    field->setAccessibleName(QCoreApplication::translate("views", "New name of %1").arg(id));
    QPoint const at = canvas.toWidget(rect.topLeft()).toPoint();
    int const width = std::max(field->minimumSizeHint().width() * 3, static_cast<int>(rect.width() * canvas.zoom()));
    field->setGeometry(std::clamp(at.x(), 0, std::max(0, canvas.width() - width)), std::clamp(at.y(), 0, std::max(0, canvas.height() - 30)),
                       width, field->sizeHint().height());
    field->selectAll();
    field->show();
    field->setFocus();
}

} // namespace tilewright::views
