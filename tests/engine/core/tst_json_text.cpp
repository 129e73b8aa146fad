#include "engine/core/json_text.h"
#include "engine/core/limits.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace tilewright;

namespace {

bool has(std::string const &text, std::string const &part) { return text.find(part) != std::string::npos; }

/// Restores all limits.
struct LimitsKept {
    std::vector<std::int64_t> values;
    LimitsKept()
    {
        for (auto const &info : limitTable()) values.push_back(limitOf(info.limit));
    }
    ~LimitsKept()
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            (void)setLimit(limitTable()[i].name + std::string("=") + std::to_string(values[i])).ok();
    }
};

std::string nested(int depth)
{
    return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

} // namespace

class TstJsonText : public QObject {
    Q_OBJECT
private slots:
    void readsJson()
    {
        QCOMPARE((*parseJson("{\"b\": 1, \"a\": [2]}", "x")).dump(), std::string("{\"a\":[2],\"b\":1}"));
        QCOMPARE((*parseOrderedJson("{\"b\": 1, \"a\": [2]}", "x")).dump(), std::string("{\"b\":1,\"a\":[2]}"));
        QVERIFY(parseJson("\"[[[{{{\\\"[[\"", "x").ok());
        QVERIFY(jsonOrDiscarded("{").is_discarded());
        QVERIFY(orderedJsonOrDiscarded("").is_discarded());
    }
    void namesThePlaceAndNextToNothingOfTheText()
    {
        auto const error = parseJson("{\"a\": 1,\n  secret: \"a password that nobody should read\"}", "file.json", "project.json").error();
        QCOMPARE(error.code, std::string("project.json"));
        QVERIFY2(has(error.subject, "file.json line 2 column 3 byte 12"), error.subject.c_str());
        QVERIFY2(!has(toText(error), "password"), toText(error).c_str());
        QVERIFY(has(parseJson("[1, 2", "x").error().message, "ends too early"));
        QVERIFY(has(parseJson("[1e999]", "x").error().message, "out of range"));
        auto const hostile = parseJson("\x1b[31m", "x").error();
        QVERIFY2(!has(hostile.message, "\x1b"), hostile.message.c_str());
    }
    void nestingIsBoundedBeforeAnythingIsBuilt()
    {
        QVERIFY(parseJson(nested(500), "x").ok());
        auto const error = parseJson(nested(501), "deep.json").error();
        QCOMPARE(error.code, std::string("json.limit"));
        QCOMPARE(static_cast<int>(error.kind), 3);
        QVERIFY2(has(error.subject, "column 501") && has(error.message, "500") && has(error.remedy, "--limit json_depth="),
                 toText(error).c_str());
        QVERIFY(jsonOrDiscarded(nested(501)).is_discarded());
        // The brackets need not be closed, and the text after them need not be correct.
        QCOMPARE(parseOrderedJson(std::string(5'000'000, '['), "x").error().code, std::string("json.limit"));
        QCOMPARE(parseJson("\xef\xbb\xbf" + nested(501), "x").error().code, std::string("json.limit"));
    }
    void limitsCanBeChangedAndSayTheirRange()
    {
        LimitsKept const kept;
        QVERIFY(setLimit("json_depth=600").ok());
        QVERIFY(parseJson(nested(501), "x").ok());
        QVERIFY(!parseJson(nested(601), "x").ok());
        QVERIFY(setLimit("json_bytes=10").ok());
        auto const error = parseJson("[1,2,3,4,5,6]", "x").error();
        QVERIFY2(error.code == "json.limit" && has(error.remedy, "json_bytes=10"), toText(error).c_str());
        QVERIFY(orderedJsonOrDiscarded("[1,2,3,4,5,6]").is_discarded());
        for (auto const *wrong : {"json_depth", "json_depth=", "json_depth=0", "json_depth=-1", "json_depth=9x",
                                  "json_depth=99999999999999999999", "json_depth=5001", "", "=", "depth=3"}) {
            auto const status = setLimit(wrong);
            QVERIFY2(!status.ok() && status.error().code == "cli.limit" && status.error().kind == ErrorKind::Usage, wrong);
        }
        QVERIFY(has(setLimit("json_dept=3").error().remedy, "'json_depth'"));
    }
    void theHighestDepthThatCanBeAllowedIsPrintedAndCopied()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("a sanitizer's frames take several times the stack");
#endif
        LimitsKept const kept;
        QVERIFY(setLimit("json_depth=5000").ok());
        auto const value = parseJson(nested(5000), "x");
        QVERIFY(value.ok());
        auto const copy = *value;
        QCOMPARE(copy.dump(), nested(5000));
        QVERIFY(copy == *value);
    }
    void filesAreReadNoFurtherThanADocumentMayBeLong()
    {
        LimitsKept const kept;
        QTemporaryDir const folder;
        auto const path = folder.filePath("endless.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.resize(qint64{1} << 42)); // holes: larger than the machine's memory
        file.close();
        auto const error = readJsonText(path.toStdString()).error();
        QCOMPARE(error.code, std::string("json.limit"));
        QVERIFY(has(error.subject, "endless.json"));
        QCOMPARE(readJsonText("/dev/zero").error().code, std::string("json.limit"));
        QVERIFY(!readJsonText(folder.filePath("missing").toStdString()).ok());
    }
};

TW_REGISTER_TEST(TstJsonText);
#include "tst_json_text.moc"
