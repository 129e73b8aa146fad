#include "tests/support/test_registry.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/help/help_view.h"
#include "views/session/selection.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QSettings>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>
#include <QtTest>

using namespace tilewright::views;

class TstHelpView : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void opensAtTheContents();
    void helpRequestedOpensThePage();
    void anUnknownPageBecomesASearch();
    void typingFindsAndReturnOpens();
    void backReturnsToThePageAndItsPlace();
    void linksShowViewsAndSelect();
    void aTemplateLinkMakesTheProject();
    void lessonsKeepTheirProgress();
    void theTextFollowsTheTheme();
    void narrowKeepsEverythingReachable();

private:
    void click(QString const &target);
    template <typename T> T *child(QString const &accessibleName) const
    {
        for (auto *widget : m_view->findChildren<T *>())
            if (widget->accessibleName() == accessibleName) return widget;
        return nullptr;
    }
    QTextBrowser *browser() const { return m_view->findChild<QTextBrowser *>(); }

    std::unique_ptr<Session> m_session;
    std::unique_ptr<HelpView> m_view;
};

void TstHelpView::init()
{
    QSettings().clear();
    m_session = std::make_unique<Session>();
    m_view = std::make_unique<HelpView>(*m_session, nullptr);
    m_view->resize(420, 600);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    QTRY_COMPARE(m_view->currentPage(), QString("index:home"));
}

void TstHelpView::cleanup()
{
    m_view.reset();
    m_session.reset();
}

/// Like a click on the link; its position on the page does not matter here.
void TstHelpView::click(QString const &target) { emit browser()->anchorClicked(QUrl(target)); }

void TstHelpView::opensAtTheContents()
{
    QVERIFY(!m_view->headline().isEmpty());
    auto const text = browser()->toPlainText();
    for (auto const *word : {"Lessons", "Concepts", "Views", "Layers", "Machines"}) QVERIFY2(text.contains(word), word);
}

void TstHelpView::helpRequestedOpensThePage()
{
    emit m_session->helpRequested("layer:Dense");
    QCOMPARE(m_view->currentPage(), QString("layer:Dense"));
    QVERIFY(browser()->toPlainText().contains("units"));
    emit m_session->helpRequested("memory");
    QCOMPARE(m_view->currentPage(), QString("viewhelp:memory"));
    QCOMPARE(m_view->headline(), QString("Memory"));
}

void TstHelpView::anUnknownPageBecomesASearch()
{
    emit m_session->helpRequested("layer:Densee");
    auto *search = child<QLineEdit>("Search the help");
    QVERIFY(search);
    QCOMPARE(search->text(), QString("Densee"));
    QVERIFY(m_view->findChild<QListWidget *>()->isVisible());
}

void TstHelpView::typingFindsAndReturnOpens()
{
    auto *search = child<QLineEdit>("Search the help");
    auto *hits = m_view->findChild<QListWidget *>();
    m_view->startSearch();
    QTest::keyClicks(search, "superstep");
    QVERIFY(hits->isVisible());
    QVERIFY(hits->count() > 1);
    QTest::keyClick(search, Qt::Key_Down);
    QCOMPARE(hits->currentRow(), 1);
    QTest::keyClick(search, Qt::Key_Up);
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(m_view->currentPage(), QString("concept:superstep"));
    QVERIFY(browser()->isVisible());
    QVERIFY(search->text().isEmpty());
    QTest::keyClicks(search, "nosuchword");
    QCOMPARE(hits->count(), 1);
    QVERIFY(!(hits->item(0)->flags() & Qt::ItemIsEnabled));
    QTest::keyClick(search, Qt::Key_Escape);
    QVERIFY(browser()->isVisible());
}

