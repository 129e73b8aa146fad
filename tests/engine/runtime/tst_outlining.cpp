// Equal layers become one function that is called for each: the same numbers, less on a tile.
#include "engine/graph/control.h"
#include "engine/model/encoder.h"
#include "engine/report/quantities.h"
#include "engine/runtime/run_report.h"
#include "engine/store/report_reader.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <functional>
#include <map>
#include <set>

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

namespace {

/// Digits through `count` layers of `units` each; `between` can add a layer after each, given its number.
project::Project chain(int count, int units, std::string const &target, Fields const &fields = {},
                       std::function<model::Layer(int)> const &between = {})
{
    auto p = mnist(target, {{"training.batch_size", "16"}, {"training.optimizer", "sgd"}});
    p.model = {};
    p.model.name = "chain";
    p.model.layers.push_back(model::makeLayer("Flatten", "flatten", {{"batch_input_shape", {nullptr, 28, 28}}}));
    for (int i = 0; i < count; ++i) {
        p.model.layers.push_back(model::makeLayer("Dense", "dense_" + std::to_string(i), {{"units", units}, {"activation", "relu"}}));
        if (between) p.model.layers.push_back(between(i));
    }
    p.model.layers.push_back(model::makeLayer("Dense", "out", {{"units", 10}, {"activation", "softmax"}}));
    for (auto const &[path, value] : fields) p = project::withField(p, path, value, nullptr).value();
    return p;
}

/// Layers with random numbers or state between the others.
model::Layer dropping(int i) { return model::makeLayer("Dropout", "drop_" + std::to_string(i), {{"rate", 0.25}}); }
model::Layer droppingByOwnSeeds(int i)
{
    return model::makeLayer("Dropout", "drop_" + std::to_string(i), {{"rate", 0.25}, {"seed", 77 + 5 * i}});
}
model::Layer noisy(int i) { return model::makeLayer("GaussianNoise", "noise_" + std::to_string(i), {{"stddev", 0.1}}); }
model::Layer normalised(int i) { return model::makeLayer("BatchNormalization", "norm_" + std::to_string(i), {}); }

/// The rows of a digit through `count` recurrent layers.
project::Project recurrent(int count, std::string const &target)
{
    auto p = mnist(target, {{"training.batch_size", "8"}, {"training.optimizer", "sgd"}});
    p.model = {};
    p.model.name = "recurrent";
    for (int i = 0; i < count; ++i) {
        model::Json config{{"units", 24}, {"return_sequences", i + 1 < count}};
        if (i == 0) config["batch_input_shape"] = {nullptr, 28, 28};
        p.model.layers.push_back(model::makeLayer("LSTM", "lstm_" + std::to_string(i), config));
    }
    p.model.layers.push_back(model::makeLayer("Dense", "out", {{"units", 10}, {"activation", "softmax"}}));
    return p;
}

project::Project sorting(std::string const &target, std::string const &optimizer = "adam")
{
    auto p = project::fromTemplate("transformer-sort").value();
    for (auto const &[path, value] :
         Fields{{"system.target", target}, {"data.limit", "128"}, {"training.epochs", "1"}, {"training.optimizer", optimizer}})
        p = project::withField(p, path, value, nullptr).value();
    return p;
}

/// The rows of a digit through four encoder blocks on two IPUs.
project::Project encoders()
{
    auto p = mnist("gc200:tiles=64,ipus=2",
                   {{"training.batch_size", "4"},
                    {"training.optimizer", "sgd"},
                    {"training.gradient_accumulation_steps", "8"},
                    {"training.steps_per_execution", "8"}});
    p.model = {};
    p.model.name = "encoders";
    p.model.kind = model::ModelKind::Functional;
    model::appendLayer(p.model, model::makeInput("rows", {28, 28}), {});
    p.model.inputs.push_back({"rows", 0, 0});
    std::string x = "rows";
    for (int i = 0; i < 4; ++i)
        x = model::appendEncoderBlock(p.model, {.width = 28, .heads = 2, .inner = 56, .stage = i / 2}, "block" + std::to_string(i) + "_",
                                      x);
    for (auto layer : {model::makeLayer("GlobalAveragePooling1D", "mean"),
                       model::makeLayer("Dense", "classes", {{"units", 10}, {"activation", "softmax"}})}) {
        layer.stage = 1;
        auto const name = layer.name;
        model::appendLayer(p.model, std::move(layer), {x});
        x = name;
    }
    p.model.outputs.push_back({x, 0, 0});
    return p;
}

project::Project outlined(project::Project const &p, bool on)
{
    return project::withField(p, "ipu_config.optimizations.enable_graph_outlining", on ? "true" : "false", nullptr).value();
}

/// Calls of each body, by its name.
std::map<std::string, int> callsOf(graph::Graph const &g)
{
    std::map<std::string, int> calls;
    for (auto const &region : g.regions)
        for (auto id : region.nodes)
            if (g.node(id).op == "call") ++calls[g.region(g.node(id).regions[0]).label];
    return calls;
}

std::size_t stepsOf(program::Program const &p, program::StepKind kind)
{
    return static_cast<std::size_t>(std::ranges::count(p.steps, kind, &program::Step::kind));
}

} // namespace

