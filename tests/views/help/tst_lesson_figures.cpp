#include "engine/project/project.h"
#include "engine/runtime/session.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "views/help/help_library.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

/// The figures that lessons tell people to expect are those that the compiler and the trainer give.
/// Whether the text names the value to three decimals, give or take 0.002: bits differ between kinds of processor.
static bool says(QString const &text, double value)
{
    for (int step = -2; step <= 2; ++step)
        if (text.contains(QString::number(value + step * 0.001, 'f', 3))) return true;
    return false;
}

class TstLessonFigures : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void theFirstLessonTellsTheTemplatesFigures();
    void theMemoryLessonTellsTheTemplatesBytes();
    void theLargerBatchBringsWhatTheLessonSays();
    void theFirstEpochEndsAsTheLessonSays();

private:
    struct Figures {
        double cycles = 0, samplesPerSecond = 0, micros = 0;
        int worstTile = -1;
        std::vector<Bytes> bytes;
    };
    Figures compile(std::string const &batch);
    void expect(QString const &lesson, double figure);

    QTemporaryDir m_folder;
    HelpLibrary m_english, m_german;
    project::Project m_project;
};

void TstLessonFigures::initTestCase()
{
    QVERIFY(m_folder.isValid());
    initResources();
    m_english = HelpLibrary::load("en");
    m_german = HelpLibrary::load("de");
    auto project = project::fromTemplate("mnist-mlp");
    QVERIFY(project.ok());
    m_project = std::move(*project);
}

TstLessonFigures::Figures TstLessonFigures::compile(std::string const &batch)
{
    auto const project = project::withField(m_project, "training.batch_size", batch, nullptr);
    if (!project.ok()) return {};
    compiler::CompileRequest request;
    request.useCache = false;
    auto const made = compiler::compile(*project, request, {});
    if (!made.ok() || made->executable->memory.ipus.size() != 1) return {};
    auto const &memory = made->executable->memory.ipus.front();
    return {made->entry()->cyclesPerStep(),
            made->samplesPerSecond(),
            made->emulatedSecondsPerStep() * 1e6,
            memory.worstTile,
            {memory.maxWithoutGaps, memory.worstBytes, memory.totalWithoutGaps, made->machine.chip.bytesPerTile}};
}

/// Both languages have the figure, with their own marks between groups.
void TstLessonFigures::expect(QString const &lesson, double figure)
{
    auto const whole = qRound64(figure);
    auto const english = QLocale(QLocale::English).toString(whole), german = QLocale(QLocale::German).toString(whole);
    QVERIFY2(m_english.find(lesson)->markdown.contains(english), qPrintable(lesson + " (en) does not say " + english));
    QVERIFY2(m_german.find(lesson)->markdown.contains(german), qPrintable(lesson + " (de) does not say " + german));
}

void TstLessonFigures::theFirstLessonTellsTheTemplatesFigures()
{
    auto const figures = compile("32");
    QVERIFY(figures.cycles > 0);
    expect("lesson:mnist", figures.cycles);
    expect("lesson:mnist", figures.samplesPerSecond);
    auto const micros = QString::number(figures.micros, 'f', 1);
    QVERIFY2(m_english.find("lesson:mnist")->markdown.contains(micros + " µs"), qPrintable(micros));
    expect("lesson:slowest-tile", figures.cycles);
}

void TstLessonFigures::theMemoryLessonTellsTheTemplatesBytes()
{
    auto const figures = compile("32");
    QCOMPARE(figures.bytes.size(), std::size_t(4));
    for (auto const bytes : figures.bytes) expect("lesson:memory", static_cast<double>(bytes));
    QCOMPARE(figures.worstTile, 736); // the lesson selects tile 736
}

void TstLessonFigures::theLargerBatchBringsWhatTheLessonSays()
{
    auto const figures = compile("128");
    QVERIFY(figures.cycles > 0);
    expect("lesson:slowest-tile", figures.cycles);
    expect("lesson:slowest-tile", figures.samplesPerSecond);
}

void TstLessonFigures::theFirstEpochEndsAsTheLessonSays()
{
    runtime::RunRequest request;
    request.epochs = 1;
    request.compile.useCache = false;
    auto const trained = runtime::train(m_project, request, {}, {});
    QVERIFY2(trained.ok(), trained.ok() ? "" : trained.error().message.c_str());
    QCOMPARE(trained->epochs.size(), std::size_t(1));
    auto const &epoch = trained->epochs.front();
    auto const &text = m_english.find("lesson:mnist")->markdown;
    QVERIFY2(says(text, epoch.loss), qPrintable(QString::number(epoch.loss)));
    QVERIFY2(says(text, epoch.metrics.front().second), qPrintable(QString::number(epoch.metrics.front().second)));
    expect("lesson:mnist", static_cast<double>(epoch.steps));
}

TW_REGISTER_TEST(TstLessonFigures);
#include "tst_lesson_figures.moc"
