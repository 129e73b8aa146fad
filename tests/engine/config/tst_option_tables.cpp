#include "engine/config/option_tables.h"
#include "engine/config/option_value.h"
#include "engine/config/options.h"
#include "engine/core/text.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QRegularExpression>
#include <QtTest>

#include <set>

using namespace tilewright;
using namespace tilewright::config;

namespace {

constexpr OptionCategory kAll[] = {OptionCategory::IpuConfig, OptionCategory::Flag, OptionCategory::Engine, OptionCategory::Target,
                                   OptionCategory::Runtime};

/// One row of a table of the reference: the cells, without surrounding blanks.
using Row = QStringList;

/// Table rows between two lines of the reference; empty when the reference is not there.
std::vector<Row> referenceRows(QString const &from, QString const &to)
{
    QFile file(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/../shared/reference/ipu_config.md"));
    std::vector<Row> rows;
    if (!file.open(QIODevice::ReadOnly)) return rows;
    bool inside = false;
    for (auto const &line : QString::fromUtf8(file.readAll()).split('\n')) {
        if (line.startsWith(from)) inside = true;
        else if (inside && line.startsWith(to)) break;
        if (!inside || !line.startsWith("| `")) continue;
        Row row;
        for (auto const &cell : line.mid(1).split('|')) row << cell.trimmed();
        rows.push_back(row);
    }
    return rows;
}

QStringList backticked(QString const &cell)
{
    QStringList names;
    auto matches = QRegularExpression("`([^`]+)`").globalMatch(cell);
    while (matches.hasNext()) names << matches.next().captured(1);
    return names;
}

/// The default as the reference writes it, in our text form.
std::string referenceDefault(QString text)
{
    if (text == "True") return "true";
    if (text == "False") return "false";
    if (text.startsWith("\"\"")) return "\"\"";
    if (text == "{}" || text == "[]" || text.startsWith('"') || text[0].isDigit() || text[0] == '-') return text.toStdString();
    return "\"" + text.toStdString() + "\"";
}

#define NEEDS_REFERENCE(rows)                                                                                                              \
    if ((rows).empty()) QSKIP("skipped 1 comparison: the reference ipu_config.md is not here")

} // namespace

class TstOptionTables : public QObject {
    Q_OBJECT
private slots:
    void countsAreThoseOfTheReference()
    {
        QCOMPARE(ipuConfigOptions().size(), std::size_t(57));
        QCOMPARE(poplarFlags().size(), std::size_t(24));
        QCOMPARE(engineOptions().size(), std::size_t(37));
    }
    void everyIpuConfigRowOfTheReferenceIsListedWithItsDefault()
    {
        auto const rows = referenceRows("## 2.", "## 3.");
        NEEDS_REFERENCE(rows);
        std::vector<std::string> listed;
        for (auto const &row : rows) {
            auto const path = backticked(row[0])[0].toStdString();
            listed.push_back(path);
            auto const *option = findOption(ipuConfigOptions(), path);
            QVERIFY2(option, path.c_str());
            QCOMPARE(quotedText(option->defaultValue), referenceDefault(row[2]));
            bool const isBool = row[1] == "bool";
            QCOMPARE(option->type == OptionType::Bool, isBool);
            QCOMPARE(option->type == OptionType::Float, row[1] == "float");
            QCOMPARE(option->type == OptionType::Dict, row[1].startsWith("dict"));
            QCOMPARE(option->type == OptionType::Enum, row[1].startsWith('`'));
            QCOMPARE(option->type == OptionType::IntList, row[1].startsWith("int, list"));
        }
        QCOMPARE(listed.size(), ipuConfigOptions().size());
        for (std::size_t i = 0; i < listed.size(); ++i) QCOMPARE(ipuConfigOptions()[i].path, listed[i]);
    }
    void everyFlagOfTheReferenceIsListedWithItsHashColumn()
    {
        auto const rows = referenceRows("## 4.", "## 5.");
        NEEDS_REFERENCE(rows);
        for (auto const &row : rows) {
            auto const name = backticked(row[0])[0].mid(2).split('=')[0].toStdString();
            auto const *option = findOption(poplarFlags(), name);
            QVERIFY2(option, name.c_str());
            QCOMPARE(option->inExecutableHash, row[3] == "yes");
        }
        QCOMPARE(rows.size(), poplarFlags().size());
    }
    void everyEngineKeyOfTheReferenceIsListed()
    {
        auto const rows = referenceRows("Engine option keys", "Report directory");
        NEEDS_REFERENCE(rows);
        std::set<std::string> named;
        for (auto const &row : rows) {
            QString group;
            for (auto const &cell : backticked(row[0])) {
                // `.maxLookahead` continues the group before it; values stand in backticks as well.
                auto name = cell.startsWith('.') ? group + cell : cell;
                if (!name.contains('.')) continue;
                group = name.left(name.lastIndexOf('.'));
                QVERIFY2(findOption(engineOptions(), name.toStdString()), qPrintable(name));
                named.insert(name.toStdString());
            }
        }
        QCOMPARE(named.size(), engineOptions().size());
    }
    void pathsAreUniqueAndEntriesComplete()
    {
        for (auto const category : kAll) {
            std::set<std::string> seen;
            for (auto const &option : optionsOf(category)) {
                QVERIFY2(seen.insert(option.path).second, option.path.c_str());
                QVERIFY(!option.help.empty() && !option.since.empty());
                QVERIFY(option.category == category);
                QCOMPARE(option.type == OptionType::Enum && option.allowed.empty(), false);
                QVERIFY(!option.deprecated || !option.deprecatedMessage.empty());
                QVERIFY(!isOptionGroup(optionsOf(category), option.path));
            }
        }
    }
    void everyDefaultIsAllowedAndReadsBackFromTextAndJson()
    {
        for (auto const category : kAll)
            for (auto const &option : optionsOf(category)) {
                QVERIFY2(checkValue(option, option.defaultValue).ok(), option.path.c_str());
                auto const text = parseValue(option, toText(option.defaultValue));
                QVERIFY2(text.ok(), option.path.c_str());
                QVERIFY2(*text == option.defaultValue, option.path.c_str());
                auto const json = valueFromJson(option, valueToJson(option.defaultValue));
                QVERIFY2(json.ok() && *json == option.defaultValue, option.path.c_str());
            }
    }
    void everyAllowedValueIsAcceptedAndOthersAreNot()
    {
        for (auto const category : kAll)
            for (auto const &option : optionsOf(category)) {
                for (auto const &value : option.allowed) QVERIFY(parseValue(option, value).ok());
                if (!option.allowed.empty()) {
                    auto const refused = parseValue(option, "no such value");
                    QVERIFY(!refused.ok());
                    QCOMPARE(refused.error().code, std::string("config.not-allowed"));
                    QCOMPARE(refused.error().subject, placeOf(option));
                }
                if (option.type == OptionType::Int && option.min) {
                    auto const low = static_cast<std::int64_t>(*option.min);
                    QVERIFY(checkValue(option, low).ok());
                    QCOMPARE(checkValue(option, low - 1).error().code, std::string("config.out-of-range"));
                }
                if (option.type == OptionType::Int && option.max)
                    QVERIFY(!checkValue(option, static_cast<std::int64_t>(*option.max) + 1).ok());
            }
    }
    void helpMarksOptionsWithoutEffect()
    {
        int active = 0;
        for (auto const category : kAll)
            for (auto const &option : optionsOf(category)) {
                bool const says = fullHelp(option).find("No effect yet") != std::string::npos;
                QCOMPARE(says, option.effect == Effect::NotYet);
                QCOMPARE(option.effect == Effect::Cannot, !option.reason.empty());
                QCOMPARE(fullHelp(option).find("Cannot have an effect") != std::string::npos, option.effect == Effect::Cannot);
                active += option.effect == Effect::Active ? 1 : 0;
                QCOMPARE(settingWarnings(option, option.defaultValue).size(),
                         std::size_t((option.effect != Effect::Active) + option.deprecated));
            }
        QVERIFY(active > 0);
    }
    void optionsThatNoEmulatorCanHaveSayWhy()
    {
        auto const *format = findOption(engineOptions(), "profiler.format");
        QVERIFY(format && format->effect == Effect::Cannot);
        QVERIFY(describeOption(*format).find("cannot") != std::string::npos);
        QVERIFY(describeOption(*format).find("reports have one format") != std::string::npos);
        QCOMPARE(optionToJson(*format)["effect"].get<std::string>(), std::string("cannot"));
        QCOMPARE(optionToJson(*format)["reason"].get<std::string>(), format->reason);
        auto const warnings = settingWarnings(*format, std::string("v1"));
        QCOMPARE(warnings.front().code, std::string("config.cannot-act"));
        QVERIFY(warnings.front().message.find(format->reason) != std::string::npos);
        // A reason against an option that acts would be lost.
        for (auto const category : kAll)
            for (auto const &option : optionsOf(category))
                QVERIFY2(option.effect != Effect::Active || detail::reasonAgainst(category, option.path).empty(), option.path.c_str());
    }
    void typesAreExact_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("accepted"); // index of the variant that is accepted
        QTest::newRow("bool") << "allow_recompute" << 0;
        QTest::newRow("int") << "scheduling.maximum_scheduler_lookahead_depth" << 1;
        QTest::newRow("float") << "io_tiles.available_memory_proportion" << 2;
        QTest::newRow("path") << "serialization_output_folder" << 3;
        QTest::newRow("dict") << "gcl_poplar_options" << 4;
        QTest::newRow("list") << "auto_select_ipus" << 5;
    }
    void typesAreExact()
    {
        QFETCH(QString, path);
        QFETCH(int, accepted);
        auto const *option = findOption(ipuConfigOptions(), path.toStdString());
        OptionValue const values[] = {true, std::int64_t(1), 1.0, std::string("1"), OptionDict{}, std::vector<std::int64_t>{1}};
        for (int i = 0; i < 6; ++i) {
            auto const status = checkValue(*option, values[i]);
            bool const bareInteger = accepted == 5 && i == 1;
            QCOMPARE(status.ok(), i == accepted || bareInteger);
            if (!status.ok()) {
                QCOMPARE(status.error().code, std::string("config.wrong-type"));
                QVERIFY(!status.error().remedy.empty());
            }
        }
    }
    void anIntegerIsNotAFloatInTextEither()
    {
        auto const *option = findOption(ipuConfigOptions(), "io_tiles.available_memory_proportion");
        auto const refused = parseValue(*option, "1");
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().remedy.find("1.0") != std::string::npos);
        QVERIFY(parseValue(*option, "1.0").ok());
        QVERIFY(!parseValue(*option, "1.5").ok());
        QVERIFY(!parseValue(*option, "nan").ok());
        QVERIFY(!valueFromJson(*option, nlohmann::json(1)).ok());
    }
    void listsMayBeWrittenInSeveralWays()
    {
        auto const *option = findOption(ipuConfigOptions(), "auto_select_ipus");
        using List = std::vector<std::int64_t>;
        QVERIFY(*parseValue(*option, "[2, 2]") == OptionValue(List{2, 2}));
        QVERIFY(*parseValue(*option, "(4,)") == OptionValue(List{4}));
        QVERIFY(*parseValue(*option, "4") == OptionValue(List{4}));
        QVERIFY(*parseValue(*option, "[]") == OptionValue(List{}));
        for (auto const *bad : {"[2", "2,", "[2,x]", "1.0", "[0]", "-1", "99999999999999999999"})
            QVERIFY2(!parseValue(*option, bad).ok(), bad);
    }
    void textMustBeOneLineOfUtf8()
    {
        auto const *option = findOption(ipuConfigOptions(), "serialization_output_folder");
        QVERIFY(parseValue(*option, "/tmp/übung/日本").ok());
        for (std::string const bad : {"a\nb", "\xff", "\xc3", "\xed\xa0\x80", "\xc0\x80"}) {
            auto const refused = parseValue(*option, bad);
            QVERIFY(!refused.ok());
            QCOMPARE(refused.error().code, std::string("config.bad-text"));
        }
    }
    void nearestNamesAreFullNames_data()
    {
        QTest::addColumn<QString>("given");
        QTest::addColumn<QString>("meant");
        QTest::newRow("misspelt") << "optimizations.math.fsat"
                                  << "optimizations.math.fast";
        QTest::newRow("category missing") << "dot_strength"
                                          << "optimizations.math.dot_strength";
        QTest::newRow("wrong category") << "scheduling.combine_matmuls"
                                        << "optimizations.combine_matmuls";
        QTest::newRow("misspelt, category missing") << "num_io_tile"
                                                    << "io_tiles.num_io_tiles";
        QTest::newRow("case") << "Allow_Recompute"
                              << "allow_recompute";
        QTest::newRow("nothing near") << "qqqqqqqqqqqq"
                                      << "";
        QTest::newRow("endless") << QString(100000, 'a') << "";
    }
    void nearestNamesAreFullNames()
    {
        QFETCH(QString, given);
        QFETCH(QString, meant);
        QCOMPARE(nearestOption(ipuConfigOptions(), given.toStdString()), meant.toStdString());
        auto const error = unknownOption(OptionCategory::IpuConfig, given.toStdString());
        QVERIFY(error.kind == ErrorKind::Invalid);
        QVERIFY(error.remedy.find(meant.toStdString()) != std::string::npos);
        QVERIFY(error.subject.size() < 300);
    }
    void descriptionsNameTypeDefaultAndEffect()
    {
        auto const *option = findOption(ipuConfigOptions(), "io_tiles.num_io_tiles");
        auto const text = describeOption(*option);
        for (auto const *part :
             {"ipu_config.io_tiles.num_io_tiles", "int", "from 0 to 192 (tiles)", "default  0", toText(option->effect).data()})
            QVERIFY2(text.find(part) != std::string::npos, part);
        auto const json = optionToJson(*option);
        QCOMPARE(json["max"].get<double>(), 192.0);
        QCOMPARE(json["effect"].get<std::string>(), std::string("active"));
        auto const *later = findOption(ipuConfigOptions(), "optimizations.math.dot_strength");
        QVERIFY(describeOption(*later).find("not yet") != std::string::npos);
        QCOMPARE(optionToJson(*later)["effect"].get<std::string>(), std::string("not_yet"));
    }
};

TW_REGISTER_TEST(TstOptionTables);
#include "tst_option_tables.moc"
