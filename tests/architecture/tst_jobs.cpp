#include "tests/support/test_registry.h"

#include <QRegularExpression>
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <sstream>

/// Work on other threads captures values and shared pointers, never a view, which can be deleted meanwhile.
class TstJobs : public QObject {
    Q_OBJECT

    /// Captures of job lambdas that can reach a view.
    static std::vector<std::string> daring(std::string const &text, int *seen)
    {
        static QRegularExpression const work(QStringLiteral(R"(\[([^\]]*)\]\s*\(JobContext const\s*&)"));
        static QRegularExpression const reaches(QStringLiteral(R"((^|[^A-Za-z_])this([^A-Za-z_]|$)|^\s*[=&]\s*(,|$))"));
        std::vector<std::string> found;
        for (auto it = work.globalMatch(QString::fromStdString(text)); it.hasNext();) {
            ++*seen;
            if (auto const captures = it.next().captured(1); reaches.match(captures).hasMatch()) found.push_back(captures.toStdString());
        }
        return found;
    }

private slots:
    void jobsDoNotTouchViews()
    {
        int seen = 0;
        for (auto const &entry : std::filesystem::recursive_directory_iterator(TILEWRIGHT_SOURCE_DIR "/views")) {
            // The session waits for all jobs before it goes, and with it its document and its runs.
            auto const room = entry.path().parent_path().filename();
            if (entry.path().extension() != ".cpp" || room == "session" || room == "document" || room == "runcontrol") continue;
            std::ifstream file(entry.path());
            std::stringstream text;
            text << file.rdbuf();
            for (auto const &captures : daring(text.str(), &seen)) QFAIL((entry.path().string() + ": [" + captures + "]").c_str());
        }
        QVERIFY(seen > 10); // else the pattern fits no more
    }
    void capturesOfViewsAreDetected()
    {
        int seen = 0;
        QCOMPARE(daring("compute<int>(this, [report, this](JobContext const &job) { return 1; }", &seen).size(), std::size_t(1));
        QCOMPARE(daring("run([=](JobContext const &) {}", &seen).size(), std::size_t(1));
        QCOMPARE(daring("run([self = QPointer(this)](JobContext const &) {}", &seen).size(), std::size_t(1));
        QCOMPARE(daring("run([report, thisTile](JobContext const &) {}", &seen).size(), std::size_t(0));
        QCOMPARE(seen, 4);
    }
};

TW_REGISTER_TEST(TstJobs);
#include "tst_jobs.moc"
