#include "views/common/calm_style.h"

#include "views/common/icons.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/common/whole_text.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

#include <algorithm>
#include <iterator>

namespace tilewright::views {

namespace {

double currentScale = 1;

} // namespace

void setTextScale(double scale) { currentScale = scale; }
double textScale() { return currentScale; }

QColor selectionColor()
{
    QColor color = theme()[Token::Accent];
    color.setAlphaF(0.12F);
    return color;
}

CalmStyle::CalmStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))), m_wholeTexts(new WholeTexts(this)), m_wrappedTips(new WrappedTips(this))
{
}

void CalmStyle::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QLabel *>(widget) || qobject_cast<QLineEdit *>(widget) || qobject_cast<QComboBox *>(widget))
        widget->installEventFilter(m_wholeTexts);
    if (WrappedTips::isTip(*widget)) widget->installEventFilter(m_wrappedTips);
}

void CalmStyle::drawPrimitive(PrimitiveElement element, QStyleOption const *option, QPainter *painter, QWidget const *widget) const
{
    // Fusion shows focus as a tinted ground over the row; here an outline shows it, and a line where nothing is selected. A tree draws the
    // focus of
    // a row without passing itself, and indicates by colour whether the row is selected.
    if (auto const *focus = qstyleoption_cast<QStyleOptionFocusRect const *>(option);
        focus && element == PE_FrameFocusRect && (!widget || qobject_cast<QAbstractItemView const *>(widget))) {
        bool const selected = (option->state & State_Selected) || focus->backgroundColor == option->palette.color(QPalette::Highlight);
        if (selected) return;
        painter->save();
        painter->setPen(theme()[Token::Accent]);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
        return;
    }
    // An arrow that points up stands for the smallest value on top, as in other programs; Fusion draws the opposite.
    if (auto const *header = qstyleoption_cast<QStyleOptionHeader const *>(option); header && element == PE_IndicatorHeaderArrow) {
        QStyleOptionHeader turned(*header);
        if (header->sortIndicator == QStyleOptionHeader::SortUp) turned.sortIndicator = QStyleOptionHeader::SortDown;
        else if (header->sortIndicator == QStyleOptionHeader::SortDown) turned.sortIndicator = QStyleOptionHeader::SortUp;
        return QProxyStyle::drawPrimitive(element, &turned, painter, widget);
    }
    auto const *item = qstyleoption_cast<QStyleOptionViewItem const *>(option);
    if (!item || (element != PE_PanelItemViewItem && element != PE_PanelItemViewRow))
        return QProxyStyle::drawPrimitive(element, option, painter, widget);
    QStyleOptionViewItem plain(*item);
    plain.state &= ~State_Selected;
    QProxyStyle::drawPrimitive(element, &plain, painter, widget);
    if (element == PE_PanelItemViewRow || !(item->state & State_Selected)) return;
    // Opaque, because delegates and style sheets paint the ground more than once.
    painter->fillRect(item->rect, theme()[Token::Panel]);
    painter->fillRect(item->rect, selectionColor());
    using View = QStyleOptionViewItem;
    bool const first = item->viewItemPosition == View::Beginning || item->viewItemPosition == View::OnlyOne
        || (item->viewItemPosition == View::Invalid && item->index.column() <= 0);
    if (!first) return;
    QRect edge = item->rect;
    if (item->direction == Qt::RightToLeft) edge.setLeft(edge.right() - kSelectionEdge + 1);
    else edge.setWidth(kSelectionEdge);
    painter->fillRect(edge, theme()[Token::Accent]);
}

void CalmStyle::drawControl(ControlElement element, QStyleOption const *option, QPainter *painter, QWidget const *widget) const
{
    auto const *header = qstyleoption_cast<QStyleOptionHeader const *>(option);
    if (!header || element != CE_HeaderLabel) return QProxyStyle::drawControl(element, option, painter, widget);
    // Elide long titles in the middle; a style sheet resets this setting of the header.
    QStyleOptionHeader fitted(*header);
    if (header->sortIndicator != QStyleOptionHeader::None && header->orientation == Qt::Horizontal) {
        // The sort arrow has a separate place at the end of the section.
        int const arrow = pixelMetric(PM_HeaderMarkSize, option, widget) + kGrid;
        if (option->direction == Qt::RightToLeft) fitted.rect.adjust(arrow, 0, 0, 0);
        else fitted.rect.adjust(0, 0, -arrow, 0);
    }
    auto const *view = qobject_cast<QHeaderView const *>(widget);
    if (view && view->model() && header->fontMetrics.horizontalAdvance(fitted.text) > fitted.rect.width()) {
        auto const shorter = view->model()->headerData(header->section, header->orientation, ShortTitleRole).toString();
        if (!shorter.isEmpty()) fitted.text = shorter;
    }
    fitted.text = header->fontMetrics.elidedText(fitted.text, Qt::ElideMiddle, fitted.rect.width());
    QProxyStyle::drawControl(element, &fitted, painter, widget);
}

