#include "tests/support/test_registry.h"
#include "views/common/figure_parts.h"
#include "views/time/lanes_widget.h"
#include "views/time/time_pane.h"

#include <QApplication>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace tilewright::views;

namespace {

struct Columns {
    std::vector<std::int64_t> start, duration, type;
};

/// Three lanes of a hundred events each: compute 60, exchange 30, sync 10, over and over.
LaneSet threeLanes()
{
    auto const columns = std::make_shared<Columns>();
    for (int i = 0; i < 300; ++i) {
        columns->start.push_back(i / 3 * 100 + (i % 3 == 0 ? 0 : i % 3 == 1 ? 60 : 90));
        columns->duration.push_back(i % 3 == 0 ? 60 : i % 3 == 1 ? 30 : 10);
        columns->type.push_back(i % 3);
    }
    std::vector<LanePhase> const phases{LanePhase::Compute, LanePhase::InternalExchange, LanePhase::Sync};
    auto const block = std::make_shared<LaneLod const>(EventSpans{columns->start, columns->duration, columns->type}, phases, columns);
    LaneSet set;
    set.styles = {
        {"multiply", Token::Compute, false, false}, {"move", Token::InternalExchange, false, false}, {"sync", Token::Sync, true, false}};
    for (int lane = 0; lane < 3; ++lane) {
        Lane row;
        row.name = QStringLiteral("IPU %1").arg(lane);
        row.parent = lane == 2 ? 1 : -1;
        row.events = std::make_shared<LaneTimeline const>(std::vector<LanePlacement>{{block, 0, 1, 10000}});
        row.height = 40;
        set.lanes.push_back(row);
    }
    return set;
}

struct Shown {
    TimePane pane;
    LanesWidget *lanes = new LanesWidget(pane.window(), &pane);
    Shown()
    {
        pane.addCanvas(lanes);
        pane.showCanvas(lanes);
        lanes->setLanes(threeLanes());
        pane.window().setExtent({0, 10000}, true);
        pane.resize(800, 300);
        pane.show();
        lanes->grab();
    }
    QPoint pointOf(int lane, std::int64_t time)
    {
        auto const *row = lanes->layoutOfLanes().rowOf(lane);
        int const top = LanesLayout::top(*row, lanes->scroll(), lanes->layoutOfLanes().pinnedHeight());
        return {lanes->gutter() + static_cast<int>(lanes->axis().toPixel(time)), top + row->height / 2};
    }
    void wheel(QPoint where, int notches, Qt::KeyboardModifiers modifiers)
    {
        QWheelEvent event(where, lanes->mapToGlobal(where), {}, {0, 120 * notches}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(lanes, &event);
    }
    TimeSpan visible() { return pane.window().visible(); }
};

} // namespace

class TstLanesWidget : public QObject {
    Q_OBJECT
private slots:
    void aClickPicksTheEventUnderThePointer()
    {
        Shown s;
        QSignalSpy spy(s.lanes, &LanesWidget::eventPicked);
        QTest::mouseClick(s.lanes, Qt::LeftButton, {}, s.pointOf(1, 2030));
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy[0][0].toInt(), 1);
        QCOMPARE(spy[0][1].toLongLong(), 60); // the 21st multiply
        QVERIFY(s.lanes->accessibleDescription().contains(QStringLiteral("multiply")));
        QTest::keyClick(s.lanes, Qt::Key_Escape);
        QCOMPARE(spy.last()[1].toLongLong(), -1);
    }

    void commaPeriodAndBracketsWalkTheLane()
    {
        Shown s;
        QTest::mouseClick(s.lanes, Qt::LeftButton, {}, s.pointOf(0, 2030));
        QTest::keyClick(s.lanes, Qt::Key_Period);
        QCOMPARE(s.lanes->current().event, std::int64_t(61));
        QTest::keyClick(s.lanes, Qt::Key_BracketRight);
        QCOMPARE(s.lanes->current().event, std::int64_t(64));
        QTest::keyClick(s.lanes, Qt::Key_BracketLeft);
        QTest::keyClick(s.lanes, Qt::Key_Comma);
        QCOMPARE(s.lanes->current().event, std::int64_t(60));
        QTest::keyClick(s.lanes, Qt::Key_Down);
        QCOMPARE(s.lanes->current(), (LanesWidget::Picked{1, 60}));
    }

