#include "app/gui/figure.h"
#include "app/view_list.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "tests/views/pictures/kept_session.h"
#include "tests/views/pictures/picture_compare.h"
#include "translations/translations.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/reports/report_snapshot.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/session/view.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QFontInfo>
#include <QLabel>
#include <QLayout>
#include <QPainter>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <ctime>
#include <functional>

using namespace tilewright;
using namespace tilewright::views;

namespace {

constexpr char kFolder[] = TILEWRIGHT_SOURCE_DIR "/tests/views/pictures/";
constexpr char kReport[] = "digits.twreport", kStaged[] = "staged.twreport"; ///< the second: on two IPUs, in two stages
constexpr qint64 kMostBytes = 2600 * 1000;                                   ///< of all pictures together

/// Before the application looks for fonts and the time.
bool const s_prepared = [] {
    qputenv("FONTCONFIG_FILE", QByteArray(kFolder) + "fonts.conf");
    qputenv("TZ", "UTC");
    tzset();
    return true;
}();

struct Look {
    char const *name;
    ThemeKind theme;
    QSize size;
};
/// A small screen, where things get cramped, in both themes; and a large one, where they get lost.
constexpr Look kLooks[] = {
    {"light", ThemeKind::Light, {1366, 768}}, {"dark", ThemeKind::Dark, {1366, 768}}, {"large", ThemeKind::Light, {1920, 1080}}};

/// Pictures of a report: `view` or `view-mode`.
constexpr char const *kViews[] = {"summary",
                                  "insights",
                                  "memory",
                                  "liveness",
                                  "program",
                                  "operations",
                                  "execution",
                                  "execution-flame",
                                  "execution-bsp",
                                  "execution-exchange",
                                  "execution-host",
                                  "training",
                                  "execution-pipeline",
                                  "runs",
                                  "compile",
                                  "log",
                                  "canvas"};
/// Forms and lists of a project, which change with each new registry entry: one picture of each. The console and the monitor show this
/// machine at this
/// moment and are left out.
constexpr char const *kForms[] = {"plan", "data", "config", "outline", "palette", "inspector", "problems"};

/// All pictures: their content and their look.
std::vector<std::pair<char const *, int>> allPictures()
{
    std::vector<std::pair<char const *, int>> all;
    for (auto const *view : kViews)
        for (int i = 0; i < static_cast<int>(std::size(kLooks)); ++i) all.emplace_back(view, i);
    for (auto const *form : kForms) all.emplace_back(form, 0);
    return all;
}

/// Sixteen levels per channel: a third of the bytes, and less than the tolerance of the comparison.
QImage coarse(QImage image)
{
    image = image.convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y) {
        auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            auto const step = [](int value) { return std::min(255, (value + 8) / 16 * 16); };
            line[x] = qRgb(step(qRed(line[x])), step(qGreen(line[x])), step(qBlue(line[x])));
        }
    }
    return image;
}

} // namespace

