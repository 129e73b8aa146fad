#include "tests/support/test_registry.h"

#include "views/advice/problem_list.h"
#include "views/data/class_chart.h"
#include "views/data/data_view.h"
#include "views/data/sample_grid.h"
#include "views/document/document.h"
#include "views/properties/property_table.h"

#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

struct Window {
    Session session;
    std::unique_ptr<View> view;
    Window()
    {
        if (!session.document().openTemplate(QStringLiteral("mnist-mlp")).ok()) qFatal("no template");
        if (!session.document().setField(QStringLiteral("data.limit"), QStringLiteral("400")).ok()) qFatal("no limit");
        view.reset(dataView().create(session, nullptr));
        view->resize(900, 600);
        view->show();
    }
    bool isSettled() const { return view->isSettled(); }
};

} // namespace

class TstDataView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }

    void showsTheEmbeddedDigits()
    {
        Window window;
        QTRY_VERIFY(window.view->headline().contains(QStringLiteral("400 training and 400 test samples of 28×28")));
        QTRY_VERIFY(window.isSettled());
        QVERIFY(window.view->headline().contains(QStringLiteral("10 class")));
        auto *grid = window.view->findChild<SampleGrid *>();
        QVERIFY(grid->isVisible());
        QVERIFY2(grid->tipOf(0).contains(QStringLiteral("label")), qPrintable(grid->tipOf(0)));
        // Ink: the first picture is not of one colour.
        QImage const picture = grid->grab(grid->rectOf(0).toRect()).toImage();
        QSet<QRgb> colours;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x) colours.insert(picture.pixel(x, y));
        QVERIFY(colours.size() > 10);
        QVERIFY(window.view->findChild<ClassChart *>()->tipOf(0).startsWith(QStringLiteral("Class 0: 40 training")));
        auto const tables = window.view->exportTables();
        QCOMPARE(tables.last().rows.size(), 10);
        QCOMPARE(tables.last().rows.front().at(1), QStringLiteral("40"));
    }
    void missingFilesAreReportedAndOneClickGoesBack()
    {
        Window window;
        QTRY_VERIFY(window.isSettled());
        window.view->findChild<PropertyTable *>()->apply(QStringLiteral("data.path"), QStringLiteral("/no/such/file.npz"));
        auto *problems = window.view->findChild<ProblemList *>();
        QTRY_VERIFY(problems->isVisible());
        QCOMPARE(problems->problems().front().code.substr(0, 5), std::string("data."));
        QTRY_VERIFY(window.view->headline().contains(QStringLiteral("cannot be read")));
        QTest::mouseClick(problems->findChild<QPushButton *>(), Qt::LeftButton);
        QTRY_VERIFY(problems->isHidden());
        QTRY_VERIFY(window.view->headline().contains(QStringLiteral("400 training")));
    }
    void tablesOfNumbersAreShownToo()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("points.csv")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("x1,x2,label\n");
        for (int i = 0; i < 20; ++i)
            file.write(QByteArray::number(i) + "," + QByteArray::number(i * 0.5) + "," + QByteArray::number(i % 2) + "\n");
        file.close();
        Window window;
        window.view->findChild<PropertyTable *>()->apply(QStringLiteral("data.path"), file.fileName());
        QTRY_VERIFY2(window.view->headline().contains(QStringLiteral("20 training samples of 2 number(s)")),
                     qPrintable(window.view->headline()));
        // Two numbers are no 28×28 picture: the model cannot take them.
        auto const &found = window.view->findChild<ProblemList *>()->problems();
        QVERIFY(std::ranges::find(found, std::string("data.shape.model"), &Diagnostic::code) != found.end());
    }
    void validationSamplesHaveAFileOfTheirOwn()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("held.csv")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < 5; ++i) file.write((QByteArray("1,").repeated(784) + QByteArray::number(i) + "\n"));
        file.close();
        Window window;
        QTRY_VERIFY(window.isSettled());
        auto *table = window.view->findChild<PropertyTable *>();
        table->apply(QStringLiteral("data.validation_path"), file.fileName());
        // Numbers of a table are no pictures: the reader says so.
        auto *problems = window.view->findChild<ProblemList *>();
        QTRY_VERIFY(problems->isVisible());
        QCOMPARE(problems->problems().front().code, std::string("data.shape.validation"));
        table->apply(QStringLiteral("data.path"), file.fileName());
        QTRY_VERIFY2(window.view->headline().contains(QStringLiteral("5 training and 5 validation")), qPrintable(window.view->headline()));
    }
    void followsTheProject()
    {
        Window window;
        QTRY_VERIFY(window.view->headline().contains(QStringLiteral("400 training")));
        QVERIFY(window.session.document().setField(QStringLiteral("training.validation_split"), QStringLiteral("0.25")).ok());
        QTRY_VERIFY2(window.view->headline().contains(QStringLiteral("300 training, 100 validation")), qPrintable(window.view->headline()));
    }
};

TW_REGISTER_TEST(TstDataView);
#include "tst_data_view.moc"
