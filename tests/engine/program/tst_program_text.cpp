#include "tests/engine/program/random_program.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <filesystem>
#include <fstream>

using namespace tilewright;
using namespace tilewright::program;
using namespace tilewright::tests;

extern "C" int fuzzProgram(std::uint8_t const *bytes, std::size_t size);

namespace {

std::string fileText(std::string const &name)
{
    std::ifstream in(std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "tests/corpus/program" / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Head and variables of a small program in three lines; later errors are in line 4.
std::string const kHead = "program \"p\" ipus 1 replicas 1 tiles 4\ncodelets Map\n"
                          "var \"a\" f32[8] activation variable 1/1*0, 8/2*1, from 0 on 0..3\n";

std::string errorOf(std::string const &text)
{
    auto const parsed = parse(text);
    return parsed.ok() ? std::string() : toText(parsed.error());
}

} // namespace

class TstProgramText : public QObject {
    Q_OBJECT
private slots:
    void printedTextParsesBack()
    {
        int again = 0, numbered = 0, unused = 0;
        for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
            auto const p = RandomProgram(seed).make();
            auto const text = print(p);
            auto const parsed = parse(text);
            auto const where = "seed " + std::to_string(seed) + ": " + errorOf(text) + "\n" + text;
            QVERIFY2(parsed.ok(), where.c_str());
            QVERIFY2(*parsed == p, where.c_str());
            QVERIFY2(print(*parsed) == text, where.c_str());
            again += text.find("runs again #") != std::string::npos;
            numbered += text.find("  again #") != std::string::npos;
            unused += text.find("\nunused ") != std::string::npos;
        }
        // The generator covers the subject of the test.
        QVERIFY2(again > 100 && numbered > 100 && unused > 100, qPrintable(QString("%1 %2 %3").arg(again).arg(numbered).arg(unused)));
    }
    /// Written by hand: comments, any spaces, no counts of vertices.
    void aProgramWrittenByHandIsAProgram()
    {
        auto const text = fileText("relu-in-steps.txt");
        auto const parsed = parse(text);
        QVERIFY2(parsed.ok(), errorOf(text).c_str());
        auto const status = verify(*parsed);
        QVERIFY2(status.ok(), status.ok() ? "" : toText(status.error()).c_str());
        auto const printed = print(*parsed);
        QVERIFY(printed != text);
        QVERIFY(*parse(printed) == *parsed);
    }
    void truncatedTextsAreRefused()
    {
        auto const text = print(*parse(fileText("relu-in-steps.txt")));
        int cuts = 0;
        for (auto at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1), ++cuts) {
            auto const error = errorOf(text.substr(0, at + 1));
            QVERIFY2(error.find("but the text ends") != std::string::npos, error.c_str());
        }
        QVERIFY(cuts > 15);
    }
    void anErrorIsFoundInItsLine()
    {
        auto const text = print(*parse(fileText("relu-in-steps.txt")));
        int line = 1, refused = 0;
        bool quotes = false, braces = false;
        for (std::size_t at = 0; at < text.size(); ++at) {
            char const c = text[at];
            if (c == '"') quotes = !quotes;
            if (c == '{' && text[at + 1] != '\n') braces = true; // an expression, not steps in steps
            if (c == '}') braces = false;
            if (c == '\n') ++line;
            if (quotes || braces || c == '"' || c == ' ' || c == '\n' || c == '}') continue;
            auto damaged = text;
            damaged[at] = '!';
            auto const error = errorOf(damaged);
            QVERIFY2(error.starts_with("line " + std::to_string(line) + ", column "),
                     (damaged.substr(at - std::min<std::size_t>(at, 20), 40) + "\n" + error).c_str());
            ++refused;
        }
        QVERIFY(refused > 400);
    }
    void tokensOfOtherPlacesNeverCrashTheParser()
    {
        int accepted = 0, refused = 0;
        for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
            RandomStream random(deriveSeed(9, seed));
            auto text = print(RandomProgram(1 + seed % 200).make());
            for (auto n = 1 + random.below(3); n > 0 && !text.empty(); --n) {
                auto const at = random.below(text.size()), from = random.below(text.size());
                auto const token = text.substr(from, text.find_first_of(" \n", from) - from);
                switch (random.below(5)) {
                case 0: text.replace(at, text.find_first_of(" \n", at) - at, token); break;
                case 1: text.erase(at, 1 + random.below(20)); break;
                case 2: text.insert(at, token); break;
                case 3: text[at] = static_cast<char>(random.next()); break;
                default: text.insert(at, std::to_string(static_cast<std::int64_t>(random.next()))); break;
                }
            }
            auto const parsed = parse(text);
            if (!parsed.ok()) {
                ++refused;
                QCOMPARE(parsed.error().code, std::string("program.text"));
                QVERIFY(parsed.error().subject.starts_with("line "));
                continue;
            }
            ++accepted;
            auto const again = parse(print(*parsed));
            QVERIFY2(again.ok() && print(*again) == print(*parsed), qPrintable(QString("seed %1").arg(seed)));
        }
        QVERIFY2(accepted > 100 && refused > 1000, qPrintable(QString("%1 %2").arg(accepted).arg(refused)));
    }
    void errorsStateTheExpectation_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        auto const row = [](char const *name, char const *text, char const *error) {
            QTest::newRow(name) << QString::fromStdString(kHead) + text << error;
        };
        QTest::newRow("nothing") << ""
                                 << "line 1, column 1: expected 'program', but the text ends";
        QTest::newRow("no tiles") << "program \"p\" ipus 1 replicas 1 tiles 0"
                                  << "line 1, column 37: the number is not in 1 … 2147483647";
        row("no step", "", "line 4, column 1: expected an op, a variable or the step that is the program, but the text ends");
        row("type", "var \"b\" f64[8]", "line 4, column 9: the type is not known: 'f64'");
        row("category", "var \"b\" f32[8] x y", "line 4, column 18: the category is not known: 'y'");
        row("dimensions", "var \"b\" f32[8] x variable 1/1*0, 1/1*0, 1/1*0, 1/1*0, 1/1*0, 1/1*0, 1/1*0, from 0 on 0..3",
            "line 4, column 69: expected 'from' behind so many dimensions, found '1/1'");
        row("elements", "var \"b\" f32[9999999999999] x", "line 4, column 13: the number is not in 1 … 1099511627776");
        row("op", "var \"b\" f32[8] x variable of dense 1/1*0", "line 4, column 30: there is no op of this name and number: 'dense'");
        row("later op", "op \"a\" keras layer", "line 4, column 1: expected an op, a variable or the step that is the program, found 'op'");
        row("step", "sequence \"main\" {\n  exec \"x\"", "line 5, column 3: expected a step or '}', found 'exec'");
        row("times", "repeat \"main\" {", "line 4, column 15: expected how often, as x4, found '{'");
        row("codelet", "execute \"x\"\n    Mop <a", "line 5, column 5: it is not among the program's codelets: 'Mop'");
        row("field", "execute \"x\"\n    Map a", "line 5, column 9: expected a field: <, >, <> or % and a variable, found 'a'");
        row("variable", "execute \"x\"\n    Map <b", "line 5, column 10: there is no variable of this name and number: 'b'");
        row("second variable", "execute \"x\"\n    Map <a@2", "line 5, column 12: there is no variable of this name and number: 'a'");
        row("vertices", "execute \"x\"\n    Map x3 <a",
            "line 5, column 13: Map has 4 vertices, one for each block of its leading field, not 3");
        row("lead", "execute \"x\"\n    Map <a lead 1", "line 5, column 17: the number is not in 0 … 0");
        row("expression", "execute \"x\"\n    Map <a {1: relu a0", "line 5, column 13: the text ends before '}'");
        row("arrow", "exchange \"x\"\n    a a", "line 5, column 7: expected '->', found 'a'");
        row("host", "stream_copy \"x\"\n    a -> a", "line 5, column 10: expected 'host', found 'a'");
        row("twice", "sequence \"x\" #0 {\n  sequence \"y\" #0\n}", "line 5, column 17: number 0 is given twice");
        row("far", "sequence \"x\" #4294967294",
            "line 4, column 25: expected all steps before the last number of one of them, but the text ends");
        row("unknown step", "call \"x\" {\n  again #1\n}", "line 5, column 10: nothing before this has number 1");
        row("unknown set", "execute \"x\" runs again #0", "line 4, column 25: nothing before this has number 0");
        row("behind", "sequence \"x\"\nop", "line 5, column 1: expected a step, 'unused' or the end of the text, found 'op'");
    }
    void errorsStateTheExpectation()
    {
        QFETCH(QString, text);
        QFETCH(QString, error);
        QCOMPARE(QString::fromStdString(errorOf(text.toStdString())), error);
    }
    /// Reading is not verification: verify() finds errors in programs that can be read.
    void unrunnableProgramsAreReadButVerifyRefusesThem()
    {
        auto const itself = parse(kHead + "sequence \"x\" {\n  again #0\n}\n");
        QVERIFY(itself.ok());
        QCOMPARE(verify(*itself).error().message, std::string("the lowered program is not well formed: step contains itself"));
        QVERIFY(*parse(print(*itself)) == *itself);
        auto const huge = parse("program \"p\" ipus 1 replicas 1 tiles 4\nvar \"a\" f32[1] r variable "
                                "1099511627776/1099511627776+1-1099511627776x1099511627776*2147483647,"
                                " 9/9x7*1, from 2147483647 on 2147483646..2147483646 ipu -3\nexecute \"x\" runs none");
        QVERIFY(huge.ok());
        QVERIFY(!verify(*huge).ok());
        QVERIFY(*parse(print(*huge)) == *huge);
    }
    void deepNestingIsRefused()
    {
        auto text = kHead;
        for (int i = 0; i < 100000; ++i) text += "sequence \"\" {";
        QCOMPARE(errorOf(text), std::string("line 4, column 3341: steps nest deeper than 256"));
    }
    void theFuzzEntryTakesAnything()
    {
        for (std::uint64_t seed = 1; seed <= 500; ++seed) {
            RandomStream random(seed);
            auto text = print(RandomProgram(seed).make());
            text[random.below(text.size())] = static_cast<char>(random.next());
            QCOMPARE(fuzzProgram(reinterpret_cast<std::uint8_t const *>(text.data()), text.size()), 0);
        }
    }
};

TW_REGISTER_TEST(TstProgramText);
#include "tst_program_text.moc"
