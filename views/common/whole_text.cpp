#include "views/common/whole_text.h"

#include <QComboBox>
#include <QCursor>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QToolTip>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr int kLineMargin = 2; ///< free pixels of a field at both sides of its text; not available from the style

constexpr int kTipLetters = 60;

/// The tool tip that Qt would show: that of the widget or of its parent.
QString tipOf(QWidget const *widget)
{
    for (; widget; widget = widget->isWindow() ? nullptr : widget->parentWidget())
        if (!widget->toolTip().isEmpty()) return widget->toolTip();
    return {};
}

} // namespace

QString fittingParts(QString const &text, QFontMetrics const &metrics, int width)
{
    QString const between = QStringLiteral(" · ");
    auto parts = text.split(between);
    while (parts.size() > 1 && metrics.horizontalAdvance(parts.join(between)) > width) parts.removeLast();
    return parts.join(between);
}

QString cutText(QWidget const &widget)
{
    auto const cut = [&](QString const &text, int room) { return widget.fontMetrics().horizontalAdvance(text) > room ? text : QString(); };
    if (auto const *label = qobject_cast<QLabel const *>(&widget))
        return label->wordWrap() || Qt::mightBeRichText(label->text()) ? QString() : cut(label->text(), label->contentsRect().width());
    if (auto const *line = qobject_cast<QLineEdit const *>(&widget)) {
        QStyleOptionFrame option;
        option.initFrom(line);
        QRect const room = line->style()->subElementRect(QStyle::SE_LineEditContents, &option, line).marginsRemoved(line->textMargins());
        return line->text().isEmpty() ? cut(line->placeholderText(), room.width() - 2 * kLineMargin) : QString();
    }
    auto const *box = qobject_cast<QComboBox const *>(&widget);
    if (!box || box->isEditable()) return {};
    QStyleOptionComboBox option;
    option.initFrom(box);
    int const icon = box->itemIcon(box->currentIndex()).isNull() ? 0 : box->iconSize().width();
    return cut(box->currentText(),
               box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box).width() - icon);
}

bool WholeTexts::eventFilter(QObject *watched, QEvent *event)
{
    auto *widget = event->type() == QEvent::ToolTip ? qobject_cast<QWidget *>(watched) : nullptr;
    QString const whole = widget ? cutText(*widget) : QString(), tip = widget ? tipOf(widget) : QString();
    if (whole.isEmpty() || tip.contains(whole)) return false;
    QString text = QStringLiteral("<b>%1</b>").arg(whole.toHtmlEscaped());
    if (!tip.isEmpty()) text += QStringLiteral("<br>") + (Qt::mightBeRichText(tip) ? tip : tip.toHtmlEscaped());
    QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), text, widget);
    return true;
}

bool WrappedTips::isTip(QWidget const &widget) { return widget.inherits("QTipLabel"); }

bool WrappedTips::eventFilter(QObject *watched, QEvent *event)
{
    auto *tip = qobject_cast<QLabel *>(watched);
    // A hidden widget gets its size with the show event.
    if (!tip || (event->type() != QEvent::Resize && event->type() != QEvent::Show)) return false;
    int const most = kTipLetters * tip->fontMetrics().averageCharWidth();
    if (Qt::mightBeRichText(tip->text()) || tip->width() <= most) return false;
    tip->setWordWrap(true); // Qt resets it with each text
    tip->resize(most, tip->heightForWidth(most));
    // Qt moved it to fit the whole line on the screen; move it back to the pointer.
    int const right = tip->screen()->geometry().right() - most;
    if (int const pointer = QCursor::pos().x(); tip->x() < pointer) tip->move(std::max(tip->x(), std::min(pointer, right)), tip->y());
    return false;
}

} // namespace tilewright::views
