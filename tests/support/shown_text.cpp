#include "tests/support/shown_text.h"

#include "views/common/table_model.h"
#include "views/common/theme.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QGroupBox>
#include <QHash>
#include <QHeaderView>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QStyleOptionHeader>
#include <QTabBar>
#include <QTextDocument>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tilewright::tests {

namespace {

constexpr int kTolerance = 1; ///< pixels: widths are rounded
constexpr int kPixels = 3;    ///< of a picture to each of the window: the middle of a stroke has its whole colour
constexpr double kText = 4.5, kLargeText = 3;
constexpr double kLargePoints = 18, kLargeBoldPoints = 14;

/// A text that a widget shows, and where.
struct Shown {
    QWidget const *widget;
    QString text;
    QRect where;          ///< in the widget
    int wanted = 0;       ///< pixels to the side
    int high = 0;         ///< and down; 0: any height will do
    bool used = true;     ///< can be read or pressed now
    bool mayBeCut = true; ///< if a tooltip has it whole
    int across = 0;       ///< pixels that its longest line takes; 0: as many as it needs
};

QString plain(QString text)
{
    if (Qt::mightBeRichText(text)) {
        QTextDocument document;
        document.setHtml(text);
        text = document.toPlainText();
    }
    return text.simplified();
}

QString withoutMnemonic(QString text)
{
    static QRegularExpression const mark(QStringLiteral("&(.)"));
    return text.replace(mark, QStringLiteral("\\1"));
}

QString named(Shown const &shown)
{
    QStringList path;
    for (auto const *w = shown.widget; w; w = w->parentWidget())
        if (!w->accessibleName().isEmpty() || !w->objectName().isEmpty())
            path << (w->objectName().isEmpty() ? w->accessibleName() : w->objectName());
    while (path.size() > 3) path.removeLast();
    return QStringLiteral("%1 '%2' (%3)")
        .arg(QLatin1String(shown.widget->metaObject()->className()), shown.text.left(80), path.join(QStringLiteral(" in ")));
}

/// The longest run of letters that no line break parts.
int longestWord(QString const &text, QFontMetrics const &metrics)
{
    static QRegularExpression const gaps(QStringLiteral("[\\s\\-/]+"));
    int longest = 0;
    for (auto const &word : text.split(gaps, Qt::SkipEmptyParts)) longest = std::max(longest, metrics.horizontalAdvance(word));
    return longest;
}

void addLabel(QLabel const &label, std::vector<Shown> &all)
{
    QString const text = plain(label.text());
    if (text.isEmpty()) return;
    QRect const area = label.contentsRect();
    Shown shown{&label, text, area, 0, 0, label.isEnabled()};
    int const frame = label.width() - area.width(), edge = label.height() - area.height();
    if (label.wordWrap()) {
        shown.wanted = longestWord(text, label.fontMetrics());
        shown.across = std::min(label.fontMetrics().horizontalAdvance(text), area.width());
        shown.high = std::max(0, label.heightForWidth(label.width()) - edge);
    } else {
        shown.wanted = label.sizeHint().width() - frame;
        // A label asks for slightly more than its letters need.
        if (!Qt::mightBeRichText(label.text()) && !label.text().contains(QLatin1Char('\n')))
            shown.wanted = std::min(shown.wanted, label.fontMetrics().horizontalAdvance(label.text()));
        shown.high = label.sizeHint().height() - edge;
    }
    all.push_back(shown);
}

void addButton(QAbstractButton const &button, std::vector<Shown> &all)
{
    QString const text = withoutMnemonic(button.text());
    auto const *tool = qobject_cast<QToolButton const *>(&button);
    if (text.isEmpty() || (tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly)) return;
    QFontMetrics const metrics = button.fontMetrics();
    QSize const hint = button.sizeHint();
    // The margin around the text is the hint minus the text; a style can ask for more width than the text needs.
    int needed = metrics.size(Qt::TextShowMnemonic, button.text()).width();
    if (!button.icon().isNull() && (!tool || tool->toolButtonStyle() == Qt::ToolButtonTextBesideIcon))
        needed += button.iconSize().width() + 4;
    if (qobject_cast<QCheckBox const *>(&button))
        needed += button.style()->pixelMetric(QStyle::PM_IndicatorWidth, nullptr, &button)
            + button.style()->pixelMetric(QStyle::PM_CheckBoxLabelSpacing, nullptr, &button);
    else if (qobject_cast<QRadioButton const *>(&button))
        needed += button.style()->pixelMetric(QStyle::PM_ExclusiveIndicatorWidth, nullptr, &button)
            + button.style()->pixelMetric(QStyle::PM_RadioButtonLabelSpacing, nullptr, &button);
    all.push_back({&button, text, button.rect(), std::min(needed, hint.width()), std::min(metrics.height(), hint.height()),
                   button.isEnabled(), false});
}

void addTabs(QTabBar const &bar, std::vector<Shown> &all)
{
    for (int i = 0; i < bar.count(); ++i) {
        QString const text = withoutMnemonic(bar.tabText(i));
        if (text.isEmpty() || !bar.isTabVisible(i)) continue;
        QRect const where = bar.tabRect(i);
        // Tabs beyond the ends of the bar are scrolled to.
        if (!bar.rect().contains(where) && bar.usesScrollButtons()) continue;
        int const icon = bar.tabIcon(i).isNull() ? 0 : bar.iconSize().width() + 4;
        all.push_back({&bar, text, where, bar.fontMetrics().horizontalAdvance(text) + icon, bar.fontMetrics().height(),
                       bar.isTabEnabled(i) && bar.isEnabled()});
    }
}

void addHeader(QHeaderView const &header, std::vector<Shown> &all)
{
    if (!header.model() || header.orientation() != Qt::Horizontal) return;
    for (int i = 0; i < header.count(); ++i) {
        if (header.isSectionHidden(i)) continue;
        QString const text = header.model()->headerData(i, Qt::Horizontal).toString(),
                      shorter = header.model()->headerData(i, Qt::Horizontal, views::ShortTitleRole).toString();
        if (text.isEmpty()) continue;
        QStyleOptionHeader option;
        option.initFrom(&header);
        option.rect = QRect(header.sectionViewportPosition(i), 0, header.sectionSize(i), header.height());
        option.section = i;
        bool const sorted = header.isSortIndicatorShown() && header.sortIndicatorSection() == i;
        option.sortIndicator = sorted ? QStyleOptionHeader::SortDown : QStyleOptionHeader::None;
        QRect const room = header.style()->subElementRect(QStyle::SE_HeaderLabel, &option, &header);
        // Columns that begin beyond the end are scrolled to.
        if (option.rect.right() > header.viewport()->width() || option.rect.left() < 0) continue;
        QFont font = header.font();
        int wanted = QFontMetrics(font).horizontalAdvance(text);
        if (!shorter.isEmpty()) wanted = std::min(wanted, QFontMetrics(font).horizontalAdvance(shorter));
        int const arrow = sorted ? header.style()->pixelMetric(QStyle::PM_HeaderMarkSize, &option, &header) + views::kGrid : 0;
        all.push_back({&header, text, room, wanted + arrow, 0, header.isEnabled(), false});
    }
}

void addBox(QComboBox const &box, std::vector<Shown> &all)
{
    if (box.currentText().isEmpty() || box.isEditable()) return;
    QStyleOptionComboBox option;
    option.initFrom(&box);
    option.editable = false;
    QRect const room = box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
    int const icon = box.itemIcon(box.currentIndex()).isNull() ? 0 : box.iconSize().width() + 4;
    all.push_back({&box, box.currentText(), room, box.fontMetrics().horizontalAdvance(box.currentText()) + icon, box.fontMetrics().height(),
                   box.isEnabled()});
}

void addLine(QLineEdit const &line, std::vector<Shown> &all)
{
    // Text that a person types scrolls; placeholders and numbers do not.
    bool const number = qobject_cast<QAbstractSpinBox const *>(line.parentWidget());
    QString const text = line.text().isEmpty() ? line.placeholderText() : number ? line.text() : QString();
    if (text.isEmpty()) return;
    QStyleOptionFrame option;
    option.initFrom(&line);
    QRect const room =
        line.style()->subElementRect(QStyle::SE_LineEditContents, &option, &line).marginsRemoved(line.textMargins()).adjusted(2, 0, -2, 0);
    all.push_back({&line, text, room, line.fontMetrics().horizontalAdvance(text), line.fontMetrics().height(), line.isEnabled()});
}

bool isOneWidgetWith(QWidget const &widget, QWidget const &parent)
{
    return qobject_cast<QTabBar const *>(&parent)
        || (qobject_cast<QAbstractButton const *>(&widget) && qobject_cast<QLineEdit const *>(&parent));
}

std::vector<Shown> shownTexts(QWidget &root)
{
    std::vector<Shown> all;
    for (auto *widget : root.findChildren<QWidget *>()) {
        if (widget->window() != root.window() || !widget->isVisibleTo(&root) || widget->size().isEmpty()
            || (widget->parentWidget() && isOneWidgetWith(*widget, *widget->parentWidget())))
            continue;
        if (auto const *label = qobject_cast<QLabel *>(widget)) addLabel(*label, all);
        else if (auto const *button = qobject_cast<QAbstractButton *>(widget)) addButton(*button, all);
        else if (auto const *tabs = qobject_cast<QTabBar *>(widget)) addTabs(*tabs, all);
        else if (auto const *header = qobject_cast<QHeaderView *>(widget)) addHeader(*header, all);
        else if (auto const *box = qobject_cast<QComboBox *>(widget)) addBox(*box, all);
        else if (auto const *line = qobject_cast<QLineEdit *>(widget)) addLine(*line, all);
        else if (auto const *group = qobject_cast<QGroupBox *>(widget); group && !group->title().isEmpty())
            all.push_back({group, withoutMnemonic(group->title()), group->rect(),
                           group->fontMetrics().horizontalAdvance(withoutMnemonic(group->title())) + 2 * views::kGap,
                           group->fontMetrics().height(), group->isEnabled(), false});
    }
    return all;
}

/// The visible part of a widget's area, in the root. `scrolled`: also without the parts scrolled away.
QRect letThrough(QWidget const &widget, QRect area, QWidget const &root, bool scrolled)
{
    for (auto const *each = &widget; each != &root && each->parentWidget(); each = each->parentWidget()) {
        auto const *parent = each->parentWidget();
        area.translate(each->pos());
        auto const *scrolls = qobject_cast<QAbstractScrollArea const *>(parent->parentWidget());
        if (scrolls && scrolls->viewport() == parent && !scrolled) return area;
        area &= parent->rect();
    }
    return area;
}

/// The tooltip that comes when the mouse rests there has the text.
bool isTold(Shown const &shown)
{
    auto *widget = const_cast<QWidget *>(shown.widget);
    QPoint const at = shown.where.center();
    QToolTip::showText({}, QStringLiteral("-"), widget); // another one's goes
    QHelpEvent event(QEvent::ToolTip, at, widget->mapToGlobal(at));
    QApplication::sendEvent(widget, &event);
    bool const told = plain(QToolTip::text()).contains(shown.text);
    QToolTip::hideText();
    return told;
}

double contrastIn(QImage const &picture, QRect const &where)
{
    QRect const area = where & picture.rect();
    QHash<QRgb, int> counts;
    for (int y = area.top(); y <= area.bottom(); ++y) {
        auto const *line = reinterpret_cast<QRgb const *>(picture.constScanLine(y));
        for (int x = area.left(); x <= area.right(); ++x) ++counts[line[x]];
    }
    if (counts.size() < 2) return 0;
    auto const most = std::max_element(counts.cbegin(), counts.cend());
    QColor const ground(most.key());
    double strongest = 1;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        strongest = std::max(strongest, views::contrastRatio(QColor(it.key()), ground));
    return strongest;
}

} // namespace