void TstHelpView::backReturnsToThePageAndItsPlace()
{
    m_view->openPage("lesson:memory");
    auto *bar = browser()->verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0);
    bar->setValue(bar->maximum() / 2);
    auto const place = bar->value();
    click("concept:tile");
    QCOMPARE(m_view->currentPage(), QString("concept:tile"));
    QCOMPARE(bar->value(), 0);
    QTest::mouseClick(child<QToolButton>("Back (Backspace)"), Qt::LeftButton);
    QCOMPARE(m_view->currentPage(), QString("lesson:memory"));
    QTRY_COMPARE(bar->value(), place);
    QTest::mouseClick(child<QToolButton>("Forward"), Qt::LeftButton);
    QCOMPARE(m_view->currentPage(), QString("concept:tile"));
    QVERIFY(!child<QToolButton>("Forward")->isEnabled());
    QTest::keyClick(browser(), Qt::Key_Backspace);
    QCOMPARE(m_view->currentPage(), QString("lesson:memory"));
}

void TstHelpView::linksShowViewsAndSelect()
{
    QSignalSpy shown(m_session.get(), &Session::viewRequested);
    click("view:liveness");
    QCOMPARE(shown.size(), 1);
    QCOMPARE(shown[0][0].toString(), QString("liveness"));
    click("select:tile/7");
    QCOMPARE(m_session->selection().current().kind, SelectionKind::Tile);
    QCOMPARE(m_session->selection().current().ids, std::vector<int>{7});
    click("select:layer/dense_1");
    QCOMPARE(m_session->selection().current().name, QString("dense_1"));
}

void TstHelpView::aTemplateLinkMakesTheProject()
{
    QSignalSpy shown(m_session.get(), &Session::viewRequested);
    click("template:mnist-mlp");
    QVERIFY(m_session->document().isOpen());
    QCOMPARE(m_session->document().project().model.layers.size(), std::size_t(5));
    QCOMPARE(shown.last()[0].toString(), QString("canvas"));
    QSignalSpy errors(m_session.get(), &Session::errorRaised);
    m_session->document().close();
    click("template:mnist-mpl");
    QCOMPARE(errors.size(), 1);
    QVERIFY(!m_session->document().isOpen());
}

void TstHelpView::lessonsKeepTheirProgress()
{
    m_view->openPage("lesson:mnist");
    auto *done = m_view->findChild<QCheckBox *>();
    QVERIFY(done->isVisible());
    QVERIFY(!child<QToolButton>("Previous lesson")->isEnabled());
    done->click();
    QTest::mouseClick(child<QToolButton>("Next lesson"), Qt::LeftButton);
    QCOMPARE(m_view->currentPage(), QString("lesson:memory"));
    QVERIFY(!done->isChecked());
    m_view->openPage("index:lessons");
    QVERIFY(!done->isVisible());
    QCOMPARE(browser()->toPlainText().count(QChar(0x2713)), 1);
    QCOMPARE(LessonProgress().done(), QStringList{"lesson:mnist"}); // another start of the program
}

void TstHelpView::theTextFollowsTheTheme()
{
    m_view->openPage("concept:tile");
    auto const linkColour = [&] {
        for (auto block = browser()->document()->begin(); block.isValid(); block = block.next())
            for (auto it = block.begin(); !it.atEnd(); ++it)
                if (it.fragment().charFormat().isAnchor()) return it.fragment().charFormat().foreground().color();
        return QColor();
    };
    auto const kind = theme().kind;
    applyTheme(*qApp, ThemeKind::Light);
    QTRY_COMPARE(linkColour(), makeTheme(ThemeKind::Light)[Token::Text]);
    applyTheme(*qApp, ThemeKind::Dark);
    QTRY_COMPARE(linkColour(), makeTheme(ThemeKind::Dark)[Token::Text]);
    applyTheme(*qApp, kind);
}

void TstHelpView::narrowKeepsEverythingReachable()
{
    m_view->openPage("lesson:mnist");
    m_view->resize(220, 320);
    QTRY_VERIFY(browser()->horizontalScrollBar()->maximum() == 0 || browser()->horizontalScrollBar()->isVisible());
    for (auto *button : m_view->findChildren<QToolButton *>())
        if (button->isVisible() && !button->accessibleName().isEmpty())
            QVERIFY2(m_view->rect().contains(QRect(button->mapTo(m_view.get(), QPoint()), button->size())),
                     qPrintable(button->accessibleName()));
}

TW_REGISTER_TEST(TstHelpView);
#include "tst_help_view.moc"
