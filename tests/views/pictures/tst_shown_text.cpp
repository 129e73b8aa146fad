#include "app/gui/figure.h"
#include "app/view_list.h"
#include "resources/resources.h"
#include "tests/support/shown_text.h"
#include "tests/support/test_registry.h"
#include "tests/views/pictures/kept_session.h"
#include "translations/translations.h"
#include "views/common/calm_style.h"
#include "views/common/theme.h"
#include "views/session/selection.h"
#include "views/session/view.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QtTest>

#include <functional>
#include <span>

using namespace tilewright;
using namespace tilewright::views;

namespace {

constexpr double kLargeText = 1.25;

struct Size {
    char const *name;
    QSize centre, side, bottom; ///< of a view in the middle, in a panel at a side, in the one below
};
/// A laptop's screen and a narrow one, which a view has for itself; and half of it, which it has beside panels.
constexpr Size kSizes[] = {{"1366", {1366, 700}, {300, 620}, {1366, 240}},
                           {"1024", {1024, 620}, {250, 560}, {1024, 200}},
                           {"683", {683, 600}, {250, 400}, {683, 200}}};

} // namespace

/// Every view with the kept reports: texts have the room they need, in the languages that need most of it and in large type,
/// and stand out from their ground in each theme.
class TstShownText : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::shared_ptr<ReportSnapshot const> m_report, m_baseline;

    void open(Session &session)
    {
        QVERIFY(tests::openKeptProject(session));
        session.showReport(m_report);
        session.markReportMade(session.report()->path(), session.document().revision());
        session.setBaseline(m_baseline);
        session.selection().selectLayer(QStringLiteral("dense"));
    }
    /// Checks a view and the pages of its tabs.
    static void lookAt(View &view, std::function<void(QString const &page)> const &look)
    {
        look({});
        for (auto *bar : view.findChildren<QTabBar *>()) {
            if (!bar->isVisibleTo(&view)) continue;
            int const first = bar->currentIndex();
            for (int i = 0; i < bar->count(); ++i) {
                if (i == first || !bar->isTabEnabled(i)) continue;
                bar->setCurrentIndex(i);
                app::settle(view.session(), view, 20000);
                look(bar->tabText(i));
            }
            bar->setCurrentIndex(first);
            app::settle(view.session(), view, 20000);
        }
    }
    /// All views in these sizes, with all tabs. One line per fault, because a failure message is cut after some of them.
    void check(std::span<Size const> sizes, std::function<QStringList(QWidget &)> const &faultsOf)
    {
        Session session;
        open(session);
        QStringList faults;
        for (auto const &descriptor : app::viewList())
            for (auto const &size : sizes) {
                auto const view = app::unseenView(descriptor, session, {}, sizeOf(descriptor, size));
                lookAt(*view, [&](QString const &page) {
                    for (auto const &fault : faultsOf(*view))
                        faults << QStringLiteral("%1 at %2%3: %4")
                                      .arg(view->id(), QLatin1String(size.name), page.isEmpty() ? QString() : QStringLiteral(", ") + page,
                                           fault);
                });
            }
        for (auto const &fault : faults) qInfo("%s", qPrintable(fault));
        QCOMPARE(faults.size(), 0);
    }
    /// Three words of English that stand together.
    static bool isSentence(QString const &text)
    {
        static QRegularExpression const words(QStringLiteral("\\b[A-Za-z][a-z]+ [a-z]{2,} [a-z]{2,}\\b"));
        return words.match(text).hasMatch();
    }
    static QSize sizeOf(ViewDescriptor const &view, Size const &size)
    {
        switch (view.area) {
        case ViewDescriptor::Centre: return size.centre;
        case ViewDescriptor::Bottom: return size.bottom;
        case ViewDescriptor::Left:
        case ViewDescriptor::Right: break;
        }
        return size.side;
    }