    void keysZoomAndPan()
    {
        Shown s;
        QTest::keyClick(s.lanes, Qt::Key_W);
        QVERIFY(s.visible().length() < 10000);
        std::int64_t const begin = s.visible().begin, length = s.visible().length();
        QTest::keyClick(s.lanes, Qt::Key_D);
        QVERIFY(s.visible().begin > begin);
        QCOMPARE(s.visible().length(), length);
        QTest::keyClick(s.lanes, Qt::Key_A);
        QTest::keyClick(s.lanes, Qt::Key_S);
        QCOMPARE(s.visible(), (TimeSpan{0, 10000}));
        // F: focus on the event, again: all of it.
        QTest::mouseClick(s.lanes, Qt::LeftButton, {}, s.pointOf(0, 2030));
        QTest::keyClick(s.lanes, Qt::Key_F);
        QVERIFY(s.visible().length() < 100 && s.visible().contains(2030));
        QTest::keyClick(s.lanes, Qt::Key_F);
        QCOMPARE(s.visible(), (TimeSpan{0, 10000}));
        QTest::keyClick(s.lanes, Qt::Key_Z);
        QVERIFY(s.visible().length() < 100);
        QTest::keyClick(s.lanes, Qt::Key_Z, Qt::ShiftModifier);
        QCOMPARE(s.visible(), (TimeSpan{0, 10000}));
        QTest::keyClick(s.lanes, Qt::Key_M);
        QCOMPARE(s.pane.window().selection(), (std::optional<TimeSpan>{{2000, 2060}}));
    }

    void theWheelZoomsAtThePointerWithControlAndPansWithShift()
    {
        Shown s;
        QPoint const where = s.pointOf(0, 3000);
        std::int64_t const under = s.lanes->timeAt(where);
        for (int i = 0; i < 5; ++i) s.wheel(where, 1, Qt::ControlModifier);
        QVERIFY(s.visible().length() < 4000);
        QVERIFY(std::abs(s.lanes->timeAt(where) - under) <= static_cast<std::int64_t>(s.lanes->axis().ticksPerPixel()) + 1);
        std::int64_t const begin = s.visible().begin;
        s.wheel(where, -1, Qt::ShiftModifier);
        QVERIFY(s.visible().begin > begin);
    }

    void aDragSelectsARangeThatSnapsToEvents()
    {
        Shown s;
        s.pane.window().show({2000, 2500});
        s.lanes->grab();
        QPoint const from = s.pointOf(0, 2060) + QPoint(2, 0), to = s.pointOf(0, 2190) - QPoint(3, 0);
        QTest::mousePress(s.lanes, Qt::LeftButton, {}, from);
        QTest::mouseMove(s.lanes, (from + to) / 2);
        QTest::mouseMove(s.lanes, to);
        QTest::mouseRelease(s.lanes, Qt::LeftButton, {}, to);
        QCOMPARE(s.pane.window().selection(), (std::optional<TimeSpan>{{2060, 2190}}));
    }

    void aDoubleClickFitsTheEvent()
    {
        Shown s;
        s.pane.window().show({0, 1000});
        s.lanes->grab();
        QTest::mouseDClick(s.lanes, Qt::LeftButton, {}, s.pointOf(0, 330));
        QCOMPARE(s.visible(), (TimeSpan{294, 366}));
    }

    void lanesFillTheHeightTheyHave()
    {
        Shown s;
        auto const filled = [&] { return s.lanes->height() - s.lanes->contentHeight(); };
        QVERIFY2(filled() >= 0 && filled() < 3, qPrintable(QString::number(filled()))); // a pixel a lane is lost by rounding
        s.pane.resize(800, 900);
        s.lanes->grab();
        QVERIFY2(filled() >= 0 && filled() < 3, qPrintable(QString::number(filled())));
        QTest::mouseClick(s.lanes, Qt::LeftButton, {}, s.pointOf(1, 2030));
        QTest::keyClick(s.lanes, Qt::Key_H);
        QVERIFY2(filled() >= 0 && filled() < 3, qPrintable(QString::number(filled())));
    }

