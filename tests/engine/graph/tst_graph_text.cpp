#include "tests/engine/graph/random_graph.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <fstream>
#include <iterator>

using namespace tilewright;
using namespace tilewright::graph;
using namespace tilewright::tests;

extern "C" int fuzzGraph(std::uint8_t const *bytes, std::size_t size);

class TstGraphText : public QObject {
    Q_OBJECT
private slots:
    void printedTextParsesBack()
    {
        int regions = 0, attributes = 0;
        for (std::uint64_t seed = 1; seed <= 400; ++seed) {
            auto const g = RandomGraph(seed).make();
            QVERIFY2(verifyStructure(g).ok(), qPrintable(QString("seed %1").arg(seed)));
            auto const parsed = parse(print(g));
            QVERIFY2(parsed.ok(),
                     qPrintable(QString("seed %1: %2").arg(seed).arg(parsed.ok() ? "" : QString::fromStdString(toText(parsed.error())))));
            QVERIFY2(*parsed == g, qPrintable(QString("seed %1").arg(seed)));
            regions += g.regions.size() > 1;
            for (auto const &node : g.nodes) attributes += static_cast<int>(node.attrs.all().size());
        }
        // The generator covers the subject of the test.
        QVERIFY(regions > 50);
        QVERIFY(attributes > 500);
    }
    void mutatedTextNeverCrashesTheParser()
    {
        int accepted = 0, refused = 0;
        for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
            RandomStream random(deriveSeed(7, seed));
            auto text = print(RandomGraph(1 + seed % 50).make());
            for (auto n = 1 + random.below(4); n > 0 && !text.empty(); --n) {
                auto const at = random.below(text.size());
                switch (random.below(5)) {
                case 0: text[at] = static_cast<char>(random.next()); break;
                case 1: text.erase(at, random.below(20)); break;
                case 2: text.insert(at, text.substr(random.below(text.size()), random.below(60))); break;
                case 3: text.resize(at); break;
                default: text.insert(at, std::to_string(static_cast<std::int64_t>(random.next()))); break;
                }
            }
            auto const parsed = parse(text);
            if (parsed.ok()) {
                ++accepted;
                // Whatever is accepted is well formed and prints to something that reads back.
                QVERIFY2(verifyStructure(*parsed).ok(), qPrintable(QString("seed %1").arg(seed)));
                auto const again = parse(print(*parsed));
                QVERIFY2(again.ok(), qPrintable(QString("seed %1").arg(seed)));
            } else {
                ++refused;
                QVERIFY(parsed.error().kind == ErrorKind::Invalid || parsed.error().kind == ErrorKind::Internal);
                QVERIFY(!parsed.error().code.empty());
            }
        }
        QVERIFY(accepted > 100);
        QVERIFY(refused > 1000);
    }
    void deepNestingIsRefused()
    {
        std::string text = "graph \"\" stages 1\n";
        for (int i = 0; i < 100000; ++i) text += "region r0 \"\" { x() name \"\" layer \"\" pass forward stage 0 ";
        auto const parsed = parse(text);
        QVERIFY(!parsed.ok());
        QCOMPARE(parsed.error().code, std::string("graph.text"));
    }
    void errorsStateThePosition()
    {
        auto const parsed = parse("graph \"g\" stages 1\nregion r0 \"\" {\n  %0 \"x\":f99[]:input = infeed() ");
        QVERIFY(!parsed.ok());
        QCOMPARE(parsed.error().code, std::string("graph.text"));
        QCOMPARE(parsed.error().subject, std::string("line 3, column 10"));
        QCOMPARE(parsed.error().message, std::string("the type is not known: 'f99'"));
    }
    void theFuzzEntryTakesAnything()
    {
        for (std::uint64_t seed = 1; seed <= 500; ++seed) {
            RandomStream random(seed);
            auto text = seed % 2 ? print(RandomGraph(seed).make()) : std::string();
            while (text.size() < 40) text += static_cast<char>(random.next());
            text[random.below(text.size())] = static_cast<char>(random.next());
            QCOMPARE(fuzzGraph(reinterpret_cast<std::uint8_t const *>(text.data()), text.size()), 0);
        }
    }
};

TW_REGISTER_TEST(TstGraphText);
#include "tst_graph_text.moc"
