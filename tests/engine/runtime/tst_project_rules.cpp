#include "engine/compiler/project_rules.h"
#include "engine/core/random.h"
#include "engine/model/stage_cut.h"
#include "engine/model/stages.h"
#include "engine/model/templates.h"
#include "engine/runtime/proposals.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::runtime;
using namespace tilewright::tests;

namespace {

compiler::RuleInputs with(std::optional<std::int64_t> samples) { return {compiler::RunKind::Train, samples, {}}; }

std::vector<Diagnostic> errorsOf(project::Project const &project, std::optional<std::int64_t> samples)
{
    std::vector<Diagnostic> errors;
    for (auto const &problem : compiler::judge(project, with(samples)).problems)
        if (problem.severity == Severity::Error) errors.push_back(problem);
    return errors;
}

std::string textOf(std::vector<Diagnostic> const &errors)
{
    std::string text;
    for (auto const &error : errors) text += "[" + error.code + "] " + toText(error) + "\n";
    return text;
}

std::int64_t countOf(project::Project const &project)
{
    auto const counted = samplesOf(project, {}, {});
    if (!counted) qFatal("the data of a template cannot be counted");
    return *counted;
}

/// Picks one of a list by the stream.
template <typename T> T const &oneOf(std::vector<T> const &list, RandomStream &random)
{
    return list[static_cast<std::size_t>(random.uniform() * 0.999999 * static_cast<double>(list.size()))];
}

project::Project changed(project::Project const &project, std::string const &path, std::string const &value)
{
    auto next = project::withField(project, path, value, nullptr);
    return next.ok() ? std::move(next).value() : project;
}

/// A project whose batch, steps, stages, replicas, devices and target do not go together, mostly.
project::Project drawn(std::string const &name, RandomStream &random)
{
    auto p = project::fromTemplate(name).value();
    auto const set = [&](char const *path, std::vector<std::string> const &values) { p = changed(p, path, oneOf(values, random)); };
    set("system.target", {"gc200", "gc200:ipus=2", "gc200:ipus=4,tiles=64", "pod16", "pod4", "pod64", "bow:ipus=3", "pod16:ipus=6", "cpu"});
    set("training.batch_size", {"1", "7", "30", "32", "32", "64", "100", "1000", "70000"});
    set("training.gradient_accumulation_steps", {"1", "1", "2", "3", "4", "7", "16"});
    set("training.steps_per_execution", {"1", "1", "2", "5", "12", "100"});
    set("training.replicas", {"1", "1", "2", "4", "5", "16"});
    set("training.pipeline_schedule", {"grouped", "interleaved", "sequential"});
    set("training.placement", {"pipeline", "pipeline", "pipeline", "sharded"});
    set("training.device_mapping", {"null", "null", "null", "[0, 1]", "[0, 0, 1, 1]"});
    set("training.validation_split", {"0", "0", "0.1", "0.3"});
    set("data.limit", {"0", "0", "50000", "1000", "33"});
    set("ipu_config.auto_select_ipus", {"[]", "[]", "[]", "[1]", "[2]", "[3]", "[16]", "[2, 2]"});
    set("ipu_config.device_connection.type", {"ALWAYS", "ALWAYS", "PRE_COMPILE"});
    int const stages = oneOf<int>({0, 0, 2, 3, 4}, random);
    if (stages == 0) return p;
    auto const resolved = model::resolve(p.model);
    auto const cut = model::adviseStages(*resolved, model::multiplyAddCosts(*resolved), stages);
    if (cut.ok()) p.model = model::withStages(p.model, *cut).value();
    return p;
}

} // namespace

/// One set of rules judges a project; what is proposed against an error of them ends it and causes no other.
class TstProjectRules : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

