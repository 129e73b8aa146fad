#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include "engine/core/files.h"
#include "engine/model/templates.h"

#include <fstream>
#include <sstream>

using namespace tilewright;
using namespace tilewright::tests;

/// Text dumps of the compiler's results for the tutorial's model. TILEWRIGHT_UPDATE_GOLDEN=1 rewrites them; review the difference like
/// code.
class TstGolden : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static std::string read(std::filesystem::path const &path)
    {
        std::ifstream in(path, std::ios::binary);
        std::stringstream text;
        text << in.rdbuf();
        return text.str();
    }
    /// The first line that differs, for the message.
    static QString firstDifference(std::string const &a, std::string const &b)
    {
        std::istringstream left(a), right(b);
        std::string x, y;
        for (int line = 1;; ++line) {
            bool const more = static_cast<bool>(std::getline(left, x)), other = static_cast<bool>(std::getline(right, y));
            if (!more && !other) return "nothing";
            if (more != other || x != y)
                return QString("line %1:\n  golden: %2\n  now:    %3")
                    .arg(line)
                    .arg(QString::fromStdString(other ? y : "(end)"), QString::fromStdString(more ? x : "(end)"));
        }
    }
    void compare(std::string const &name, std::string const &text) const
    {
        std::filesystem::path const path = std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "tests/golden" / name;
        if (qEnvironmentVariableIntValue("TILEWRIGHT_UPDATE_GOLDEN") == 1) {
            QVERIFY(writeFileAtomically(path, text).ok());
            qInfo("wrote %s", path.c_str());
            return;
        }
        QVERIFY2(std::filesystem::exists(path), path.c_str());
        auto const golden = read(path);
        QVERIFY2(text == golden, qPrintable(QString::fromStdString(name) + ": " + firstDifference(text, golden)));
    }
    compiler::CompileOutcome compiled(project::Project const &p) const
    {
        auto request = requestIn(m_folder).compile;
        request.useCache = false;
        return compiler::compile(p, request, {}).value();
    }

    /// The program's text without the plans, whose costs change with each change of the planner.
    static std::string withoutPlans(program::Program program)
    {
        for (auto &op : program.ops) op.plan.clear();
        return program::print(program);
    }
    static project::Project small(char const *name, Fields const &fields)
    {
        auto p = project::fromTemplate(name).value();
        for (auto const &[path, value] : fields) p = project::withField(p, path, value, nullptr).value();
        return p;
    }

