#include "tests/support/test_registry.h"
#include "views/document/document.h"
#include "views/session/file_kind.h"
#include "views/session/session.h"

#include "engine/core/parallel.h"
#include "engine/data/zip.h"
#include "engine/runtime/checkpoint_file.h"
#include "views/runcontrol/run_controller.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

using namespace tilewright;
using namespace tilewright::views;

/// What a file is, whatever it is called, and what opening it does to the project on show.
class TstFileKind : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    QString write(QString const &name, QByteArray const &content) const
    {
        QString const path = m_folder.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("%s", qPrintable(path));
        return path;
    }
    QString archive(QString const &name, std::vector<std::string> const &entries) const
    {
        std::string const content = "content";
        std::span<std::byte const> const bytes = std::as_bytes(std::span(content));
        std::vector<data::ZipInput> files;
        for (auto const &entry : entries) files.push_back({entry, {bytes}});
        QString const path = m_folder.filePath(name);
        if (!data::writeZip(path.toStdString(), files, {}, {}).ok()) qFatal("%s", qPrintable(path));
        return path;
    }
    QString project(QString const &name) const
    {
        Session session;
        if (!session.document().openTemplate(QStringLiteral("mnist-mlp")).ok()) qFatal("no template");
        QString const path = m_folder.filePath(QStringLiteral("made.tilewright")), wanted = m_folder.filePath(name);
        if (!session.document().save(path).ok()) qFatal("not saved");
        if (path != wanted && !QFile::rename(path, wanted)) qFatal("not renamed");
        return wanted;
    }