private slots:
    void everyCureLeadsToAProjectWithoutThatErrorAndWithoutANewOne()
    {
        RandomStream random(20);
        int invalid = 0, cured = 0;
        for (int round = 0; round < 600; ++round) {
            auto const p = drawn(oneOf<std::string>({"mnist-mlp", "mnist-mlp", "mnist-cnn", "transformer-sort"}, random), random);
            auto const samples = countOf(p);
            auto const before = errorsOf(p, samples);
            invalid += !before.empty();
            for (auto const &error : before) {
                auto const found = cures(p, error, samples);
                for (auto const &cure : found) {
                    auto const next = withProposal(p, cure);
                    QVERIFY2(next.ok(), toText(cure).c_str());
                    QVERIFY(*next != p);
                    auto const left = errorsOf(*next, countOf(*next));
                    auto const what = textOf(before) + "cured by " + toText(cure) + "\n" + textOf(left);
                    for (auto const &one : left) {
                        QVERIFY2(one.code != error.code || one.subject != error.subject, what.c_str());
                        QVERIFY2(std::ranges::find(before, one) != before.end(), what.c_str());
                    }
                    cured += left.empty();
                }
            }
        }
        QVERIFY2(invalid > 300 && cured > 300, (std::to_string(invalid) + " " + std::to_string(cured)).c_str());
    }
    void oneErrorOfPlanOrDataHasACure_data()
    {
        QTest::addColumn<QString>("fields");
        QTest::addColumn<QString>("code");
        QTest::newRow("batch") << "training.batch_size=64"
                               << "data.batch";
        QTest::newRow("execution") << "training.steps_per_execution=4"
                                   << "training.steps-per-execution";
        QTest::newRow("updates") << "training.gradient_accumulation_steps=4"
                                 << "training.steps-per-execution";
        QTest::newRow("odd updates") << "training.gradient_accumulation_steps=7"
                                     << "training.steps-per-execution";
        QTest::newRow("replicas") << "training.replicas=2"
                                  << "runtime.too-few-ipus";
        QTest::newRow("few batches") << "system.target=pod64;training.batch_size=1000"
                                     << "data.replicas";
        QTest::newRow("mapping") << "training.device_mapping=[0, 1]"
                                 << "training.device-mapping";
        QTest::newRow("two stages") << "stages=2"
                                    << "training.accumulation";
        QTest::newRow("four stages") << "stages=4"
                                     << "training.accumulation";
        QTest::newRow("three IPUs") << "system.target=gc200:ipus=3"
                                    << "target.device-size";
        QTest::newRow("pod of 64") << "system.target=pod16:ipus=64"
                                   << "target.option";
        QTest::newRow("no device") << "ipu_config.auto_select_ipus=2"
                                   << "device.count";
        QTest::newRow("three of four") << "system.target=pod4;ipu_config.auto_select_ipus=3"
                                       << "config.device-size";
        QTest::newRow("no version") << "ipu_config.device_connection.type=NEVER"
                                    << "config.conflict";
    }
    void oneErrorOfPlanOrDataHasACure()
    {
        QFETCH(QString, fields);
        QFETCH(QString, code);
        auto p = project::fromTemplate("mnist-mlp").value();
        for (auto const &field : fields.split(';')) {
            auto const at = field.indexOf('=');
            auto const path = field.left(at).toStdString(), value = field.mid(at + 1).toStdString();
            if (path == "stages") {
                auto const resolved = model::resolve(p.model).value();
                p.model =
                    model::withStages(p.model, *model::adviseStages(resolved, model::multiplyAddCosts(resolved), std::stoi(value))).value();
                p.target = "pod4";
            } else if (path == "system.target") {
                p.target = value; // a name that withField would refuse
            } else if (path.starts_with("ipu_config.")) {
                QVERIFY(p.config.setFromText(path.substr(11), value).ok()); // likewise
            } else {
                p = changed(p, path, value);
            }
        }
        auto const samples = countOf(p);
        auto const errors = errorsOf(p, samples);
        auto const error = std::ranges::find(errors, code.toStdString(), &Diagnostic::code);
        QVERIFY2(error != errors.end(), textOf(errors).c_str());
        auto const found = cures(p, *error, samples);
        QVERIFY(!found.empty());
        for (auto const &cure : found) {
            auto const next = withProposal(p, cure).value();
            QVERIFY2(errorsOf(next, countOf(next)).empty(), toText(cure).c_str());
        }
    }
    void proposedStagesComeWithAllThatTheyNeed_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("stages");
        for (auto const &one : model::modelTemplates())
            for (int stages = 2; stages <= 8; ++stages)
                QTest::newRow((one.name + " " + std::to_string(stages)).c_str()) << QString::fromStdString(one.name) << stages;
    }
    void proposedStagesComeWithAllThatTheyNeed()
    {
        QFETCH(QString, name);
        QFETCH(int, stages);
        auto const p = project::fromTemplate(name.toStdString()).value();
        auto const resolved = model::resolve(p.model);
        if (!resolved.ok()) return; // the empty project
        LayerCosts const costs{model::multiplyAddCosts(*resolved), {}};
        auto const wishes = inStages(p, stages, costs);
        if (wishes.empty()) { // fewer layers than stages
            QVERIFY(model::stagedCalls(*resolved).size() < static_cast<std::size_t>(stages));
            return;
        }
        auto const proposal = settled(p, wishes.front(), countOf(p));
        if (!proposal.ok() && proposal.error().code == "training.loop") return; // a loop that ends by its loss has no stages yet
        QVERIFY2(proposal.ok(), proposal.ok() ? "" : toText(proposal.error()).c_str());
        auto const next = withProposal(p, *proposal).value();
        QCOMPARE(textOf(errorsOf(next, countOf(next))), std::string());
        QCOMPARE(model::resolve(next.model)->stages(), stages);
        QCOMPARE(next.training.batchSize, p.training.batchSize); // samples are left out before the batch changes
        QVERIFY(next.data.limit == 0 || next.data.limit >= countOf(p) * 99 / 100);
    }
    void proposedStagesTrain_data()
    {
        QTest::addColumn<int>("stages");
        for (int stages : {2, 3, 4}) QTest::newRow(std::to_string(stages).c_str()) << stages;
    }
    void proposedStagesTrain()
    {
        QFETCH(int, stages);
        auto p = project::fromTemplate("mnist-mlp").value();
        for (auto const &[path, value] : smallModel({{"system.target", "gc200:tiles=16"}})) p = changed(p, path, value);
        LayerCosts const costs{model::multiplyAddCosts(*model::resolve(p.model)), {}};
        auto const proposal = settled(p, inStages(p, stages, costs).front(), countOf(p));
        QVERIFY(proposal.ok());
        auto request = requestIn(m_folder);
        request.steps = 1;
        auto const outcome = train(*withProposal(p, *proposal), request, {}, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QVERIFY(outcome->steps > 0 && !outcome->stopped);
    }
    void noCompileComesBeforeACheckThatNeedsNone_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("code");
        QTest::newRow("batch") << "training.batch_size"
                               << "100"
                               << "data.batch";
        QTest::newRow("execution") << "training.steps_per_execution"
                                   << "5"
                                   << "training.steps-per-execution";
        QTest::newRow("classes") << "model.layers.dense_2.units"
                                 << "5"
                                 << "data.labels.range";
        QTest::newRow("shape") << "model.layers.flatten_input.batch_input_shape"
                               << "[null, 14, 14]"
                               << "data.shape.model";
        QTest::newRow("IPUs") << "system.target"
                              << "gc200:ipus=3"
                              << "target.device-size";
    }
    void noCompileComesBeforeACheckThatNeedsNone()
    {
        QFETCH(QString, path);
        QFETCH(QString, value);
        QFETCH(QString, code);
        auto const p = mnist("gc200:tiles=8", smallModel({{path.toStdString(), value.toStdString()}}));
        auto request = requestIn(m_folder);
        bool compiled = false;
        request.compile.log = [&](config::LogComponent component, config::LogLevel, std::string const &) {
            compiled = compiled || component == config::LogComponent::Cache || component == config::LogComponent::Compiler;
        };
        auto const trained = train(p, request, {}, {});
        QVERIFY(!trained.ok() && !compiled);
        QCOMPARE(trained.error().code, code.toStdString());
        if (path == "training.batch_size" || path == "training.steps_per_execution") return; // updates are verified, not epochs
        auto const verified = verify(p, request, 1, {});
        QVERIFY(!verified.ok() && !compiled);
        QCOMPARE(verified.error().code, code.toStdString());
    }
    void everyErrorOfAPlanIsFoundAtOnce()
    {
        auto p = project::fromTemplate("mnist-mlp").value();
        p.training.gradientAccumulationSteps = 3;
        p.training.lossWeights = {1, 1};
        p.training.deviceMapping = {0, 1};
        std::vector<std::string> codes;
        for (auto const &error : errorsOf(p, 60000)) codes.push_back(error.code);
        QCOMPARE(codes, (std::vector<std::string>{"training.loss-weights", "training.device-mapping", "training.steps-per-execution"}));
    }
};

TW_REGISTER_TEST(TstProjectRules);
#include "tst_project_rules.moc"
