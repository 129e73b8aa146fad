#include "engine/compiler/compile.h"
#include "engine/runtime/session_parts.h"
#include "engine/store/report_reader.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

/// Samples that are transferred as uint8 and converted on the device (data.convert).
class TstDeviceConversion : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static Fields onDevice(Fields more = {})
    {
        more.emplace_back("data.convert", "device");
        return more;
    }

private slots:
    void resultsAreThoseOfTheHost_data()
    {
        QTest::addColumn<bool>("tile");
        QTest::addColumn<bool>("half");
        for (bool const tile : {false, true})
            for (bool const half : {false, true})
                QTest::addRow("%s, %s", tile ? "tile" : "fused", half ? "float16" : "float32") << tile << half;
    }
    void resultsAreThoseOfTheHost()
    {
        QFETCH(bool, tile);
        QFETCH(bool, half);
        Fields const plan{{"training.batch_size", "8"}, {"training.optimizer", "SGD"}};
        auto const project = [&](Fields const &fields) {
            return half ? halfModel("float16", fields) : mnist("gc200:tiles=16", smallModel(fields));
        };
        auto request = requestIn(m_folder, tile ? Mode::Tile : Mode::Fused);
        request.steps = 4;
        std::vector<double> here, there;
        auto const a = trained(project(plan), request, &here);
        auto const b = trained(project(onDevice(plan)), request, &there);
        QCOMPARE(a.weightsHash, b.weightsHash);
        QVERIFY(here == there);
    }
    void streamCarriesAQuarter()
    {
        auto const streamed = [&](Fields fields) {
            auto const exe = compiler::compile(mnist("gc200", std::move(fields)), requestIn(m_folder).compile, {}).value().executable;
            for (auto const &stream : exe->program.streams) {
                auto const &variable = exe->program.var(stream.var);
                if (stream.toDevice && stream.queueIndex == 0)
                    return std::pair(variable.layout.elements() * sizeOf(variable.dtype), exe->entries[0].cyclesPerStep());
            }
            return std::pair(Bytes{0}, 0.0);
        };
        auto const host = streamed({}), device = streamed(onDevice());
        QVERIFY(device.first > 0);
        QCOMPARE(host.first, 4 * device.first);
        QVERIFY(device.second < host.second);
    }
    /// Another depth changes buffers of the host, and no result.
    void prefetchDepthIsInTheReport()
    {
        auto const ran = [&](char const *depth) {
            auto const p = mnist("gc200:tiles=8", smallModel({{"training.prefetch_depth", depth}}));
            auto request = requestIn(m_folder);
            request.steps = 2;
            request.report = m_folder.path() / (std::string("depth") + depth + ".twreport");
            auto const outcome = trained(p, request);
            auto const streams = store::ReportReader::open(*request.report).value()->readAll().value().streams;
            return std::tuple(streams.empty() ? -1 : streams.front().buffering, outcome.weightsHash, outcome.compiled.cache);
        };
        auto const [three, hash, first] = ran("0");
        auto const [seven, same, second] = ran("7");
        QCOMPARE(three, 3);
        QCOMPARE(seven, 7);
        QCOMPARE(same, hash);
        QCOMPARE(second, std::string("hit")); // no part of the program
        QVERIFY(!project::withField(mnist("gc200:tiles=8"), "training.prefetch_depth", "256", nullptr).ok());
        QVERIFY(!project::withField(mnist("gc200:tiles=8"), "training.prefetch_depth", "-1", nullptr).ok());
    }
    void bothModesAgree()
    {
        auto const outcome = runtime::verify(mnist("gc200:tiles=16", smallModel(onDevice())), requestIn(m_folder, Mode::Tile), 2, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QVERIFY(outcome->agrees);
    }
    /// An export and an evaluation feed the same bytes.
    void onlyBytesAreConverted()
    {
        auto const p = mnist("gc200:tiles=16", smallModel(onDevice()));
        std::vector<graph::FeedSpec> const feeds{{"flatten_input", {4, 28, 28}, DType::U8}};
        auto const check = [&](data::DataArray const &x) { return runtime::checkAgainstModel(x, {}, feeds, 4, p); };
        QVERIFY(check(data::makeArray(Shape{8, 28, 28}, std::vector<std::uint8_t>(8 * 784))).ok());
        auto const refused = check(data::makeArray(Shape{8, 28, 28}, std::vector<float>(8 * 784)));
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("data.convert"));
        QVERIFY(!project::withField(p, "data.convert", "elsewhere", nullptr).ok());
    }
};

TW_REGISTER_TEST(TstDeviceConversion);
#include "tst_device_conversion.moc"