private slots:
    void initTestCase()
    {
        initResources();
        qApp->setFont(QFont(QStringLiteral("DejaVu Sans"), 10)); // as desktops have it; package fonts-dejavu-core
        m_report = tests::keptReport(m_folder.path(), QStringLiteral("digits.twreport"));
        m_baseline = tests::keptReport(m_folder.path(), QStringLiteral("staged.twreport"));
        QVERIFY(m_report && m_baseline);
    }
    void cleanup()
    {
        setTextScale(1);
        installTranslation(*qApp, QStringLiteral("en_US"));
        applyTheme(*qApp, ThemeKind::Light);
    }
    void nothingIsClipped_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<double>("scale");
        QTest::newRow("large type") << QStringLiteral("en_US") << kLargeText;
        QTest::newRow("German in large type") << QStringLiteral("de") << kLargeText;
        QTest::newRow("texts that are longer") << QStringLiteral("xx") << 1.0;
    }
    void nothingIsClipped()
    {
        QFETCH(QString, language);
        QFETCH(double, scale);
        setTextScale(scale);
        installTranslation(*qApp, language);
        applyTheme(*qApp, ThemeKind::Dark);
        check(kSizes, tests::clippedTexts);
    }
    /// In the language that marks all texts of the program, unmarked sentences are missing in the translation.
    void everySentenceIsTranslated()
    {
        installTranslation(*qApp, QStringLiteral("xx"));
        check(std::span(kSizes).first(1), [this](QWidget &view) {
            QStringList english;
            for (auto const &text : tests::readTexts(view)) {
                // A stored report keeps the reason of a cache miss as a finished English sentence.
                if (text.contains(QLatin1String("differs from entry"))) continue;
                if (isSentence(QString(text).remove(m_report->title()))) english << text;
            }
            return english;
        });
    }
    void allTextsHaveContrast_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << static_cast<int>(ThemeKind::Light);
        QTest::newRow("dark") << static_cast<int>(ThemeKind::Dark);
        QTest::newRow("contrast") << static_cast<int>(ThemeKind::HighContrast);
    }
    void allTextsHaveContrast()
    {
        QFETCH(int, theme);
        applyTheme(*qApp, static_cast<ThemeKind>(theme));
        check(std::span(kSizes).first(1), tests::faintTexts);
    }
    /// The checks find the faults that a person would see: each case is correct with room and wrong without.
    void clippedTextsAreFound()
    {
        applyTheme(*qApp, ThemeKind::Light);
        QString const words = QStringLiteral("Some words of a heading");
        struct Case {
            char const *name;
            std::function<QWidget *(QWidget *)> make;
            bool isTold = false; ///< its tooltip has the whole text
        };
        struct Silence : QObject {
            bool eventFilter(QObject *, QEvent *event) override { return event->type() == QEvent::ToolTip; }
        } silence;
        Case const cases[] = {
            {"label", [&](QWidget *p) -> QWidget * { return new QLabel(words, p); }, true},
            {"wrapping label",
             [&](QWidget *p) -> QWidget * {
                 auto *l = new QLabel(words, p);
                 l->setWordWrap(true);
                 return l;
             }},
            {"button", [&](QWidget *p) -> QWidget * { return new QPushButton(words, p); }},
            {"check box", [&](QWidget *p) -> QWidget * { return new QCheckBox(words, p); }},
            {"group", [&](QWidget *p) -> QWidget * { return new QGroupBox(words, p); }},
            {"combo",
             [&](QWidget *p) -> QWidget * {
                 auto *b = new QComboBox(p);
                 b->addItem(words);
                 return b;
             },
             true},
            {"line",
             [&](QWidget *p) -> QWidget * {
                 auto *l = new QLineEdit(p);
                 l->setPlaceholderText(words);
                 return l;
             },
             true},
            {"tabs",
             [&](QWidget *p) -> QWidget * {
                 auto *t = new QTabBar(p);
                 t->setElideMode(Qt::ElideRight);
                 t->setUsesScrollButtons(false);
                 t->addTab(words);
                 return t;
             }},
            {"table",
             [&](QWidget *p) -> QWidget * {
                 auto *t = new QTreeWidget(p);
                 t->setHeaderLabels({words, QStringLiteral("x")});
                 return t;
             }},
        };
        for (auto const &one : cases) {
            QWidget root;
            root.resize(600, 300);
            auto *widget = one.make(&root);
            auto *tree = qobject_cast<QTreeWidget *>(widget);
            widget->setGeometry(10, 10, 400, 200);
            if (tree) tree->setColumnWidth(0, 300);
            root.setAttribute(Qt::WA_DontShowOnScreen);
            root.show();
            QVERIFY2(tests::clippedTexts(root).isEmpty(),
                     qPrintable(QLatin1String(one.name) + tests::clippedTexts(root).join(QLatin1Char('\n'))));
            if (tree) tree->setColumnWidth(0, 60);
            else widget->resize(50, 40);
            QVERIFY2(tests::clippedTexts(root).size() == (one.isTold ? 0 : 1), one.name);
            widget->installEventFilter(&silence);
            QVERIFY2(tests::clippedTexts(root).size() == 1, one.name);
            if (tree) tree->setColumnWidth(0, 300);
            widget->setGeometry(550, 10, 400, 200); // runs out at the side
            QVERIFY2(tests::clippedTexts(root).size() == 1, one.name);
        }
    }
    void faintTextsAreFound()
    {
        applyTheme(*qApp, ThemeKind::Light);
        QWidget root;
        root.resize(300, 60);
        QLabel label(QStringLiteral("grey on grey"), &root);
        label.setGeometry(10, 10, 200, 30);
        root.setAttribute(Qt::WA_DontShowOnScreen);
        root.show();
        QVERIFY2(tests::faintTexts(root).isEmpty(), qPrintable(tests::faintTexts(root).join(QLatin1Char('\n'))));
        QPalette palette = label.palette();
        palette.setColor(QPalette::WindowText, QColor(150, 150, 150));
        label.setPalette(palette);
        QCOMPARE(tests::faintTexts(root).size(), 1);
        QFont large = label.font();
        large.setPointSize(20);
        label.setFont(large);
        palette.setColor(QPalette::WindowText, QColor(130, 130, 130)); // 3.6 : 1
        label.setPalette(palette);
        QVERIFY(tests::faintTexts(root).isEmpty());
        label.setEnabled(false);
        palette.setColor(QPalette::Disabled, QPalette::WindowText, QColor(220, 220, 220));
        label.setPalette(palette);
        QVERIFY(tests::faintTexts(root).isEmpty());
    }
};

TW_REGISTER_TEST(TstShownText);
#include "tst_shown_text.moc"