    void labelsLoseTheirMiddle()
    {
        LabelTexts texts{QFont()};
        QString const name = QStringLiteral("dense_1/MatMul_WeightUpdate/Conv_1/Convolve");
        double const whole = texts.whole(name).width;
        QCOMPARE(texts.fitted(name, whole).text.text(), name);
        QString const cut = texts.fitted(name, whole / 2).text.text();
        QVERIFY2(cut.startsWith(QLatin1String("dense_1")) && cut.endsWith(QLatin1String("Convolve")), qPrintable(cut));
        QVERIFY(texts.fitted(name, whole / 2).width <= whole / 2 + 1);
        QVERIFY(texts.fitted(name, 1).isEmpty());
    }

    void lanesFoldHidePinAndGrow()
    {
        Shown s;
        auto const &layout = s.lanes->layoutOfLanes();
        QTest::mouseClick(s.lanes, Qt::LeftButton, {}, s.pointOf(1, 2030));
        QTest::keyClick(s.lanes, Qt::Key_Space);
        QVERIFY(!layout.rowOf(2));
        QTest::keyClick(s.lanes, Qt::Key_Space);
        QVERIFY(layout.rowOf(2));
        QTest::keyClick(s.lanes, Qt::Key_P);
        QVERIFY(layout.rowOf(1)->pinned);
        QTest::keyClick(s.lanes, Qt::Key_P);
        QTest::keyClick(s.lanes, Qt::Key_H);
        QVERIFY(!layout.rowOf(1));
        QTest::keyClick(s.lanes, Qt::Key_H, Qt::ShiftModifier);
        QVERIFY(layout.rowOf(1));
        int const height = layout.rowOf(0)->height;
        QPoint const border(4, height);
        QTest::mousePress(s.lanes, Qt::LeftButton, {}, border);
        QTest::mouseMove(s.lanes, border + QPoint(0, 31));
        QTest::mouseRelease(s.lanes, Qt::LeftButton, {}, border + QPoint(0, 31));
        QCOMPARE(layout.rowOf(0)->height, height + 31);
    }

    void theHighlightFadesTheOthersAndCounts()
    {
        Shown s;
        s.pane.window().show({2000, 2100});
        auto const colorAt = [&](std::int64_t time) { return s.lanes->grab().toImage().pixelColor(s.pointOf(0, time) + QPoint(0, -16)); };
        QColor const multiply = colorAt(2055);
        QVERIFY(multiply == theme()[Token::Compute]);
        s.lanes->setHighlight({0, 1, 0});
        QVERIFY(colorAt(2055) != multiply);
        auto const count = countEvents(s.lanes->lanes(), {0, 1, 0});
        QCOMPARE(count.marked, std::int64_t(300));
        QCOMPARE(count.all, std::int64_t(900));
    }

    void eventsTooShortToSeeAreStillMarked()
    {
        Shown s;
        // 300 events without a pause: whatever the width, no two neighbouring columns are blank (one is the border
        // between two boxes).
        for (int const width : {120, 300, 800}) {
            s.pane.resize(width, 300);
            QImage const image = s.lanes->grab().toImage();
            int const y = s.pointOf(0, 0).y() + 14; // lower half, where also sync is
            QColor const ground = theme()[Token::Panel];
            int blank = 0, longest = 0;
            for (int x = s.lanes->gutter(); x < s.lanes->width() - 2; ++x) {
                blank = image.pixelColor(x, y) == ground ? blank + 1 : 0;
                longest = std::max(longest, blank);
            }
            QVERIFY2(longest <= 1, qPrintable(QString::number(longest)));
        }
    }