class TstOutlining : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    compiler::CompileOutcome compiled(project::Project const &p) const
    {
        auto request = requestIn(m_folder).compile;
        request.useCache = false;
        auto outcome = compiler::compile(p, request, {});
        if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
        return std::move(outcome).value();
    }

    static project::Project named(QString const &model, bool tile)
    {
        // Adam divides a gradient by its own size: where that is next to nothing, its rounding is a whole step.
        if (model == "transformer") return sorting("gc200", tile ? "sgd" : "adam");
        if (model == "encoders") return encoders();
        if (model == "recurrent") return recurrent(5, "gc200:tiles=64");
        Fields fields;
        if (model == "chain with momentum") fields = {{"training.optimizer", "sgd"}, {"training.optimizer.momentum", "0.9"}};
        if (model == "accumulation") fields = {{"training.gradient_accumulation_steps", "2"}, {"training.steps_per_execution", "4"}};
        std::map<QString, model::Layer (*)(int)> const layers{
            {"dropout", dropping}, {"own seeds", droppingByOwnSeeds}, {"noise", noisy}, {"norms", normalised}};
        bool const pipeline = model.startsWith("pipeline");
        auto const it = layers.find(pipeline ? model.mid(model.indexOf(QLatin1String(" of ")) + 4) : model);
        auto const between = it == layers.end() ? nullptr : it->second;
        if (!pipeline) return chain(5, 64, "gc200:tiles=64", fields, between);
        auto cut = chain(8, 64, "gc200:tiles=64,ipus=2",
                         {{"training.gradient_accumulation_steps", "8"}, {"training.steps_per_execution", "8"}}, between);
        auto const half = cut.model.layers.size() / 2;
        for (std::size_t i = 0; i < cut.model.layers.size(); ++i) cut.model.layers[i].stage = i < half ? 0 : 1;
        return cut;
    }

