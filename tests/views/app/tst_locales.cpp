#include "app/gui/main_window.h"
#include "engine/compiler/compile.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/project/project.h"
#include "engine/store/project_file.h"
#include "resources/resources.h"
#include "tests/support/locales.h"
#include "tests/support/test_registry.h"
#include "views/document/document.h"
#include "views/session/session.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <clocale>
#include <cstdio>

using namespace tilewright;
using namespace tilewright::tests;

namespace {

/// The C library's locale while the object lives, as Qt sets the desktop's.
class ProcessLocale {
public:
    ProcessLocale(QString const &name, QTemporaryDir const &folder) : m_before(std::setlocale(LC_ALL, nullptr))
    {
        qputenv("LOCPATH", folder.path().toLocal8Bit());
        m_set = std::setlocale(LC_ALL, name.toLatin1().constData()) != nullptr;
    }
    ~ProcessLocale()
    {
        std::setlocale(LC_ALL, m_before.c_str());
        qunsetenv("LOCPATH");
    }
    bool isSet() const { return m_set; }

private:
    std::string m_before;
    bool m_set = false;
};

QByteArray contentOf(QString const &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// The same numbers on every desktop, whatever its decimal mark and its rules of capitals.
class TstLocales : public QObject {
    Q_OBJECT
    QTemporaryDir m_locales, m_folder;
    QString m_project;

    project::Project project() const
    {
        auto p = *project::fromTemplate("mnist-mlp");
        p = *project::withField(p, "system.target", "gc200:tiles=64", nullptr);
        p = *project::withField(p, "training.batch_size", "512", nullptr);
        return *project::withField(p, "ipu_config.matmuls.poplar_options", R"({"availableMemoryProportion":"0.05"})", nullptr);
    }

private slots:
    void initTestCase()
    {
        initResources();
        m_project = m_folder.filePath(QStringLiteral("p.tilewright"));
        QVERIFY(store::writeProject(m_project.toStdString(), {project::projectParts(project())}).ok());
    }

    void everyLocaleCompilesTheSame_data()
    {
        QTest::addColumn<QString>("name");
        for (auto const *name : {"de_DE", "tr_TR"}) QTest::newRow(name) << QString::fromLatin1(name);
    }
    void everyLocaleCompilesTheSame()
    {
        QFETCH(QString, name);
        QString const locale = makeLocale(name, m_locales);
        if (locale.isEmpty()) QSKIP("the definitions of locales are not installed");
        compiler::CompileRequest request;
        request.useCache = false;
        auto const plain = compiler::compile(project(), request, {});
        QVERIFY(plain.ok());
        ProcessLocale const here(locale, m_locales);
        QVERIFY(here.isSet());
        char text[20];
        std::snprintf(text, sizeof text, "%.1f", 0.5);
        QCOMPARE(QByteArray(text), QByteArray("0,5")); // the locale is in force
        auto const same = compiler::compile(project(), request, {});
        QVERIFY(same.ok());
        QCOMPARE(same->entry()->cyclesPerStep(), plain->entry()->cyclesPerStep());
        QCOMPARE(same->executable->memory.ipus[0].worstBytes, plain->executable->memory.ipus[0].worstBytes);
        // And the proportion counts: without it the plan is another.
        auto const other =
            compiler::compile(*project::withField(project(), "ipu_config.matmuls.poplar_options", "{}", nullptr), request, {});
        QVERIFY(other.ok());
        QVERIFY(other->executable->memory.ipus[0].worstBytes != plain->executable->memory.ipus[0].worstBytes);
        // What is written is read back everywhere.
        QCOMPARE(project::projectParts(project()),
                 project::projectParts(*project::projectFromParts(project::projectParts(project()), nullptr)));
        QCOMPARE(fixedText(1.5, 2), std::string("1.50"));
        QCOMPARE(tilewright::bytesText(1536), std::string("1.5 KiB"));
    }

    void theWindowPlansTheSameInEveryLocale_data() { everyLocaleCompilesTheSame_data(); }
    void theWindowPlansTheSameInEveryLocale()
    {
        QFETCH(QString, name);
        QString const locale = makeLocale(name, m_locales);
        if (locale.isEmpty()) QSKIP("the definitions of locales are not installed");
        auto const worst = [&] {
            app::MainWindow window(true);
            window.openFiles({m_project});
            auto &document = window.session().document();
            if (!QTest::qWaitFor([&] { return document.isOpen(); }, 20'000)) return Bytes(-1);
            compiler::CompileRequest request;
            request.useCache = false;
            auto const compiled = compiler::compile(document.project(), request, {});
            return compiled.ok() ? compiled->executable->memory.ipus[0].worstBytes : Bytes(-2);
        };
        Bytes const plain = worst();
        QVERIFY(plain > 0);
        ProcessLocale const here(locale, m_locales);
        QVERIFY(here.isSet());
        QCOMPARE(worst(), plain);
    }

    void renderDrawsTheSameInEveryLocale_data()
    {
        everyLocaleCompilesTheSame_data();
        QTest::newRow("fa_IR") << QStringLiteral("fa_IR"); // a decimal mark of two bytes
    }
    void renderDrawsTheSameInEveryLocale()
    {
        QFETCH(QString, name);
        QString const locale = makeLocale(name, m_locales);
        if (locale.isEmpty()) QSKIP("the definitions of locales are not installed");
        auto const drawn = [&](QString const &lcAll, QString const &out) {
            auto environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QStringLiteral("LC_ALL"), lcAll);
            environment.insert(QStringLiteral("LOCPATH"), m_locales.path());
            // A cache of its own: a plan of another locale must not be found there.
            environment.insert(QStringLiteral("XDG_CACHE_HOME"), m_folder.filePath(QStringLiteral("cache-") + lcAll));
            QProcess process;
            process.setProcessEnvironment(environment);
            process.start(
                QStringLiteral(TILEWRIGHT_GUI_PROGRAM),
                {QStringLiteral("render"), m_project, QStringLiteral("--view"), QStringLiteral("canvas"), QStringLiteral("--out"), out});
            process.waitForFinished(120'000);
            return process.exitCode() == 0 ? contentOf(out) : process.readAllStandardError();
        };
        QByteArray const plain = drawn(QStringLiteral("C"), m_folder.filePath(QStringLiteral("plain.svg")));
        QVERIFY2(plain.contains("<svg"), plain.left(2000).constData());
        QCOMPARE(drawn(locale, m_folder.filePath(name + QStringLiteral(".svg"))), plain);
    }
};

TW_REGISTER_TEST(TstLocales);
#include "tst_locales.moc"