private slots:
    void theGraphAfterAllPasses()
    {
        compare("mnist-mlp.graph.txt", graph::print(compiled(mnist("gc200:tiles=8")).executable->entry(0)->graph));
    }
    void theProgram() { compare("mnist-mlp.program.txt", withoutPlans(compiled(mnist("gc200:tiles=8")).executable->program)); }
    void thePipelinedProgram()
    {
        auto const p = mnist("gc200:tiles=8,ipus=2",
                             twoStages(smallModel({{"training.gradient_accumulation_steps", "4"}, {"training.steps_per_execution", "4"}})));
        compare("mnist-mlp.pipeline.txt", withoutPlans(compiled(p).executable->program));
    }
    void theProgramOfConvolutions()
    {
        auto const p = small("mnist-cnn", {{"system.target", "gc200:tiles=8"}, {"data.limit", "256"}, {"training.batch_size", "2"}});
        compare("mnist-cnn.program.txt", withoutPlans(compiled(p).executable->program));
    }
    void theProgramOfALoop()
    {
        auto const p = small("mnist-lstm", {{"system.target", "gc200:tiles=8"}, {"data.limit", "256"}, {"model.layers.lstm.units", "8"}});
        compare("mnist-lstm.program.txt", withoutPlans(compiled(p).executable->program));
    }
    /// One block of the two.
    void theProgramOfAttention()
    {
        auto p = small("transformer-sort", {{"system.target", "gc200:tiles=8"}, {"data.limit", "256"}, {"training.batch_size", "2"}});
        for (auto const *layer : {"attention", "attended", "attended_norm", "dense", "dense_out", "sum", "norm"})
            QVERIFY(model::removeLayer(p.model, std::string("block2_") + layer).ok());
        p.model.find("sorted")->calls.front().inputs = {{.layer = "block1_norm"}};
        compare("transformer-sort.program.txt", withoutPlans(compiled(p).executable->program));
    }
    /// 28 steps and one copy of the cell per direction: a loop whose body contains the product with the recurrent kernel.
    void theProgramOfALoopHoldsItsBodyOnce()
    {
        auto p = project::fromTemplate("mnist-lstm").value();
        for (auto const &[path, value] :
             Fields{{"system.target", "gc200:tiles=16"}, {"data.limit", "256"}, {"model.layers.lstm.units", "8"}})
            p = project::withField(p, path, value, nullptr).value();
        auto const outcome = compiled(p);
        auto const &program = outcome.executable->program;
        std::vector<std::string> loops;
        int products = 0, all = 0;
        auto const walk = [&](auto &&self, program::StepId id, int loop) -> void {
            auto const &step = program.step(id);
            if (step.kind == program::StepKind::Repeat && step.count == 28) loops.push_back(step.name), ++loop;
            bool const product = step.kind == program::StepKind::Execute && step.name.find("/Convolve") != std::string::npos
                && step.name.starts_with("lstm/");
            products += product && loop > 0;
            all += product;
            for (auto child : step.children) self(self, child, loop);
        };
        walk(walk, program.main, 0);
        QCOMPARE(loops, (std::vector<std::string>{"lstm/steps", "lstm/steps/gradient"}));
        QCOMPARE(products, 2);
        QCOMPARE(all, 5); // and outside: the inputs of all steps, and the gradients of both kernels
        auto const text = program::print(program);
        QCOMPARE(QString::fromStdString(text).count("repeat \"lstm/steps"), 2);
        QCOMPARE(QString::fromStdString(text).count(" x28 of lstm/steps"), 2);
    }
    void theGraphReadsBack()
    {
        auto const text = read(std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "tests/golden/mnist-mlp.graph.txt");
        auto const graph = graph::parse(text);
        QVERIFY2(graph.ok(), graph.ok() ? "" : toText(graph.error()).c_str());
        QCOMPARE(graph::print(*graph), text);
    }
    void theProgramsReadBack()
    {
        for (auto const *name : {"mnist-mlp.program.txt", "mnist-mlp.pipeline.txt", "mnist-cnn.program.txt", "mnist-lstm.program.txt",
                                 "transformer-sort.program.txt"}) {
            auto const text = read(std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "tests/golden" / name);
            auto const program = program::parse(text);
            QVERIFY2(program.ok(), program.ok() ? "" : toText(program.error()).c_str());
            QVERIFY(program::verify(*program).ok());
            QCOMPARE(program::print(*program), text);
        }
    }
    /// Lowered programs of the built-in models read back equal, including numbers.
    void programsOfAllTemplatesReadBack_data()
    {
        QTest::addColumn<QString>("name");
        for (auto const &one : model::modelTemplates())
            if (one.name != model::kEmptyTemplate) QTest::newRow(one.name.c_str()) << QString::fromStdString(one.name);
    }
    void programsOfAllTemplatesReadBack()
    {
        QFETCH(QString, name);
        auto p = project::fromTemplate(name.toStdString()).value();
        p = project::withField(p, "data.limit", "256", nullptr).value();
        auto const program = compiled(p).executable->program;
        auto const text = program::print(program);
        auto const back = program::parse(text);
        QVERIFY2(back.ok(), back.ok() ? "" : toText(back.error()).c_str());
        QVERIFY(*back == program);
        QVERIFY(program::print(*back) == text);
    }
    void twoCompilesGiveTheSameBytes()
    {
        for (auto const *target : {"gc200:tiles=8", "gc200"})
            QVERIFY(executable::serialize(*compiled(mnist(target)).executable)
                    == executable::serialize(*compiled(mnist(target)).executable));
    }
};

TW_REGISTER_TEST(TstGolden);
#include "tst_golden.moc"