private slots:
    void equalLayersAreOneFunction()
    {
        auto const p = chain(9, 256, "gc200");
        auto const on = compiled(outlined(p, true)), off = compiled(outlined(p, false));
        auto const calls = callsOf(on.entry()->graph);
        // The first layer reads digits; the gradient that the second returns to it differs from those of the others.
        QCOMPARE(calls.size(), std::size_t{2});
        for (auto const &[name, count] : calls)
            QVERIFY2(count == 8, qPrintable(QString::fromStdString(name) + " " + QString::number(count)));
        QVERIFY(callsOf(off.entry()->graph).empty());
        // One copy of their code.
        auto const sum = [](lowering::CodeBytes const &c) {
            Bytes bytes = 0;
            for (auto const *part : {&c.vertexState, &c.internalExchange, &c.control})
                for (Bytes const one : *part) bytes += one;
            return bytes;
        };
        auto const less = sum(on.executable->memory.code), more = sum(off.executable->memory.code);
        QVERIFY2(less * 4 < more * 3, qPrintable(QString("%1 instead of %2").arg(less).arg(more)));
        QVERIFY(on.executable->memory.ipus[0].totalWithoutGaps < off.executable->memory.ipus[0].totalWithoutGaps);
        QVERIFY(on.executable->program.computeSets.size() < off.executable->program.computeSets.size());
        // Weight matrices are copied in place: no call has them sent.
        auto const &program = on.executable->program;
        for (auto const &exchange : program.exchanges)
            if (exchange.name.find("/Arguments") != std::string::npos)
                for (auto const &t : exchange.transfers)
                    QVERIFY2(program.var(t.src).role != "weight" || program.var(t.src).shape.size() < 2, program.var(t.src).name.c_str());
    }
    /// Each call passes its random stream; forward and backward draw the same numbers.
    void layersWithRandomNumbersShareOneFunction_data()
    {
        QTest::addColumn<bool>("ownSeeds");
        QTest::newRow("numbered as they are met") << false;
        QTest::newRow("by seeds of their own") << true;
    }
    void layersWithRandomNumbersShareOneFunction()
    {
        QFETCH(bool, ownSeeds);
        auto const on = compiled(outlined(chain(9, 256, "gc200", {}, ownSeeds ? droppingByOwnSeeds : dropping), true));
        auto const &g = on.entry()->graph;
        auto const calls = callsOf(g);
        QCOMPARE(calls.size(), std::size_t{2});
        for (auto const &[name, count] : calls)
            QVERIFY2(count == 8, qPrintable(QString::fromStdString(name) + " " + QString::number(count)));
        std::map<std::string, std::vector<double>> given; // by body, the numbers in the order of the calls
        int dropouts = 0;
        for (auto const &region : g.regions)
            for (auto id : region.nodes) {
                auto const &node = g.node(id);
                if (node.op == "dropout") dropouts += node.inputs.size() == 3;
                if (node.op != "call") continue;
                auto const &last = g.node(g.value(node.inputs.back()).producer);
                QCOMPARE(last.op, std::string("constant"));
                given[g.region(node.regions[0]).label].push_back(last.attrs.real("value"));
            }
        QCOMPARE(dropouts, 2);
        QCOMPARE(given.size(), std::size_t{2});
        // The same streams forward and backward, but for a layer at either end.
        std::vector<double> forward, backward, both;
        for (auto const &[name, list] : given) (name.ends_with("/forward") ? forward : backward) = list;
        std::ranges::sort(forward);
        std::ranges::sort(backward);
        std::ranges::set_intersection(forward, backward, std::back_inserter(both));
        QVERIFY2(both.size() >= 7, qPrintable(QString::number(both.size())));
        if (ownSeeds) QVERIFY(forward.front() >= 77 && forward.back() <= 77 + 5 * 8);
    }
    /// Statistics of a normalisation are assigned after the call, as they were after the layer.
    void layersWithStateShareOneFunction()
    {
        auto const on = compiled(outlined(chain(9, 256, "gc200", {}, normalised), true));
        auto const &g = on.entry()->graph;
        int inBodies = 0;
        for (auto const &[name, count] : callsOf(g)) inBodies = std::max(inBodies, count);
        QCOMPARE(inBodies, 8);
        std::set<std::uint32_t> assigned;
        for (auto const &region : g.regions)
            for (auto id : region.nodes) {
                auto const &node = g.node(id);
                if (node.op == "variable.assign" && g.variable(node.variable).name.find("moving_") != std::string::npos)
                    assigned.insert(node.variable.index);
            }
        QCOMPARE(assigned.size(), std::size_t{18});
    }
    /// Loops and their operands: a function contains the loop, and its cell stays one block in it.
    void recurrentLayersAreOneFunction()
    {
        auto const on = compiled(outlined(recurrent(6, "gc200"), true)), off = compiled(outlined(recurrent(6, "gc200"), false));
        auto const &g = on.entry()->graph;
        std::map<std::string, int> loops; // by body
        for (auto const &region : g.regions)
            for (auto id : region.nodes)
                if (g.node(id).op == "repeat" && graph::repeatForm(g.node(id)).carried > 0) ++loops[region.label];
        int calls = 0, inFunctions = 0;
        for (auto const &[name, count] : callsOf(g)) {
            if (!loops.contains(name)) continue;
            calls = std::max(calls, count);
            inFunctions += loops.at(name);
        }
        QVERIFY2(calls >= 4 && inFunctions >= 2, qPrintable(QString("%1 calls, %2 loops").arg(calls).arg(inFunctions)));
        QVERIFY(on.executable->program.computeSets.size() < off.executable->program.computeSets.size());
    }
    void twoEncoderLayersAreOneFunctionForwardAndBackward()
    {
        auto const on = compiled(outlined(sorting("gc200"), true));
        auto const calls = callsOf(on.entry()->graph);
        int forward = 0, backward = 0;
        for (auto const &[name, count] : calls) {
            if (name.find("block1") == std::string::npos && name.find("block2") == std::string::npos) continue;
            if (name.ends_with("/forward") && name.find("attention") != std::string::npos) forward = count;
            if (name.ends_with("/backward")) backward = std::max(backward, count);
        }
        QCOMPARE(forward, 2);
        QCOMPARE(backward, 2);
        // All their products are in the functions.
        std::size_t blocks = 0;
        for (auto const &op : on.executable->program.ops)
            if ((op.kind == "matmul" || op.kind == "batch_matmul") && op.parent >= 0
                && on.executable->program.ops[static_cast<std::size_t>(op.parent)].kind != program::kFunctionOp)
                blocks += op.name.starts_with("block");
        QCOMPARE(blocks, std::size_t{0});
    }
    /// A view of a weight returned by a call would count as an activation: a pipeline would keep it for each micro-batch.
    void callsGiveNoViews_data()
    {
        QTest::addColumn<bool>("pipelined");
        QTest::newRow("one IPU") << false;
        QTest::newRow("pipeline") << true;
    }
    void callsGiveNoViews()
    {
        QFETCH(bool, pipelined);
        auto const outcome = compiled(outlined(pipelined ? encoders() : sorting("gc200"), true)); // attention reshapes its kernels
        auto const &g = outcome.entry()->graph;
        for (auto const &variable : outcome.executable->program.variables) {
            bool const kept = variable.name.ends_with("/ring") || variable.name.ends_with("/stash");
            QVERIFY2(!kept || variable.shape != (Shape{28, 28}), variable.name.c_str()); // a kernel's shape; activations have the batch too
        }
        int results = 0;
        for (auto const &region : g.regions)
            for (auto id : region.nodes) {
                if (g.node(id).op != "call") continue;
                for (auto result : graph::resultsOf(g, g.node(id).regions[0])) {
                    ++results;
                    QVERIFY2(g.node(g.value(result).producer).op != "reshape", g.value(result).name.c_str());
                }
            }
        QVERIFY(results > 20);
    }
    void recomputationChangesNoNumber_data()
    {
        QTest::addColumn<QString>("model");
        for (auto const *model : {"chain", "accumulation", "dropout", "own seeds", "noise", "norms", "recurrent", "transformer", "pipeline",
                                  "pipeline of dropout", "pipeline of own seeds", "pipeline of noise", "pipeline of norms", "encoders"})
            QTest::newRow(model) << QString::fromLatin1(model);
    }
    /// Recomputed values equal the original ones: random numbers repeat, state changes once. Without a pipeline recomputation divides no
    /// function. In both
    /// modes.
    void recomputationChangesNoNumber()
    {
        QFETCH(QString, model);
        auto const p = outlined(named(model, false), true);
        auto const again = project::withField(p, "ipu_config.allow_recompute", "true", nullptr).value();
        auto request = requestIn(m_folder, Mode::Fused, 2);
        request.compile.useCache = false;
        request.steps = 8;
        std::vector<double> kept, made;
        auto const a = trained(p, request, &kept), b = trained(again, request, &made);
        QCOMPARE(made, kept);
        QVERIFY(sameBytes(a.state, b.state));
        auto const &g = b.compiled.entry()->graph;
        bool const pipeline = g.stages > 1;
        auto const twins = std::ranges::count_if(g.nodes, [](graph::Node const &node) { return node.pass == graph::Pass::Recompute; });
        if (pipeline || model == "transformer") QVERIFY2(twins > 0, qPrintable(QString::number(twins)));
        if (!pipeline) QCOMPARE(callsOf(g), callsOf(a.compiled.entry()->graph));
        for (auto const *schedule : {"grouped", "interleaved", "sequential"}) {
            auto const p3 = project::withField(again, "training.pipeline_schedule", schedule, nullptr).value();
            auto const outcome = runtime::verify(p3, requestIn(m_folder, Mode::Tile, 2), 1, {});
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
            QVERIFY2(outcome->agrees,
                     qPrintable(QString::fromLatin1(schedule) + QLatin1Char(' ') + QString::number(outcome->maxRelativeError)));
            if (!pipeline) break;
        }
    }
    void numbersAreTheSame_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("tile");
        for (auto const *model : {"chain", "chain with momentum", "pipeline", "encoders", "accumulation", "dropout", "own seeds", "noise",
                                  "norms", "recurrent"})
            for (bool tile : {false, true}) QTest::addRow("%s, %s", model, tile ? "tile" : "fused") << QString::fromLatin1(model) << tile;
        QTest::addRow("transformer, fused") << QStringLiteral("transformer") << false;
        QTest::addRow("transformer, tile") << QStringLiteral("transformer") << true;
    }
    void numbersAreTheSame()
    {
        QFETCH(QString, model);
        QFETCH(bool, tile);
        auto const p = named(model, tile);
        auto request = requestIn(m_folder, tile ? Mode::Tile : Mode::Fused, 2);
        request.compile.useCache = false;
        request.steps = model == "pipeline" || model == "encoders" || model == "accumulation" ? 8 : 3;
        std::vector<double> with, without;
        auto const a = trained(outlined(p, true), request, &with), b = trained(outlined(p, false), request, &without);
        QCOMPARE(with.size(), without.size());
        QVERIFY(!callsOf(compiled(outlined(p, true)).entry()->graph).empty());
        if (!tile) {
            QCOMPARE(with, without);
            QVERIFY(sameBytes(a.state, b.state));
        } else {
            // Where a function is planned for all its calls, sums are cut otherwise than for one layer alone.
            for (std::size_t i = 0; i < with.size(); ++i)
                QVERIFY2(std::abs(with[i] - without[i]) <= 1e-4 * std::abs(without[i]), qPrintable(QString::number(i)));
            // Attention does not depend on the bias of its keys, which moves by rounding alone.
            if (model != "transformer" && model != "encoders")
                QVERIFY2(stateDifference(a.state, b.state) < 2e-3, qPrintable(QString::number(stateDifference(a.state, b.state))));
        }
    }
    void modesAgreeStepByStep()
    {
        for (auto const &p :
             {chain(5, 64, "gc200:tiles=64"), chain(5, 64, "gc200:tiles=64", {}, dropping), chain(5, 64, "gc200:tiles=64", {}, noisy),
              chain(5, 64, "gc200:tiles=64", {}, normalised), recurrent(4, "gc200:tiles=64"), sorting("gc200")}) {
            auto const outcome = runtime::verify(outlined(p, true), requestIn(m_folder, Mode::Tile, 2), 2, {});
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        }
    }
    /// The report of such a program keeps its invariants, and shows the function's costs that belong to no layer.
    void theReportContainsFunctions()
    {
        auto const p = outlined(chain(9, 256, "gc200"), true);
        auto request = requestIn(m_folder);
        request.steps = 2;
        request.report = m_folder.path() / "functions.twreport";
        trained(p, request);
        auto const reader = store::ReportReader::open(*request.report);
        QVERIFY(reader.ok());
        auto const read = (*reader)->readAll();
        QVERIFY2(read.ok(), read.ok() ? "" : toText(read.error()).c_str());
        std::set<std::string> layers;
        int functions = 0;
        for (std::size_t i = 0; i < read->ops.size(); ++i) {
            auto const &op = read->ops[i];
            if (op.kind == report::kFunctionKind) ++functions;
            if (report::isLayer(op)) layers.insert(op.name);
        }
        QCOMPARE(functions, 2);
        QCOMPARE(layers.size(), std::size_t{11});
        auto const frame = report::runFrame(*read);
        auto const costs = report::costsByOp(*read, report::costsByProgram(*read, frame.run));
        for (std::size_t i = 0; i < read->ops.size(); ++i)
            if (read->ops[i].kind == report::kFunctionKind) QVERIFY(costs[i].cycles > 0 && costs[i].executions == 16);
    }
    /// Two small layers are not worth the copies.
    void smallSavingsChangeNothing()
    {
        auto const small = compiled(mnist("gc200"));
        QVERIFY(callsOf(small.entry()->graph).empty());
        QCOMPARE(stepsOf(small.executable->program, program::StepKind::Call), std::size_t{0});
    }
};

TW_REGISTER_TEST(TstOutlining);
#include "tst_outlining.moc"