private slots:
    void contentDecides_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("says"); // format of data, code of the others
        auto const row = [](char const *name, QString const &path, FileKind kind, char const *says = "") {
            QTest::newRow(name) << path << static_cast<int>(kind) << QString::fromLatin1(says);
        };
        row("project called .bak", project(QStringLiteral("X.tilewright.bak")), FileKind::Project);
        row("project in capitals", project(QStringLiteral("Y.TILEWRIGHT")), FileKind::Project);
        row("project without suffix", project(QStringLiteral("plain")), FileKind::Project);
        row("twin called .txt", write(QStringLiteral("twin.txt"), "\xEF\xBB\xBF  {\"format\":\"tilewright-project\"}"), FileKind::Json);
        row("damaged report", write(QStringLiteral("bad.twreport"), QByteArray(500, 'x')), FileKind::Report);
        row("archive of arrays", archive(QStringLiteral("digits.dat"), {"x_train.npy", "y_train.npy"}), FileKind::Data, "npz");
        row("array", write(QStringLiteral("x.bin"), QByteArray("\x93NUMPY\x01\x00v", 9)), FileKind::Data, "npy");
        row("idx", write(QStringLiteral("images"), QByteArray("\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01", 12)), FileKind::Data,
            "idx");
        row("table", write(QStringLiteral("iris.txt"), "a,b,species\n5.1,3.5,setosa\n4.9,3.0,setosa\n"), FileKind::Data, "csv");
        row("weights", archive(QStringLiteral("w.npz"), {"epoch.npy", "step.npy", "dense|kernel.npy"}), FileKind::Other, "open.weights");
        row("keras", archive(QStringLiteral("m.npz"), {"config.json", "metadata.json", "model.weights.h5"}), FileKind::Model);
        row("zip", archive(QStringLiteral("a.npz"), {"readme.md"}), FileKind::Other, "open.archive");
        row("png", write(QStringLiteral("p.csv"), QByteArray("\x89PNG\r\n\x1A\n\x00\x00\x00\x0D", 12)), FileKind::Other, "open.picture");
        row("hdf5", write(QStringLiteral("m.json"), QByteArray("\x89HDF\r\n\x1A\n\x00", 9)), FileKind::Model);
        row("onnx", write(QStringLiteral("m.onnx"), QByteArray("\x08\x07\x12\x07pytorch\x1A\x05", 13)), FileKind::Model);
        row("onnx by another name", write(QStringLiteral("m2"), QByteArray("\x08\x07\x12\x07pytorch\x1A\x05", 13)), FileKind::Model);
        row("frozen graph", write(QStringLiteral("m.pb"), QByteArray("\x0A\x05graph", 7)), FileKind::Other, "open.not-yet");
        row("python", write(QStringLiteral("m.py"), "import keras\nmodel = keras.Sequential()\n"), FileKind::Other, "open.python");
        row("text", write(QStringLiteral("notes.txt"), "Remember to train\nagain tomorrow.\n"), FileKind::Other, "open.text");
        row("gzip", write(QStringLiteral("x.gz"), QByteArray("\x1F\x8B\x08\x00garbage", 11)), FileKind::Other, "open.packed");
        row("empty", write(QStringLiteral("empty.csv"), {}), FileKind::Other, "open.empty");
        row("other", write(QStringLiteral("x.pdf"), "%PDF-1.4\n"), FileKind::Other, "open.unknown");
        row("missing", m_folder.filePath(QStringLiteral("missing.npz")), FileKind::Other, "open.missing");
        row("folder", m_folder.path(), FileKind::Other, "open.folder");
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("set")));
        write(QStringLiteral("set/x_train.npy"), "\x93NUMPY");
        row("data folder", m_folder.filePath(QStringLiteral("set")), FileKind::Data, "npy");
        QString const pipe = m_folder.filePath(QStringLiteral("pipe.tilewright"));
        QCOMPARE(::mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
        row("pipe", pipe, FileKind::Other, "open.special"); // reading it would never end
    }
    void contentDecides()
    {
        QFETCH(QString, path);
        QFETCH(int, kind);
        QFETCH(QString, says);
        auto const facts = fileFacts(path);
        QCOMPARE(static_cast<int>(facts.kind), kind);
        QCOMPARE(facts.why ? QString::fromStdString(facts.why->code) : facts.dataFormat, says);
        if (facts.why) QVERIFY(!facts.why->message.empty() && !facts.why->remedy.empty());
    }
    void nothingThatIsOpenedChangesTheProject()
    {
        Session session;
        auto &document = session.document();
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        auto const before = project::projectParts(document.project());
        QSignalSpy errors(&session, &Session::errorRaised), data(&session, &Session::dataFound);
        int told = 0;
        for (auto const &path :
             {write(QStringLiteral("photo.png"), QByteArray("\x89PNG\r\n\x1A\n\x00", 9)),
              write(QStringLiteral("notes.md"), "words and words\n"), write(QStringLiteral("train.py"), "import keras\n"),
              write(QStringLiteral("model.onnx"), QByteArray("\x08\x07\x12\x07pytorch\x1A\x05", 13))}) {
            bool done = false;
            session.openPath(path, [&] { done = true; });
            QTRY_VERIFY(done);
            QCOMPARE(errors.count(), ++told);
        }
        QString const samples = archive(QStringLiteral("samples.npz"), {"x_train.npy", "y_train.npy"});
        session.openPath(samples);
        QTRY_COMPARE(data.count(), 1);
        QCOMPARE(errors.count(), told);
        QCOMPARE(project::projectParts(document.project()), before);
        QVERIFY(!document.undoStack().canUndo());
        // A person's word makes it the data, as one step.
        QVERIFY(session.useAsData(samples, QStringLiteral("npz")).ok());
        QCOMPARE(document.field(QStringLiteral("data.path")), samples);
        document.undoStack().undo();
        QCOMPARE(project::projectParts(document.project()), before);
        // A name that does not tell the format.
        QVERIFY(session.useAsData(m_folder.filePath(QStringLiteral("samples.dat")), QStringLiteral("npz")).ok());
        QCOMPARE(document.field(QStringLiteral("data.format")), QStringLiteral("npz"));
        document.discardRecovery({});
    }
    void aModelFileBringsItsWeights()
    {
        Session session;
        auto &document = session.document();
        bool done = false;
        session.openPath(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/tests/corpus/interop/tf_keras.h5"), [&] { done = true; });
        QTRY_VERIFY(done);
        QVERIFY(document.isOpen());
        QCOMPARE(document.title(), QStringLiteral("tf_keras"));
        QVERIFY(document.path().isEmpty()); // the file of the other program is never written
        auto const weights = session.runs().trained();
        QVERIFY(weights && weights->find("out/kernel"));
        QTRY_VERIFY(session.runs().canContinue());
        // A project that is saved has them in its file.
        QString const path = m_folder.filePath(QStringLiteral("imported.tilewright"));
        bool saved = false;
        document.save(path, [&](Status const &status) { saved = status.ok(); });
        QTRY_VERIFY(saved);
        QTRY_VERIFY(runtime::lastHeldWeights(path.toStdString()).has_value());
        auto const kept = runtime::lastCheckpoint(path.toStdString());
        QVERIFY(kept.ok() && *kept);
        QVERIFY((*kept)->tensors == weights->tensors);
        // A damaged one leaves the project on show alone.
        QSignalSpy errors(&session, &Session::errorRaised);
        done = false;
        session.openPath(write(QStringLiteral("bad.h5"), QByteArray("\x89HDF\r\n\x1A\n\x00", 9)), [&] { done = true; });
        QTRY_VERIFY(done);
        QCOMPARE(errors.count(), 1);
        QCOMPARE(document.path(), path);
    }
    void theGateIsAskedOnceANewProjectIsRead()
    {
        QString const path = project(QStringLiteral("other.bin"));
        QString const damaged = write(QStringLiteral("damaged.tilewright"), "SQLite format 3 and no more");
        Session session;
        auto &document = session.document();
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        auto const opening = document.opening();
        int asked = 0;
        bool answer = false, done = false;
        session.setReplaceGate([&] {
            ++asked;
            return answer;
        });
        auto const open = [&](QString const &file) {
            done = false;
            session.openPath(file, [&] { done = true; });
            QTRY_VERIFY(done);
        };
        open(damaged); // nobody is asked for what cannot be opened
        QCOMPARE(asked, 0);
        open(path);
        QCOMPARE(asked, 1);
        QCOMPARE(document.opening(), opening);
        answer = true;
        open(path);
        QCOMPARE(asked, 2);
        QCOMPARE(document.path(), path);
    }
};

TW_REGISTER_TEST(TstFileKind);
#include "tst_file_kind.moc"