QStringList clippedTexts(QWidget &root)
{
    QStringList faults;
    for (auto const &shown : shownTexts(root)) {
        QString const name = named(shown);
        if (shown.wanted > shown.where.width() + kTolerance && !(shown.mayBeCut && isTold(shown)))
            faults << QStringLiteral("%1 needs %2 pixels and has %3").arg(name).arg(shown.wanted).arg(shown.where.width());
        else if (shown.high > shown.where.height() + kTolerance)
            faults << QStringLiteral("%1 needs %2 pixels of height and has %3").arg(name).arg(shown.high).arg(shown.where.height());
        QSize const seen = letThrough(*shown.widget, shown.where, root, false).size();
        QSize const needed(std::min(std::max(shown.wanted, shown.across), shown.where.width()), std::min(shown.high, shown.where.height()));
        if (seen.width() + kTolerance < needed.width() || seen.height() + kTolerance < needed.height())
            faults << QStringLiteral("%1 lies outside of what shows it: %2 x %3 of %4 x %5 pixels")
                          .arg(name)
                          .arg(seen.width())
                          .arg(seen.height())
                          .arg(needed.width())
                          .arg(needed.height());
    }
    return faults;
}

QStringList readTexts(QWidget &root)
{
    QStringList texts;
    for (auto const &shown : shownTexts(root)) texts << shown.text;
    return texts;
}

QStringList faintTexts(QWidget &root)
{
    QImage picture(root.size() * kPixels, QImage::Format_RGB32);
    picture.setDevicePixelRatio(kPixels);
    root.render(&picture);
    QStringList faults;
    for (auto const &shown : shownTexts(root)) {
        if (!shown.used) continue;
        QRect const seen = letThrough(*shown.widget, shown.where, root, true);
        if (seen.height() < std::min(shown.where.height(), shown.widget->fontMetrics().ascent()) || seen.width() < shown.where.width() / 2)
            continue; // scrolled away
        double const points = shown.widget->font().pointSizeF();
        bool const large = points >= kLargePoints || (points >= kLargeBoldPoints && shown.widget->font().bold());
        double const asked = large ? kLargeText : kText, has = contrastIn(picture, QRect(seen.topLeft() * kPixels, seen.size() * kPixels));
        if (has < asked) faults << QStringLiteral("%1 has a contrast of %2 : 1").arg(named(shown)).arg(has, 0, 'f', 2);
    }
    return faults;
}

} // namespace tilewright::tests