    void theOverviewHandlesMoveTheWindow()
    {
        Shown s;
        auto &overview = s.pane.overview();
        overview.setLanes({s.lanes->lanes().lanes[0].events});
        s.pane.window().show({2000, 6000});
        overview.grab();
        int const left = s.lanes->gutter(), width = overview.width() - 1 - left;
        QPoint const handle(left + width * 2 / 10, overview.height() / 2);
        QTest::mousePress(&overview, Qt::LeftButton, {}, handle);
        QTest::mouseMove(&overview, handle + QPoint(width / 10, 0));
        QTest::mouseRelease(&overview, Qt::LeftButton, {}, handle + QPoint(width / 10, 0));
        QVERIFY(std::abs(s.visible().begin - 3000) < 40);
        QCOMPARE(s.visible().end, std::int64_t(6000));
        // The text names the total of its share.
        QVERIFY2(overview.shareText().endsWith(QStringLiteral("% of all time")), qPrintable(overview.shareText()));
        TimeScale scale = s.pane.window().scale();
        scale.ticksPerStep = 100;
        s.pane.window().setScale(scale);
        // Where the words do not fit, the numbers alone: nothing is cut.
        QFontMetrics const metrics{QFont()};
        QCOMPARE(overview.shareTextIn({400, 40}, metrics), overview.shareText());
        QVERIFY2(overview.shareTextIn({metrics.horizontalAdvance(overview.shareText()) / 3, 8}, metrics).endsWith(QStringLiteral(" / 100")),
                 qPrintable(overview.shareTextIn({20, 8}, metrics)));
        QVERIFY2(overview.shareText().startsWith(QStringLiteral("30")) && overview.shareText().endsWith(QStringLiteral(" of 100 steps")),
                 qPrintable(overview.shareText()));
        QTest::mouseDClick(&overview, Qt::LeftButton, {}, handle);
        QVERIFY(s.pane.window().isWhole());
    }

