#include "engine/project/project.h"
#include "engine/runtime/session.h"
#include "engine/store/project_file.h"
#include "tests/packaging/tool.h"
#include "tests/support/test_registry.h"

#include <QMimeDatabase>
#include <QSettings>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

using namespace tilewright;

namespace {

QString const kId = QStringLiteral("io.github.tilewright.Tilewright");
QString folder() { return QStringLiteral(TILEWRIGHT_SOURCE_DIR "/packaging/desktop/"); }

QString textOf(QString const &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class TstDesktopFiles : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void theDesktopEntryIsValid();
    void theDesktopEntryFitsTheProgram();
    void theMetainfoIsValidAndNamesTheSameThings();
    void filesAreKnownByTheirContent();
    void everyPictureIsThere();

private:
    QTemporaryDir m_folder;
    project::Project m_project;
};

void TstDesktopFiles::initTestCase()
{
    QVERIFY(m_folder.isValid());
    auto project = project::fromTemplate("mnist-mlp");
    QVERIFY(project.ok());
    m_project = std::move(*project);
}

void TstDesktopFiles::theDesktopEntryIsValid()
{
    auto const result = tests::runTool("desktop-file-validate", {folder() + kId + ".desktop"});
    if (!result.installed) QSKIP("desktop-file-validate is not installed");
    QVERIFY2(result.code == 0 && result.output.isEmpty(), qPrintable(result.output));
}

void TstDesktopFiles::theDesktopEntryFitsTheProgram()
{
    auto const entry = textOf(folder() + kId + ".desktop");
    QVERIFY(!entry.isEmpty());
    QVERIFY(entry.contains("\nStartupWMClass=" + kId + "\n") && entry.contains("\nIcon=" + kId + "\n"));
    auto const program = textOf(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/app/gui/main.cpp"));
    if (program.isEmpty()) QSKIP("the workbench is not part of this tree");
    QVERIFY2(program.contains("\"" + kId + "\""), "the program does not call itself by its desktop id");
    static QRegularExpression const option("Exec=.*?(--[a-z-]+)");
    auto matches = option.globalMatch(entry);
    int options = 0;
    for (; matches.hasNext(); ++options) {
        auto const name = matches.next().captured(1);
        QVERIFY2(program.contains("\"" + name + "\""), qPrintable("an action uses " + name + ", which the program does not know"));
    }
    QCOMPARE(options, 2);
}

void TstDesktopFiles::theMetainfoIsValidAndNamesTheSameThings()
{
    auto const path = folder() + kId + ".metainfo.xml";
    QXmlStreamReader xml(textOf(path));
    QHash<QString, QStringList> values;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement
            && QStringList{"id", "launchable", "mediatype", "binary"}.contains(xml.name().toString())) {
            auto const name = xml.name().toString();
            values[name].append(xml.readElementText());
        }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QCOMPARE(values["id"], QStringList{kId});
    QCOMPARE(values["launchable"], QStringList{kId + ".desktop"});
    auto const entry = textOf(folder() + kId + ".desktop"), mime = textOf(folder() + kId + "-mime.xml");
    QCOMPARE(values["mediatype"].size(), 2);
    for (auto const &type : values["mediatype"]) {
        QVERIFY2(entry.contains(type + ";"), qPrintable(type));
        QVERIFY2(mime.contains("type=\"" + type + "\""), qPrintable(type));
    }
    auto const result = tests::runTool("appstreamcli", {"validate", "--no-net", "--no-color", path});
    if (!result.installed) QSKIP("appstreamcli is not installed");
    QVERIFY2(result.ok(), qPrintable(result.output));
}

void TstDesktopFiles::filesAreKnownByTheirContent()
{
    // As a desktop does after installation: our types and those of the system in one folder.
    auto const data = m_folder.filePath("share");
    auto const system = QStandardPaths::locate(QStandardPaths::GenericDataLocation, "mime/packages/freedesktop.org.xml");
    if (system.isEmpty()) QSKIP("shared-mime-info is not installed");
    QVERIFY(QDir().mkpath(data + "/mime/packages"));
    static QRegularExpression const sqlite("<mime-type type=\"application/vnd.sqlite3\">.*?</mime-type>",
                                           QRegularExpression::DotMatchesEverythingOption);
    auto const known = sqlite.match(textOf(system)).captured();
    QVERIFY2(!known.isEmpty(), "the system does not know SQLite files");
    QFile others(data + "/mime/packages/freedesktop.org.xml"); // only types similar to ours, because all of them take seconds
    QVERIFY(others.open(QIODevice::WriteOnly));
    others.write("<?xml version=\"1.0\"?><mime-info xmlns=\"http://www.freedesktop.org/standards/shared-mime-info\">" + known.toUtf8()
                 + "</mime-info>");
    others.close();
    QVERIFY(QFile::copy(folder() + kId + "-mime.xml", data + "/mime/packages/" + kId + ".xml"));
    qputenv("XDG_DATA_HOME", data.toUtf8());
    qputenv("XDG_DATA_DIRS", data.toUtf8());
    auto const update = tests::runTool("update-mime-database", {data + "/mime"});
    if (!update.installed) QSKIP("update-mime-database is not installed");
    QVERIFY2(update.ok(), qPrintable(update.output));

    auto const project = std::filesystem::path(m_folder.filePath("project").toStdString()),
               report = std::filesystem::path(m_folder.filePath("report").toStdString());
    auto const written = store::writeProjectFile(project, {project::projectParts(m_project)});
    QVERIFY2(written.ok(), written.ok() ? "" : written.error().message.c_str());
    runtime::RunRequest request;
    request.steps = 1;
    request.report = report;
    request.compile.useCache = false;
    QVERIFY(runtime::train(m_project, request, {}, {}).ok());

    QMimeDatabase types;
    auto const typeOf = [&](std::filesystem::path const &path) {
        return types.mimeTypeForFile(QString::fromStdString(path.string()), QMimeDatabase::MatchContent);
    };
    QCOMPARE(typeOf(project).name(), QString("application/x-tilewright-project"));
    QCOMPARE(typeOf(report).name(), QString("application/x-tilewright-report"));
    QVERIFY(typeOf(report).inherits("application/vnd.sqlite3"));
    QCOMPARE(types.mimeTypeForFile("x.tilewright", QMimeDatabase::MatchExtension).name(), QString("application/x-tilewright-project"));
    QCOMPARE(types.mimeTypeForFile("x.twreport", QMimeDatabase::MatchExtension).name(), QString("application/x-tilewright-report"));

    QFile other(m_folder.filePath("other")); // another program's database
    QVERIFY(other.open(QIODevice::WriteOnly));
    QByteArray bytes("SQLite format 3");
    bytes.resize(4096);
    std::fill(bytes.begin() + 15, bytes.end(), '\0');
    other.write(bytes);
    other.close();
    QVERIFY(!typeOf(other.fileName().toStdString()).name().contains("tilewright"));
}

void TstDesktopFiles::everyPictureIsThere()
{
    auto const mime = textOf(folder() + kId + "-mime.xml");
    for (auto const *kind : {"project", "report"}) {
        QVERIFY(mime.contains(QStringLiteral("application-x-tilewright-%1").arg(QLatin1String(kind))));
        QVERIFY(QFile::exists(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/resources/app/tilewright-%1.svg").arg(QLatin1String(kind))));
    }
    QVERIFY(QFile::exists(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/resources/app/tilewright.svg")));
}

TW_REGISTER_TEST(TstDesktopFiles);
#include "tst_desktop_files.moc"