/// Views as they stand, against pictures of them that were looked at and kept: of one report, which is kept too, with its
/// clock and its host's times, in one font, at half the size.
class TstPictures : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::shared_ptr<ReportSnapshot const> m_report, m_staged;

    static bool renews() { return qEnvironmentVariableIsSet("TILEWRIGHT_RENEW_PICTURES"); }
    static QString keptPath(QString const &name) { return QLatin1String(kFolder) + name + QStringLiteral(".png"); }
    static QString nameOf(char const *view, Look const &look) { return QLatin1String(view) + QLatin1Char('.') + QLatin1String(look.name); }
    QImage drawn(QString const &what, Look const &look, std::function<void(View &)> const &change = {})
    {
        applyTheme(*qApp, look.theme);
        QString const id = what.section(QLatin1Char('-'), 0, 0), mode = what.section(QLatin1Char('-'), 1);
        Session session;
        if (!tests::openKeptProject(session)) return {};
        session.showReport(mode == QLatin1String("pipeline") ? m_staged : m_report);
        session.markReportMade(session.report()->path(), session.document().revision());
        if (id == QLatin1String("runs")) session.setBaseline(m_staged);
        if (id == QLatin1String("inspector") || id == QLatin1String("outline")) session.selection().selectLayer(QStringLiteral("dense"));
        auto const list = app::viewList();
        auto const descriptor = std::ranges::find_if(list, [&](auto const &one) { return id == QLatin1String(one.id); });
        if (descriptor == list.end()) return {};
        auto const view =
            app::unseenView(*descriptor, session, mode.isEmpty() ? QJsonObject() : QJsonObject{{QStringLiteral("mode"), mode}}, look.size);
        if (!mode.isEmpty() && view->saveState().value(QStringLiteral("mode")).toString() != mode) return {};
        if (change) change(*view);
        QImage large(look.size, QImage::Format_RGB32);
        view->render(&large);
        return coarse(large.scaled(look.size / 2, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    }

private slots:
    void initTestCase()
    {
        initResources();
        installTranslation(*qApp, QStringLiteral("en_US"));
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        qApp->setFont(QFont(QStringLiteral("DejaVu Sans"), 10));
        QCOMPARE(QFontInfo(qApp->font()).family(), QStringLiteral("DejaVu Sans")); // package fonts-dejavu-core
        QString const reports = qEnvironmentVariable("TILEWRIGHT_RENEW_REPORTS");  // a folder
        for (auto const *name : {kReport, kStaged}) {
            if (!renews() || reports.isEmpty()) break;
            QFile made(QDir(reports).filePath(QLatin1String(name))),
                file(QLatin1String(kFolder) + QLatin1String(name) + QStringLiteral(".z"));
            QVERIFY2(made.open(QIODevice::ReadOnly), qPrintable(made.fileName()));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(qCompress(made.readAll(), 9));
        }
        m_report = tests::keptReport(m_folder.path(), QLatin1String(kReport));
        m_staged = tests::keptReport(m_folder.path(), QLatin1String(kStaged));
        QVERIFY2(m_report && m_staged, "the kept report cannot be read any more: packaging/dev pictures report");
    }
    void viewsMatchTheirReferencePictures_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("look");
        for (auto const &[view, i] : allPictures())
            QTest::addRow("%s", qPrintable(nameOf(view, kLooks[i]))) << QString::fromLatin1(view) << i;
    }
    void viewsMatchTheirReferencePictures()
    {
        QFETCH(QString, what);
        QFETCH(int, look);
        QString const name = QString::fromLatin1(QTest::currentDataTag());
        QImage const now = drawn(what, kLooks[look]);
        QVERIFY(!now.isNull());
        QImage const kept(keptPath(name));
        auto const difference = tests::comparePictures(kept, now);
        if (renews()) {
            if (kept.isNull() || difference.seen()) QVERIFY(now.save(keptPath(name), "PNG", 0));
            return;
        }
        QDir const out(QStringLiteral(TILEWRIGHT_PICTURES_DIR));
        QString const newFile = out.filePath(name + QStringLiteral(".new.png")),
                      differenceFile = out.filePath(name + QStringLiteral(".difference.png"));
        if (!difference.seen()) {
            QFile::remove(newFile);
            QFile::remove(differenceFile);
            return;
        }
        QVERIFY(now.save(newFile));
        QVERIFY(difference.marked.save(differenceFile));
        QString const where = difference.sizes ? QStringLiteral("there is no picture of this size")
                                               : QStringLiteral("%1 pixels, most of them around %2,%3")
                                                     .arg(difference.pixels)
                                                     .arg(difference.where.center().x())
                                                     .arg(difference.where.center().y());
        QFAIL(qPrintable(QStringLiteral("%1 looks otherwise (%2).\n  kept:       %3\n  new:        %4\n  difference: %5\nLook at them; "
                                        "when the new one is right: packaging/dev pictures")
                             .arg(name, where, keptPath(name), newFile, differenceFile)));
    }
    void noPictureIsLeftOver()
    {
        QStringList wanted;
        for (auto const &[view, i] : allPictures()) wanted << nameOf(view, kLooks[i]);
        qint64 bytes = 0;
        for (auto const &file : QDir(QLatin1String(kFolder)).entryInfoList({QStringLiteral("*.png")})) {
            bytes += file.size();
            if (!wanted.contains(file.completeBaseName()) && renews()) QFile::remove(file.filePath());
            else
                QVERIFY2(wanted.contains(file.completeBaseName()),
                         qPrintable(file.filePath() + QStringLiteral(" is of no view: packaging/dev pictures")));
        }
        QVERIFY2(bytes < kMostBytes, qPrintable(QString::number(bytes)));
    }
    /// The comparison finds exactly the differences that a person would see.
    void movedOrLostPixelsAreDetected()
    {
        auto const page = [](QPointF label, bool box, bool smooth) {
            QImage image(2 * QSize(200, 120), QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            painter.setRenderHint(QPainter::Antialiasing, smooth);
            painter.setRenderHint(QPainter::TextAntialiasing, smooth);
            painter.setPen(QColor(60, 60, 60));
            if (!label.isNull()) painter.drawText(label, QStringLiteral("14,208 bytes"));
            if (box) painter.drawRoundedRect(QRectF(230, 60, 24, 24), 4, 4);
            painter.drawLine(QPointF(20, 200.3), QPointF(380, 190.7));
            painter.end();
            return coarse(image.scaled(200, 120, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
        };
        QPointF const label(40, 80);
        auto const kept = page(label, true, true);
        QVERIFY(!tests::comparePictures(kept, kept).seen());
        QVERIFY(!tests::comparePictures(kept, page(label + QPointF(0.5, 0.3), true, true)).seen()); // between two pixels
        QVERIFY(!tests::comparePictures(kept, page(label, true, false)).seen());                    // without smoothing
        QVERIFY(tests::comparePictures(kept, page(label + QPointF(0, 8), true, true)).seen());
        QVERIFY(tests::comparePictures(kept, page(label + QPointF(8, 0), true, true)).seen());
        QVERIFY(tests::comparePictures(kept, page({}, true, true)).seen());
        QVERIFY(tests::comparePictures(kept, page(label, false, true)).seen());
        QVERIFY(tests::comparePictures(kept, kept.scaled(100, 60)).seen());
    }
    /// Letters that another machine draws otherwise: hinted, which moves their edges to whole pixels.
    void comparisonIgnoresFontSmoothing()
    {
        QFont const usual = qApp->font();
        QFont hinted = usual;
        hinted.setHintingPreference(QFont::PreferVerticalHinting);
        qApp->setFont(hinted);
        for (auto const *what : {"summary", "memory", "program"}) {
            QImage const now = drawn(QLatin1String(what), kLooks[0]);
            auto const difference = tests::comparePictures(QImage(keptPath(nameOf(what, kLooks[0]))), now);
            if (difference.seen()) now.save(QStringLiteral(TILEWRIGHT_PICTURES_DIR "/hinted.png"));
            QVERIFY2(!difference.seen(),
                     qPrintable(QStringLiteral("%1: %2 pixels, %3 in one square")
                                    .arg(QLatin1String(what))
                                    .arg(difference.pixels)
                                    .arg(difference.worst)));
        }
        qApp->setFont(usual);
    }
    /// A deliberate change is seen: another word in the headline, a part that is gone, a row that is higher, another colour.
    void aChangeOfAViewIsSeen_data()
    {
        QTest::addColumn<int>("look");
        QTest::addColumn<int>("change");
        for (int i = 0; i < static_cast<int>(std::size(kLooks)); ++i)
            for (int change = 0; change < 4; ++change) QTest::addRow("%s, change %d", kLooks[i].name, change) << i << change;
    }
    void aChangeOfAViewIsSeen()
    {
        QFETCH(int, look);
        QFETCH(int, change);
        std::function<void(View &)> const changes[] = {
            [](View &view) {
                for (auto *label : view.findChildren<QLabel *>())
                    if (label->accessibleName() == QLatin1String("Headline"))
                        return label->setText(label->text().replace(QStringLiteral("Worst"), QStringLiteral("Largest")));
                QFAIL("no headline");
            },
            [](View &view) {
                for (auto *button : view.findChildren<QAbstractButton *>())
                    if (button->isVisible()) return button->hide();
                QFAIL("no button");
            },
            [](View &view) {
                view.layout()->setContentsMargins(view.layout()->contentsMargins() + QMargins(0, 6, 0, 0));
                view.layout()->activate();
            },
            [](View &view) {
                for (auto *label : view.findChildren<QLabel *>())
                    label->setStyleSheet(QStringLiteral("color: %1").arg(theme()[Token::Bad].name()));
            },
        };
        QImage const kept(keptPath(nameOf("memory", kLooks[look])));
        QVERIFY(!kept.isNull());
        auto const difference = tests::comparePictures(kept, drawn(QStringLiteral("memory"), kLooks[look], changes[change]));
        QVERIFY2(difference.seen(), qPrintable(QStringLiteral("%1 in one square").arg(difference.worst)));
    }
};

TW_REGISTER_TEST(TstPictures);
#include "tst_pictures.moc"
