#include "app/gui/figure.h"

#include "views/common/figure_parts.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/figures/comparison.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_snapshot.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>

#include <algorithm>

namespace tilewright::app {

namespace {

constexpr int kSettleMs = 20000;
constexpr int kHighest = 8000;       ///< of a figure that grows
constexpr QSize kSmallest{480, 240}; ///< minimum size around a drawing, because title and source must be readable
constexpr int kGrowths = 6;          ///< number of attempts, because a higher figure wraps differently and changes what is cut

struct Text {
    Q_DECLARE_TR_FUNCTIONS(figure)
};

bool isControl(QWidget const &widget)
{
    return qobject_cast<QAbstractButton const *>(&widget) || qobject_cast<QComboBox const *>(&widget)
        || qobject_cast<QLineEdit const *>(&widget) || qobject_cast<QAbstractSpinBox const *>(&widget)
        || qobject_cast<QSlider const *>(&widget) || qobject_cast<QTabBar const *>(&widget);
}

bool isInLegend(QWidget const *widget, QWidget const &view)
{
    for (; widget && widget != &view; widget = widget->parentWidget())
        if (widget->property(views::kPartOfFigures).toBool()) return true;
    return false;
}

/// Hides the controls of the view; returns the names of the pages that tabs showed.
QStringList hideControls(views::View &view)
{
    QStringList pages;
    for (auto *bar : view.findChildren<QTabBar *>())
        if (bar->isVisibleTo(&view) && bar->count() > 1 && !bar->tabText(bar->currentIndex()).isEmpty()) {
            bool out = false;
            for (QWidget *w = bar; w != &view; w = w->parentWidget()) out = out || w->property(views::kOutOfFigures).toBool();
            if (!out) pages << bar->tabText(bar->currentIndex()).remove(QLatin1Char('&'));
        }
    for (auto *widget : view.findChildren<QWidget *>()) {
        if (widget->property(views::kOutOfFigures).toBool() || (isControl(*widget) && !isInLegend(widget, view))) widget->hide();
        if (auto *label = qobject_cast<QLabel *>(widget); label && label->buddy() && isControl(*label->buddy())) label->hide();
    }
    return pages;
}

bool scrollsWithPage(QWidget const &widget, QWidget const &view)
{
    for (auto const *w = widget.parentWidget(); w && w != &view; w = w->parentWidget())
        if (qobject_cast<QScrollArea const *>(w)) return true;
    return false;
}

/// Pixels by which the longest page or table exceeds the view.
int hiddenBelow(QWidget const &view)
{
    int below = 0;
    for (auto const *area : view.findChildren<QAbstractScrollArea *>())
        if (area->isVisibleTo(&view)) below = std::max(below, area->verticalScrollBar()->maximum());
    return below;
}

void hideScrollBars(QWidget &view)
{
    for (auto *area : view.findChildren<QAbstractScrollArea *>()) {
        area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        if (auto *items = qobject_cast<QAbstractItemView *>(area)) items->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    }
}

/// The words of links stay, as plain text: nothing can be followed on paper.
void dropLinks(QWidget &view)
{
    static QRegularExpression const tag(QStringLiteral("</?a\\b[^>]*>"));
    for (auto *label : view.findChildren<QLabel *>())
        if (label->text().contains(QStringLiteral("</a>"))) label->setText(QString(label->text()).remove(tag));
}

/// View, project, target and source of the figure: "Execution: Flame · Digits · gc200, 1 IPU · run.twreport · Tilewright".
QString sourceLine(views::View const &view, QString const &title, QStringList const &pages)
{
    auto &session = view.session();
    QStringList parts{pages.isEmpty() ? title : Text::tr("%1: %2").arg(title, pages.join(QStringLiteral(", ")))};
    if (auto const report = session.report()) {
        auto const &target = report->data().target;
        parts << report->title();
        if (!target.architecture.empty())
            parts << Text::tr("%1, %Ln IPU(s)", nullptr, target.ipus).arg(QString::fromStdString(target.architecture));
        if (!report->path().isEmpty()) parts << QFileInfo(report->path()).fileName();
        if (auto const other = views::comparedReport(session); other && views::doesCompareReports(view))
            parts << Text::tr("against %1").arg(other->path().isEmpty() ? other->title() : QFileInfo(other->path()).fileName());
    } else if (session.document().isOpen()) {
        parts << session.document().title() << QString::fromStdString(session.document().project().target);
    }
    parts << QStringLiteral("Tilewright");
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

} // namespace

void settle(views::Session &session, views::View const &view, int milliseconds)
{
    QElapsedTimer clock;
    clock.start();
    int calm = 0;
    while (clock.elapsed() < milliseconds && calm < 4) {
        QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents, 20);
        calm = session.jobs().busy() || !view.isSettled() ? 0 : calm + 1;
        if (calm == 0) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::ExcludeUserInputEvents, 20);
    }
}