    /// By keyboard: each handle for itself, also where a step is one tick; the frame is only moved.
    void theOverviewIsWorkedByKeys()
    {
        Shown s;
        auto &overview = s.pane.overview();
        auto &window = s.pane.window();
        QVERIFY2(overview.accessibleDescription().startsWith(QLatin1String("all time shown;")),
                 qPrintable(overview.accessibleDescription()));
        window.show({1000, 1000 + kShortestWindow});
        overview.setFocus();
        QTest::keyClick(&overview, Qt::Key_Space);
        QTest::keyClick(&overview, Qt::Key_Left);
        QCOMPARE(window.visible(), (TimeSpan{999, 1000 + kShortestWindow}));
        QTest::keyClick(&overview, Qt::Key_Space);
        QVERIFY(overview.accessibleDescription().contains(QLatin1String("right handle")));
        QTest::keyClick(&overview, Qt::Key_Right);
        QCOMPARE(window.visible(), (TimeSpan{999, 1001 + kShortestWindow}));
        QTest::keyClick(&overview, Qt::Key_Space);
        QTest::keyClick(&overview, Qt::Key_Right);
        QCOMPARE(window.visible().length(), kShortestWindow + 2);
        QCOMPARE(window.visible().begin, std::int64_t(1000));
        window.fit();
        QTest::keyClick(&overview, Qt::Key_Plus);
        QVERIFY(window.visible().length() < window.extent().length());
    }
    /// Beyond an end and back: the frame is under the mouse again.
    void theOverviewsFrameFollowsTheMouse()
    {
        Shown s;
        auto &overview = s.pane.overview();
        auto &window = s.pane.window();
        std::int64_t const all = window.extent().length();
        window.show({all / 10, all * 3 / 10});
        TimeSpan const before = window.visible();
        QPoint const middle = overview.frame().center().toPoint();
        QTest::mousePress(&overview, Qt::LeftButton, {}, middle);
        for (int x : {-100, -300, -200}) QTest::mouseMove(&overview, middle + QPoint(x, 0));
        QCOMPARE(window.visible().begin, window.extent().begin);
        QCOMPARE(window.visible().length(), before.length());
        QTest::mouseMove(&overview, middle);
        QTest::mouseRelease(&overview, Qt::LeftButton, {}, middle);
        QCOMPARE(window.visible(), before);
    }
    void theOverviewHasTheColoursOfItsLanes()
    {
        Shown s;
        auto const columns = std::make_shared<Columns>(Columns{{0, 5000}, {5000, 5000}, {0, 1}});
        auto const block = std::make_shared<LaneLod const>(EventSpans{columns->start, columns->duration, columns->type},
                                                           std::vector<LanePhase>{LanePhase::Other, LanePhase::Other}, columns);
        std::vector<EventStyle> const styles{{QStringLiteral("epoch"), Token::Forward, false, false},
                                             {QStringLiteral("data"), Token::Gradients, false, false}};
        auto &overview = s.pane.overview();
        overview.setLanes({std::make_shared<LaneTimeline const>(std::vector<LanePlacement>{{block, 0, 1, 10000}})}, styles);
        QImage const image = overview.grab().toImage();
        int const left = s.lanes->gutter(), width = image.width() - left;
        QCOMPARE(image.pixelColor(left + width / 4, image.height() / 2), theme()[Token::Forward]);
        QCOMPARE(image.pixelColor(left + width * 3 / 4, image.height() / 2), theme()[Token::Gradients]);
        // Nothing is selected and nothing has the keyboard: no accent.
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) QVERIFY(image.pixelColor(x, y) != theme()[Token::Accent]);
    }

    void elidedLabelsStayMeaningful()
    {
        LabelTexts texts(uiFont(TextSize::Caption));
        QString const name = QStringLiteral("infeed/flatten_input");
        auto const whole = texts.whole(name);
        bool cut = false;
        for (double width = 4; width < whole.width; width += 1) {
            auto const label = texts.fitted(name, width);
            if (label.isEmpty()) continue;
            cut = true;
            QVERIFY2(label.text.text().size() >= 5, qPrintable(label.text.text())); // four letters and the dots
        }
        QVERIFY(cut);
    }

    /// A row of short syncs in half height is mud: the lane goes on above them, and each is a mark at its foot.
    void narrowSyncsAreMarksAtTheFoot()
    {
        Shown s;
        auto const *row = s.lanes->layoutOfLanes().rowOf(0);
        auto const sync = theme()[Token::Sync], ground = theme()[Token::Panel];
        auto const at = [&](std::int64_t time, int y) {
            return s.lanes->grab().toImage().pixelColor(s.lanes->gutter() + static_cast<int>(s.lanes->axis().toPixel(time)), row->y + y);
        };
        int const foot = row->height - 1 - notchFoot(row->height) / 2;
        s.pane.window().show({2000, 4000}); // 10 of 2,000 cycles: 3 or 4 px
        int grounds = 0, marks = 0;
        QImage const image = s.lanes->grab().toImage();
        for (int x = s.lanes->gutter(); x < s.lanes->width(); ++x) {
            auto const above = image.pixelColor(x, row->y + row->height / 4), below = image.pixelColor(x, row->y + foot);
            QVERIFY(above != sync);
            grounds += above == ground;
            marks += below == sync;
        }
        QVERIFY2(marks >= 20, qPrintable(QString::number(marks)));        // none of the twenty is lost
        QVERIFY2(grounds <= 40, qPrintable(QString::number(grounds)));    // borders between wider boxes alone
        QCOMPARE(at(2095, row->height * 5 / 8), theme()[Token::Compute]); // of its neighbours the wider one, down to the foot
        s.pane.window().show({2080, 2110});                               // wide enough: a notch
        QCOMPARE(at(2095, row->height / 4), ground);
        QCOMPARE(at(2095, row->height * 5 / 8), sync);
    }

    void stepsAreMarkedBehindTheirBoxesAndNamedBelow()
    {
        Shown s;
        LaneSet set = threeLanes();
        auto const columns = std::make_shared<Columns>(Columns{{30, 60, 130}, {0, 0, 0}, {0, 0, 0}});
        auto const block = std::make_shared<LaneLod const>(EventSpans{columns->start, columns->duration, columns->type},
                                                           std::vector<LanePhase>{LanePhase::Other}, columns);
        set.gridLines = std::make_shared<LaneTimeline const>(std::vector<LanePlacement>{{block, 0, 1, 10000}});
        set.gridLabel = [](std::int64_t time) { return QStringLiteral("step %1").arg(time); };
        s.lanes->setLanes(set);
        s.pane.window().show({0, 200});
        QImage const image = s.lanes->grab().toImage();
        auto const *row = s.lanes->layoutOfLanes().rowOf(0);
        int const x = s.lanes->gutter() + static_cast<int>(s.lanes->axis().toPixel(30));
        for (int y = row->y + 2; y < row->y + row->height - 4; ++y)
            QCOMPARE(image.pixelColor(x, y), theme()[Token::Compute]); // in the middle of a box: not over it
        int const names = s.lanes->contentHeight() - s.lanes->layoutOfLanes().contentHeight();
        QVERIFY(names >= QFontMetrics(uiFont(TextSize::Caption)).height());
        QVERIFY(s.lanes->layoutOfLanes().contentHeight() <= s.lanes->height() - names); // the strip takes nothing from the lanes
        int ink = 0;
        for (int y = image.height() - names; y < image.height(); ++y)
            for (int i = x; i < x + 40; ++i) ink += image.pixelColor(i, y) != theme()[Token::Window];
        QVERIFY2(ink > 20, qPrintable(QString::number(ink)));
    }

    /// A label on a patterned box stands on the colour of the box from top to bottom, not on a bar of its own; the pattern follows it.
    void patternsBeginAfterTheLabel()
    {
        Shown s;
        LaneSet set = threeLanes();
        set.label = [](int, std::int64_t) { return QStringLiteral("infeed"); };
        s.lanes->setLanes(set);
        s.pane.window().show({0, 100}); // exchange from 60 to 90: 200 px and more
        QImage const image = s.lanes->grab().toImage();
        auto const *row = s.lanes->layoutOfLanes().rowOf(0);
        auto const at = [&](std::int64_t time) { return s.lanes->gutter() + static_cast<int>(s.lanes->axis().toPixel(time)); };
        int const left = at(60) + 2, right = at(90) - 2;
        int const label = static_cast<int>(QFontMetrics(uiFont(TextSize::Caption)).horizontalAdvance(QStringLiteral("infeed")));
        QVERIFY(right - left > 2 * label);
        QRgb const fill = image.pixel(left, row->y + 3);
        QSet<QRgb> above, below, behind;
        for (int x = left; x < left + label; ++x) {
            above.insert(image.pixel(x, row->y + 3));
            below.insert(image.pixel(x, row->y + row->height - 5));
        }
        for (int x = left + label + 3 * kGrid; x < right; ++x)
            for (int y = row->y + 3; y < row->y + row->height - 5; ++y) behind.insert(image.pixel(x, y));
        QCOMPARE(above, QSet<QRgb>{fill});
        QCOMPARE(below, QSet<QRgb>{fill});
        QVERIFY(behind.size() > 1);
    }

    void boxesTooNarrowForALabelHaveALetter()
    {
        Shown s;
        LaneSet set = threeLanes();
        set.label = [](int, std::int64_t) { return QStringLiteral("F12"); };
        s.pane.window().show({0, 3500}); // compute: some 12 px
        auto const inks = [&] {
            s.lanes->setLanes(set);
            QImage const image = s.lanes->grab().toImage();
            auto const *row = s.lanes->layoutOfLanes().rowOf(0);
            QSet<QRgb> seen;
            for (int x = s.lanes->gutter() + 2; x < s.lanes->gutter() + static_cast<int>(s.lanes->axis().toPixel(58)); ++x)
                for (int y = row->y + 3; y < row->y + row->height - 5; ++y) seen.insert(image.pixel(x, y));
            return seen.size();
        };
        QCOMPARE(inks(), 1);
        set.letter = [](int, std::int64_t) { return QStringLiteral("F"); };
        QVERIFY(inks() > 1);
        set.letter = [](int, std::int64_t) { return QStringLiteral("WWW"); }; // no room: nothing rather than a part
        QCOMPARE(inks(), 1);
    }

    void lanesWithoutRoomAreCounted()
    {
        Shown s;
        auto const rest = [&] { return s.lanes->property(kFigureRest).toString(); };
        QCOMPARE(rest(), QString());
        LaneSet set = threeLanes();
        for (int i = 0; i < 40; ++i) set.lanes.push_back(set.lanes[0]);
        s.lanes->setLanes(set);
        int const whole = s.lanes->height() / 40; // of 40 px each
        QVERIFY2(rest().startsWith(QStringLiteral("%1 more lane").arg(43 - whole)), qPrintable(rest()));
        QCOMPARE(s.lanes->property(kFigureSize).toSize().height(), 43 * 40);
    }

    void manyLanesScroll()
    {
        Shown s;
        LaneSet set = threeLanes();
        for (int i = 0; i < 40; ++i) {
            set.lanes.push_back(set.lanes[0]);
            set.lanes.back().name = QStringLiteral("more %1").arg(i);
        }
        s.lanes->setLanes(set);
        auto *bar = s.pane.findChild<QScrollBar *>();
        QVERIFY(bar->maximum() > 0);
        s.wheel(s.pointOf(0, 100), -2, {});
        QCOMPARE(s.lanes->scroll(), 120);
        QCOMPARE(bar->value(), 120);
    }
};

TW_REGISTER_TEST(TstLanesWidget);
#include "tst_lanes_widget.moc"
