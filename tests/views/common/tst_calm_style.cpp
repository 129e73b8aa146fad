#include "resources/resources.h"
#include "views/common/calm_style.h"
#include "views/common/icons.h"
#include "views/common/link_html.h"
#include "views/common/steady_label.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "tests/support/test_registry.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMap>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyleOption>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>
#include <QtTest>

#include <tuple>

using namespace tilewright::views;

/// A selection has a light ground and an edge; a link has an arrow.
class TstCalmStyle : public QObject {
    Q_OBJECT
    static int distance(QColor const &a, QColor const &b)
    {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
    }
    static QColor over(QColor const &ground, QColor const &ink, double share)
    {
        auto const mixed = [share](int from, int to) { return static_cast<int>(from + (to - from) * share + 0.5); };
        return {mixed(ground.red(), ink.red()), mixed(ground.green(), ink.green()), mixed(ground.blue(), ink.blue())};
    }
    static void fill(TablePane &pane, QColor const &swatch)
    {
        std::vector<Column> columns;
        columns.push_back({.title = QStringLiteral("Name"),
                           .text = [](int row) { return QStringLiteral("row %1").arg(row); },
                           .value = {},
                           .decoration = [swatch](int) { return QVariant(swatch); },
                           .width = 200});
        columns.push_back({.title = QStringLiteral("Value"), .text = [](int) { return QString(); }, .value = {}, .width = 80});
        pane.fill(std::move(columns), 3);
    }
private slots:
    void cleanupTestCase() { applyTheme(*qApp, ThemeKind::Light); }
    /// Line drawings in the colours of the theme, on message boxes, on the buttons of dialogs and in lists of files.
    void dialogsHaveOurIcons()
    {
        tilewright::initResources();
        for (auto const kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, kind);
            for (auto const &[which, name, token] : {std::tuple{QStyle::SP_MessageBoxQuestion, "help", Token::Accent},
                                                     {QStyle::SP_MessageBoxWarning, "warning", Token::Warning},
                                                     {QStyle::SP_MessageBoxCritical, "error", Token::Bad},
                                                     {QStyle::SP_DialogSaveButton, "save", Token::Text},
                                                     {QStyle::SP_DialogDiscardButton, "delete", Token::Text},
                                                     {QStyle::SP_FileIcon, "log", Token::SecondaryText}}) {
                QImage const ours = icon(QLatin1String(name), token).pixmap(48).toImage();
                QVERIFY2(!ours.isNull(), name);
                QCOMPARE(qApp->style()->standardIcon(which).pixmap(48).toImage(), ours);
            }
        }
    }
    void theArrowOfASortedColumnIsNotOverItsTitle()
    {
        QHeaderView header(Qt::Horizontal);
        CalmStyle style;
        for (auto const direction : {Qt::LeftToRight, Qt::RightToLeft}) {
            QStyleOptionHeader option;
            option.initFrom(&header);
            option.orientation = Qt::Horizontal;
            option.direction = direction;
            option.rect = QRect(0, 0, 72, 24);
            option.text = QStringLiteral("MMMMMMMMMMMM");
            option.textAlignment = Qt::AlignRight | Qt::AlignVCenter;
            option.sortIndicator = QStyleOptionHeader::SortUp;
            QImage image(72, 24, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            style.drawControl(QStyle::CE_HeaderLabel, &option, &painter, &header);
            painter.end();
            int const arrow = style.pixelMetric(QStyle::PM_HeaderMarkSize, &option, &header);
            int title = 0, under = 0;
            for (int x = 0; x < 72; ++x)
                for (int y = 0; y < 24; ++y)
                    if (image.pixelColor(x, y) != Qt::white)
                        (direction == Qt::LeftToRight ? x >= 72 - arrow : x < arrow) ? ++under : ++title;
            QVERIFY(title > 20);
            QCOMPARE(under, 0);
        }
    }
    /// An arrow that points up: the smallest value is on top.
    void theSortArrowPointsUpForTheSmallestOnTop()
    {
        applyTheme(*qApp, ThemeKind::Light);
        TablePane pane(QStringLiteral("Values"));
        std::vector<Column> columns;
        columns.push_back(
            {.title = QStringLiteral("Name"), .text = [](int row) { return QString::number(row); }, .value = {}, .width = 60});
        columns.push_back({.title = QString(), // nothing but the arrow
                           .text = [](int row) { return QString::number((row * 7) % 5); },
                           .value = [](int row) { return QVariant((row * 7) % 5); },
                           .number = true,
                           .width = 120});
        pane.fill(std::move(columns), 5);
        pane.resize(400, 300);
        pane.show();
        auto *header = pane.tree().header();
        for (auto const order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            pane.sortBy(1, order);
            QCOMPARE(pane.tree().model()->index(0, 1).data().toString(),
                     order == Qt::AscendingOrder ? QStringLiteral("0") : QStringLiteral("4"));
            QTRY_COMPARE(header->sortIndicatorOrder(), order);
            QImage const image =
                header->grab(QRect(header->sectionViewportPosition(1) + 4, 2, header->sectionSize(1) - 8, header->height() - 4)).toImage();
            QRgb const ground = image.pixel(0, 0);
            std::vector<int> widths; // of the arrow's rows, from top to bottom
            for (int y = 0; y < image.height(); ++y) {
                int ink = 0;
                for (int x = 0; x < image.width(); ++x) ink += image.pixel(x, y) != ground;
                if (ink > 0) widths.push_back(ink);
            }
            QVERIFY2(widths.size() >= 3, qPrintable(QString::number(widths.size())));
            if (order == Qt::AscendingOrder) QVERIFY(widths.front() < widths.back());
            else QVERIFY(widths.front() > widths.back());
        }
    }
    void aTitleWithoutRoomIsTheShortOne()
    {
        QStandardItemModel model(0, 1);
        QHeaderView header(Qt::Horizontal);
        header.setModel(&model);
        CalmStyle style;
        auto const drawn = [&](int width, QString const &title, QString const &shorter) {
            model.setHeaderData(0, Qt::Horizontal, shorter, ShortTitleRole);
            QStyleOptionHeader option;
            option.initFrom(&header);
            option.orientation = Qt::Horizontal;
            option.section = 0;
            option.rect = QRect(0, 0, width, 24);
            option.text = title;
            QImage image(width, 24, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            style.drawControl(QStyle::CE_HeaderLabel, &option, &painter, &header);
            return image;
        };
        auto const title = QStringLiteral("Cycles (modelled)"), shorter = QStringLiteral("Cycles");
        int const narrow = header.fontMetrics().horizontalAdvance(title) - 4, wide = narrow + 40;
        QVERIFY(drawn(narrow, title, shorter) == drawn(narrow, shorter, {}));
        QVERIFY(drawn(narrow, title, {}) != drawn(narrow, shorter, {})); // cut
        QVERIFY(drawn(wide, title, shorter) == drawn(wide, title, {}));
    }
    void aSelectedRowKeepsItsTextAndSwatch_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << static_cast<int>(ThemeKind::Light);
        QTest::newRow("dark") << static_cast<int>(ThemeKind::Dark);
    }
    void aSelectedRowKeepsItsTextAndSwatch()
    {
        QFETCH(int, theme);
        applyTheme(*qApp, static_cast<ThemeKind>(theme));
        auto const &look = tilewright::views::theme();
        TablePane pane(QStringLiteral("rows"));
        fill(pane, look[Token::Compute]);
        pane.resize(400, 200);
        pane.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pane));
        auto &tree = pane.tree();
        tree.setAlternatingRowColors(false);
        QRect const plain = tree.visualRect(tree.model()->index(1, 0)), other = tree.visualRect(tree.model()->index(1, 1));
        QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, other.center());
        QTest::mouseMove(tree.viewport(), QPoint(5, 190));
        QImage const picture = tree.viewport()->grab().toImage();
        QColor const wanted = over(look[Token::Panel], look[Token::Accent], 0.12);
        QColor const ground = picture.pixelColor(other.center());
        QVERIFY2(distance(ground, wanted) <= 6, qPrintable(QStringLiteral("%1, wanted %2").arg(ground.name(), wanted.name())));
        // The edge, three pixels of the accent and no more.
        int edge = 0;
        for (int x = plain.left(); x < plain.left() + 12; ++x)
            edge += distance(picture.pixelColor(x, plain.center().y()), look[Token::Accent]) <= 6;
        QCOMPARE(edge, kSelectionEdge);
        // Swatch and letters are there in their own colours.
        int swatch = 0, letters = 0;
        for (int x = plain.left(); x < plain.right(); ++x)
            for (int y = plain.top(); y < plain.bottom(); ++y) {
                swatch += distance(picture.pixelColor(x, y), look[Token::Compute]) <= 6;
                letters += distance(picture.pixelColor(x, y), look[Token::Text]) <= 40;
            }
        QVERIFY2(swatch > 50, qPrintable(QString::number(swatch)));
        QVERIFY2(letters > 5, qPrintable(QString::number(letters)));
    }
    void titlesThatAreTooLongLoseTheirMiddle()
    {
        applyTheme(*qApp, ThemeKind::Light);
        for (bool const number : {false, true}) { // numbers stand at the right, and were cut at the left
            TablePane pane(QStringLiteral("rows"));
            std::vector<Column> columns;
            columns.push_back({.title = QStringLiteral("A"), .text = [](int) { return QString(); }, .value = {}, .width = 60});
            columns.push_back({.title = QString(30, QLatin1Char('W')), .text = [](int) { return QString(); }, .value = {}, .width = 90});
            if (number) columns.back().value = [](int) { return QVariant(1); };
            columns.push_back({.title = QStringLiteral("Z"), .text = [](int) { return QString(); }, .value = {}, .width = 60});
            pane.fill(std::move(columns), 1);
            pane.resize(600, 200);
            pane.show();
            QVERIFY(QTest::qWaitForWindowExposed(&pane));
            auto *header = pane.tree().header();
            header->resizeSection(1, 90);
            QImage const picture = header->viewport()->grab().toImage();
            int const left = header->sectionViewportPosition(1), middle = header->height() / 2;
            auto const inked = [&](int from, int to) {
                int count = 0;
                for (int x = from; x < to; ++x)
                    for (int y = middle - 4; y <= middle + 4; ++y)
                        count += distance(picture.pixelColor(x, y), theme()[Token::SecondaryText]) < 90;
                return count;
            };
            QVERIFY(inked(left + 5, left + 85) > 20);
            QCOMPARE(inked(left + 1, left + 4), 0); // whole letters at both ends
            QCOMPARE(inked(left + 86, left + 89), 0);
        }
    }
    void soDoesAnEntryOfAList()
    {
        applyTheme(*qApp, ThemeKind::Light);
        auto const &look = theme();
        QListWidget list;
        list.addItems({QStringLiteral("one"), QStringLiteral("two")});
        list.resize(200, 100);
        list.show();
        QVERIFY(QTest::qWaitForWindowExposed(&list));
        list.setCurrentRow(1);
        QRect const place = list.visualItemRect(list.item(1));
        QImage const picture = list.viewport()->grab().toImage();
        QColor const ground = picture.pixelColor(place.right() - 10, place.center().y());
        QVERIFY2(distance(ground, over(look[Token::Panel], look[Token::Accent], 0.12)) <= 6, qPrintable(ground.name()));
        QVERIFY(distance(picture.pixelColor(place.left() + 1, place.center().y()), look[Token::Accent]) <= 6);
    }
    void aLongTipHasSeveralLines()
    {
        applyTheme(*qApp, ThemeKind::Light);
        QWidget window;
        window.resize(200, 100);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto const tip = []() -> QLabel * {
            for (auto *widget : QApplication::topLevelWidgets())
                if (widget->inherits("QTipLabel") && widget->isVisible()) return qobject_cast<QLabel *>(widget);
            return nullptr;
        };
        QString const sentence = QStringLiteral("Share of a tile's memory that temporaries of a matrix product may take; where no plan "
                                                "keeps it, the plan that takes least is chosen. ")
                                     .repeated(3);
        for (int round = 0; round < 2; ++round) { // the second text comes into a tip that is there
            QToolTip::showText(QPoint(10, 10), sentence + QString::number(round), &window);
            QTRY_VERIFY(tip() && tip()->text().endsWith(QString::number(round)));
            QTRY_VERIFY2(tip()->width() <= 60 * tip()->fontMetrics().averageCharWidth(), qPrintable(QString::number(tip()->width())));
            QVERIFY(tip()->height() >= tip()->heightForWidth(tip()->width()));
        }
        QToolTip::showText(QPoint(10, 10), QStringLiteral("short"), &window);
        QTRY_COMPARE(tip()->text(), QStringLiteral("short"));
        QVERIFY(tip()->width() < 30 * tip()->fontMetrics().averageCharWidth());
        QToolTip::hideText();
    }
    void aNameWiderThanItsLabelLosesItsMiddle()
    {
        SteadyLabel label;
        label.label().setWordWrap(true);
        QString const name = QStringLiteral("encoder/block_11/multi_head_attention/query/kernel/gradient/partials");
        label.setText(name + QStringLiteral(" · exchange"));
        label.resize(label.fontMetrics().horizontalAdvance(name) / 2, 100);
        label.show();
        QCOMPARE(label.text(), name + QStringLiteral(" · exchange"));
        auto const &inner = label.label();
        QVERIFY(inner.text().startsWith(QStringLiteral("encoder/")));
        QVERIFY(inner.text().endsWith(QStringLiteral("partials · exchange")));
        for (auto const &word : inner.text().split(QLatin1Char(' ')))
            QVERIFY2(inner.fontMetrics().horizontalAdvance(word) <= label.width(), qPrintable(word));
        QCOMPARE(inner.toolTip(), label.text());
        label.resize(2000, 100);
        QCOMPARE(inner.text(), label.text());
        QVERIFY(inner.toolTip().isEmpty());
    }
    void tablesScrollSidewaysOnlyWhenNothingGivesWayAnyMore()
    {
        TablePane pane(QStringLiteral("many"));
        std::vector<Column> columns;
        for (int i = 0; i < 8; ++i)
            columns.push_back({.title = QStringLiteral("A long heading %1").arg(i),
                               .text = [](int) { return QStringLiteral("x"); },
                               .value = {},
                               .width = 160});
        pane.fill(std::move(columns), 2);
        pane.resize(1150, 200);
        pane.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pane));
        auto const used = [&] {
            int sum = 0;
            for (int i = 0; i < 8; ++i) sum += pane.tree().columnWidth(i);
            return sum;
        };
        QVERIFY2(used() <= pane.tree().viewport()->width() && used() > pane.tree().viewport()->width() - 40,
                 qPrintable(QString::number(used())));
        // Room to spare is the columns'.
        pane.resize(1500, 200);
        QCoreApplication::processEvents();
        QVERIFY2(used() > 8 * 160 && used() <= pane.tree().viewport()->width(), qPrintable(QString::number(used())));
        // Too narrow for all titles: it scrolls with complete words.
        for (int const narrow : {900, 300}) {
            pane.resize(narrow, 200);
            QCoreApplication::processEvents();
            QCOMPARE(used(), 8 * 160);
        }
    }
    void numbersInTheFirstRowsAreNotCut()
    {
        TablePane pane(QStringLiteral("rows"));
        std::vector<Column> columns;
        for (int i = 0; i < 6; ++i)
            columns.push_back({.title = QStringLiteral("n%1").arg(i),
                               .text = [](int row) { return row == 7 ? QStringLiteral("123,456,789 cycles") : QStringLiteral("1"); },
                               .value = {},
                               .number = true,
                               .width = 90});
        pane.fill(std::move(columns), 300);
        pane.resize(6 * (pane.fontMetrics().horizontalAdvance(QStringLiteral("123,456,789 cycles")) + 16) + 40, 200);
        pane.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pane));
        for (int i = 0; i < 6; ++i)
            QVERIFY(pane.tree().columnWidth(i) > pane.fontMetrics().horizontalAdvance(QStringLiteral("123,456,789 cycles")));
    }
    /// The accent marks the primary action, the focus and the selection, never a value, a finished step or a page.
    void valuesAndPagesAreNotOrange()
    {
        applyTheme(*qApp, ThemeKind::Light);
        auto const accent = theme()[Token::Accent].name();
        auto const rules = qApp->styleSheet().split(QLatin1Char('}'));
        int found = 0;
        for (auto const &rule : rules)
            for (auto const *of : {"QTabBar::tab:selected", "QProgressBar::chunk", "indicator:checked", "QToolButton:checked {"})
                if (rule.contains(QLatin1String(of)) && !rule.contains(QLatin1String("modes"))) {
                    ++found;
                    QVERIFY2(!rule.contains(accent), qPrintable(rule));
                }
        QVERIFY(found >= 3);
        QVERIFY(QApplication::palette("QSlider").color(QPalette::Highlight) != theme()[Token::Accent]);
    }
    /// Clickable words have a border, unlike labels. A checked state is visible, also with focus, by more than a hue.
    void buttonTextsAreNotLabels()
    {
        for (auto const kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
            applyTheme(*qApp, kind);
            QWidget window;
            window.resize(200, 60);
            QToolButton button(&window), other(&window);
            for (auto *one : {&button, &other}) {
                one->setProperty("role", "word");
                one->setText(QStringLiteral("Gaps"));
                one->setCheckable(true);
                one->setFocusPolicy(Qt::StrongFocus);
            }
            button.setGeometry(4, 4, 90, 28);
            other.setGeometry(104, 4, 90, 28);
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            window.activateWindow();
            auto const look = [&](bool on, bool keyboard) {
                button.setChecked(on);
                (keyboard ? button : other).setFocus();
                QCoreApplication::processEvents();
                return button.grab().toImage();
            };
            auto const border = [](QImage const &image) { return image.pixelColor(image.width() / 2, 0); };
            auto const under = [](QImage const &image) { return image.pixelColor(image.width() / 2, image.height() - 2); };
            auto const off = look(false, false), on = look(true, false);
            auto const panel = theme()[Token::Panel];
            QVERIFY2(contrastRatio(border(off), theme()[Token::Window]) >= 1.5, qPrintable(border(off).name()));
            QVERIFY2(contrastRatio(under(on), under(off)) >= 3, qPrintable(under(on).name())); // a line under the checked one
            QVERIFY(contrastRatio(on.pixelColor(3, 14), off.pixelColor(3, 14)) > 1.1 && on.pixelColor(3, 14) != panel); // and a fill
            if (!qApp->focusWidget()) continue; // this platform gives no window the keyboard
            auto const offKey = look(false, true), onKey = look(true, true);
            QCOMPARE(border(offKey), theme()[Token::Accent]);
            QCOMPARE(border(onKey), theme()[Token::Accent]);
            QVERIFY(onKey.pixelColor(3, 14) == on.pixelColor(3, 14) && under(onKey) != under(offKey));
        }
        applyTheme(*qApp, ThemeKind::Light);
    }
    /// Pages hold dozens of links: colour shows them, and a line only the one in use.
    void aLinkIsColouredText()
    {
        applyTheme(*qApp, ThemeKind::Light);
        QString const html = linkHtml(QStringLiteral("go"), QStringLiteral("a < b"));
        QVERIFY(!html.contains(QStringLiteral("→")) && html.contains(QStringLiteral("a &lt; b")));
        QVERIFY(html.contains(QGuiApplication::palette().color(QPalette::Link).name(), Qt::CaseInsensitive));
        QVERIFY(!html.contains(QStringLiteral("underline")));
        // "1.53 MiB" stays whole on one line, however long the surrounding words; a long name can break.
        QVERIFY(linkHtml(QStringLiteral("go"), QStringLiteral("1.53 MiB in 10 exchanges of a step"))
                    .contains(QStringLiteral("1.53\u00A0MiB in")));
        QVERIFY(
            linkHtml(QStringLiteral("go"), QStringLiteral("dense/MatMulWeightUpdate/partials")).contains(QStringLiteral("Mat\u200BMul")));
        QLabel label(html);
        underlineOnHover(label);
        emit label.linkHovered(QStringLiteral("go"));
        QCOMPARE(label.text().count(QStringLiteral("underline")), 1);
        emit label.linkHovered({});
        QCOMPARE(label.text(), html);
        applyTheme(*qApp, ThemeKind::HighContrast);
        QVERIFY(linkHtml(QStringLiteral("go"), QStringLiteral("a")).contains(QStringLiteral("underline")));
        applyTheme(*qApp, ThemeKind::Light);
    }
    /// Links differ from the text around them, and read on every ground.
    void linksReadInEachTheme()
    {
        for (auto const kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
            applyTheme(*qApp, kind);
            QColor const link = QGuiApplication::palette().color(QPalette::Link);
            for (auto const ground : {Token::Window, Token::Panel, Token::Raised}) QVERIFY(contrastRatio(link, theme()[ground]) >= 4.5);
            QVERIFY2(contrastRatio(link, theme()[Token::Text]) >= 1.4, qPrintable(link.name()));
        }
        applyTheme(*qApp, ThemeKind::Light);
    }
    /// The list of an opened choice marks its entry like other lists: a tinted ground, unchanged text.
    void openedChoicesMarkTheirEntryLikeLists_data()
    {
        QTest::addColumn<int>("kind");
        for (int kind = 0; kind < 3; ++kind) QTest::addRow("%d", kind) << kind;
    }
    void openedChoicesMarkTheirEntryLikeLists()
    {
        QFETCH(int, kind);
        tilewright::initResources(); // a choice draws its arrow
        applyTheme(*qApp, static_cast<ThemeKind>(kind));
        auto const t = theme();
        QComboBox box;
        box.addItems({QStringLiteral("MMMM"), QStringLiteral("MMMM"), QStringLiteral("MMMM")});
        box.setCurrentIndex(1);
        box.show();
        QVERIFY(QTest::qWaitForWindowExposed(&box));
        box.showPopup();
        QTRY_VERIFY(box.view()->isVisible() && !box.view()->visualRect(box.model()->index(1, 0)).isEmpty());
        auto *viewport = box.view()->viewport();
        QImage const drawn = viewport->grab(box.view()->visualRect(box.model()->index(1, 0)) & viewport->rect()).toImage();
        box.hidePopup();
        auto const near = [](QColor const &a, QColor const &b) { return distance(a, b) <= 9; };
        QColor const tint = over(t[Token::Panel], t[Token::Accent], 0.12);
        QMap<QRgb, int> counts;
        for (int y = 0; y < drawn.height(); ++y)
            for (int x = 0; x < drawn.width(); ++x) ++counts[drawn.pixel(x, y)];
        QRgb ground = 0;
        int most = 0;
        bool written = false;
        for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
            if (it.value() > most) std::tie(ground, most) = std::pair(it.key(), it.value());
            written = written || near(QColor(it.key()), t[Token::Text]);
        }
        applyTheme(*qApp, ThemeKind::Light);
        QVERIFY2(near(QColor(ground), tint), qPrintable(QColor(ground).name() + QStringLiteral(" for ") + tint.name()));
        QVERIFY(written && contrastRatio(t[Token::Text], QColor(ground)) >= 4.5);
    }
};

TW_REGISTER_TEST(TstCalmStyle);
#include "tst_calm_style.moc"