std::unique_ptr<views::View> unseenView(views::ViewDescriptor const &descriptor, views::Session &session, QJsonObject const &state,
                                        QSize size)
{
    std::unique_ptr<views::View> view(descriptor.create(session, nullptr));
    if (!state.isEmpty()) view->restoreState(state);
    view->resize(size);
    view->setAttribute(Qt::WA_DontShowOnScreen);
    view->show();
    view->refreshNow();
    settle(session, *view, kSettleMs);
    return view;
}

void turnIntoFigure(views::View &view, QString const &title, bool grows)
{
    if (!view.property(views::kDrawsFigures).toBool()) return;
    view.setProperty(views::kIsFigure, true);
    auto &session = view.session();
    QString const source = sourceLine(view, title, hideControls(view));
    hideScrollBars(view);
    auto *line = new QLabel(source, &view);
    line->setObjectName(QStringLiteral("figureSource"));
    line->setFont(views::uiFont(views::TextSize::Caption));
    line->setProperty("role", "secondary");
    line->setTextFormat(Qt::PlainText);
    line->setWordWrap(true);
    view.layout()->addWidget(line);
    settle(session, view, kSettleMs);
    hideControls(view); // shown again by the changed width
    dropLinks(view);
    for (auto const *drawing : view.findChildren<QWidget *>())
        if (auto const wanted = drawing->property(views::kFigureSize).toSize(); grows && wanted.isValid() && drawing->isVisibleTo(&view)) {
            QSize const size = (view.size() + wanted - drawing->size()).expandedTo(kSmallest);
            view.resize(std::min(view.width(), size.width()), std::min(kHighest, size.height()));
            settle(session, view, kSettleMs);
        }
    for (int i = 0; i < kGrowths && grows && view.height() < kHighest; ++i) {
        int cut = 0;
        for (auto *area : view.findChildren<QAbstractScrollArea *>()) {
            int const hidden = area->verticalScrollBar()->maximum();
            if (!area->isVisibleTo(&view) || hidden <= 0) continue;
            // A table on a scrolling page makes the page longer, and the page makes the figure higher.
            if (scrollsWithPage(*area, view)) area->setMinimumHeight(std::min(kHighest, area->height() + hidden));
            else cut = std::max(cut, hidden);
        }
        settle(session, view, kSettleMs);
        for (auto const *area : view.findChildren<QScrollArea *>())
            if (area->isVisibleTo(&view) && !scrollsWithPage(*area, view)) cut = std::max(cut, area->verticalScrollBar()->maximum());
        if (cut <= 0) break;
        view.resize(view.width(), std::min(kHighest, view.height() + cut));
        settle(session, view, kSettleMs);
    }
    dropLinks(view);
    // A picture of the given size or of maximum height; a note says that it continues below.
    for (int i = 0; i < 2; ++i) { // twice, because the note can take a line from the picture
        QStringList rests{source};
        if (int const below = hiddenBelow(view); below > 0)
            rests << Text::tr("only the upper %1 of it").arg(views::shareText(double(view.height()) / (view.height() + below)));
        for (auto const *drawing : view.findChildren<QWidget *>())
            if (auto const rest = drawing->property(views::kFigureRest).toString(); !rest.isEmpty() && drawing->isVisibleTo(&view))
                rests << rest;
        line->setText(rests.join(QStringLiteral(" · ")));
        settle(session, view, kSettleMs);
    }
}

} // namespace tilewright::app