namespace {

struct StandardIcon {
    QStyle::StandardPixmap which;
    char const *name; ///< in resources/icons
    Token token = Token::Text;
};

/// Message boxes, the buttons of dialogs, Qt's file dialog and line edits. What is not listed is drawn by Fusion.
constexpr StandardIcon kIcons[] = {{QStyle::SP_MessageBoxInformation, "note", Token::Accent},
                                   {QStyle::SP_MessageBoxQuestion, "help", Token::Accent},
                                   {QStyle::SP_MessageBoxWarning, "warning", Token::Warning},
                                   {QStyle::SP_MessageBoxCritical, "error", Token::Bad},
                                   {QStyle::SP_DialogOkButton, "check"},
                                   {QStyle::SP_DialogYesButton, "check"},
                                   {QStyle::SP_DialogApplyButton, "check"},
                                   {QStyle::SP_DialogCancelButton, "close"},
                                   {QStyle::SP_DialogCloseButton, "close"},
                                   {QStyle::SP_DialogNoButton, "close"},
                                   {QStyle::SP_DialogDiscardButton, "delete"},
                                   {QStyle::SP_DialogSaveButton, "save"},
                                   {QStyle::SP_DialogOpenButton, "open"},
                                   {QStyle::SP_DialogResetButton, "reset"},
                                   {QStyle::SP_DialogHelpButton, "help"},
                                   {QStyle::SP_FileDialogNewFolder, "new"},
                                   {QStyle::SP_FileDialogToParent, "chevron-up"},
                                   {QStyle::SP_FileDialogBack, "back"},
                                   {QStyle::SP_FileDialogDetailedView, "table"},
                                   {QStyle::SP_FileDialogListView, "outline"},
                                   {QStyle::SP_FileDialogContentsView, "find"},
                                   {QStyle::SP_DirIcon, "folder", Token::SecondaryText},
                                   {QStyle::SP_DirOpenIcon, "folder", Token::SecondaryText},
                                   {QStyle::SP_DirClosedIcon, "folder", Token::SecondaryText},
                                   {QStyle::SP_DirHomeIcon, "home", Token::SecondaryText},
                                   {QStyle::SP_ComputerIcon, "monitor", Token::SecondaryText},
                                   {QStyle::SP_DesktopIcon, "monitor", Token::SecondaryText},
                                   {QStyle::SP_DriveHDIcon, "data", Token::SecondaryText},
                                   {QStyle::SP_FileIcon, "log", Token::SecondaryText},
                                   {QStyle::SP_FileLinkIcon, "link", Token::SecondaryText},
                                   {QStyle::SP_DirLinkIcon, "link", Token::SecondaryText},
                                   {QStyle::SP_ArrowBack, "back"},
                                   {QStyle::SP_ArrowForward, "forward"},
                                   {QStyle::SP_LineEditClearButton, "close", Token::SecondaryText}};

} // namespace

QIcon CalmStyle::standardIcon(StandardPixmap which, QStyleOption const *option, QWidget const *widget) const
{
    auto const *found = std::ranges::find(kIcons, which, &StandardIcon::which);
    return found == std::end(kIcons) ? QProxyStyle::standardIcon(which, option, widget) : icon(QLatin1String(found->name), found->token);
}

QPixmap CalmStyle::standardPixmap(StandardPixmap which, QStyleOption const *option, QWidget const *widget) const
{
    bool const ours = std::ranges::find(kIcons, which, &StandardIcon::which) != std::end(kIcons);
    return ours ? standardIcon(which, option, widget).pixmap(kIconSize) : QProxyStyle::standardPixmap(which, option, widget);
}

QPixmap CalmStyle::generatedIconPixmap(QIcon::Mode mode, QPixmap const &pixmap, QStyleOption const *option) const
{
    return mode == QIcon::Selected ? pixmap : QProxyStyle::generatedIconPixmap(mode, pixmap, option);
}

} // namespace tilewright::views
