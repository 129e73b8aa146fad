#include "engine/data/csv.h"

#include "engine/core/ascii.h"
#include "engine/core/limits.h"
#include "engine/core/numbers.h"
#include "engine/core/safe_text.h"
#include "engine/core/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace tilewright::data {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

struct Cell {
    std::string_view text; ///< without the quotes around it
    std::size_t at = 0;    ///< byte in the file
    bool quoted = false;
};

/// Cuts the text into lines of cells; remembers the byte of each. The cells are views into the text.
class Lines {
public:
    Lines(std::string_view text, char delimiter) : m_text(text), m_delimiter(delimiter)
    {
        if (m_text.starts_with(kByteOrderMark)) m_at = kByteOrderMark.size();
    }

    enum class Got { Line, End, OpenQuote };

    /// The next line that is not empty.
    Got next(std::vector<Cell> &cells)
    {
        for (;;) {
            cells.clear();
            if (m_at >= m_text.size()) return Got::End;
            m_lineStart = m_at;
            if (!cutLine(cells)) return Got::OpenQuote;
            bool const blank = cells.empty() || (cells.size() == 1 && !cells[0].quoted && cells[0].text.empty());
            if (!blank) return Got::Line;
        }
    }
    std::size_t lineStart() const { return m_lineStart; }
    std::size_t position() const { return m_at; }

private:
    bool atLineEnd() const { return m_at >= m_text.size() || m_text[m_at] == '\n' || m_text[m_at] == '\r'; }
    void skipBlanks()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || (m_text[m_at] == '\t' && m_delimiter != '\t'))) ++m_at;
    }
    bool cutLine(std::vector<Cell> &cells)
    {
        for (;;) {
            skipBlanks();
            if (m_delimiter == ' ' && atLineEnd()) break; // blanks at the end of a line delimit nothing
            Cell cell{{}, m_at, false};
            if (m_at < m_text.size() && m_text[m_at] == '"') {
                cell.quoted = true;
                auto const begin = ++m_at;
                for (;;) {
                    m_at = m_text.find('"', m_at);
                    if (m_at == std::string_view::npos) {
                        m_at = cell.at;
                        return false;
                    }
                    if (m_at + 1 < m_text.size() && m_text[m_at + 1] == '"') m_at += 2; // "" is a quote
                    else break;
                }
                cell.text = m_text.substr(begin, m_at - begin);
                ++m_at;
                skipBlanks();
            } else {
                auto const begin = m_at;
                while (!atLineEnd() && m_text[m_at] != m_delimiter) ++m_at;
                cell.text = trimmed(m_text.substr(begin, m_at - begin));
            }
            cells.push_back(cell);
            if (atLineEnd()) break;
            if (m_text[m_at] == m_delimiter) ++m_at;
            else if (m_delimiter != ' ') return false; // something follows a closing quote
        }
        if (m_at < m_text.size() && m_text[m_at] == '\r') ++m_at;
        if (m_at < m_text.size() && m_text[m_at] == '\n') ++m_at;
        return true;
    }

    std::string_view m_text;
    char m_delimiter;
    std::size_t m_at = 0;
    std::size_t m_lineStart = 0;
};

/// The candidate that occurs most often in the first line that is not empty, outside quotes.
char detectDelimiter(std::string_view text)
{
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    auto const first = text.find_first_not_of("\r\n");
    if (first == std::string_view::npos) return ',';
    text = text.substr(first, text.find_first_of("\r\n", first) - first);
    constexpr std::string_view kCandidates = ",;\t|";
    std::array<int, kCandidates.size()> counts{};
    bool quoted = false;
    for (char const c : text) {
        if (c == '"') quoted = !quoted;
        else if (!quoted)
            for (std::size_t i = 0; i < kCandidates.size(); ++i) counts[i] += c == kCandidates[i];
    }
    auto const most = std::max_element(counts.begin(), counts.end());
    if (*most > 0) return kCandidates[static_cast<std::size_t>(most - counts.begin())];
    return trimmed(text).find(' ') != std::string_view::npos ? ' ' : ',';
}

/// A number as float; infinite and NaN are numbers (nan, inf). Out of float's range is none.
std::optional<float> parseNumber(std::string_view text)
{
    text = trimmed(text);
    if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
    auto const value = parseRealOrWord(text);
    if (!value || (std::isfinite(*value) && std::abs(*value) > static_cast<double>(std::numeric_limits<float>::max()))) return std::nullopt;
    return static_cast<float>(*value);
}

std::string unquoted(Cell const &cell)
{
    std::string text(trimmed(cell.text));
    for (auto at = text.find("\"\""); at != std::string::npos; at = text.find("\"\"", at + 1)) text.erase(at, 1);
    return text;
}

std::string lowered(std::string text)
{
    for (auto &c : text) c = asciiLower(c);
    return text;
}

/// Index of the column of this name or number. `missing`: that there is none.
Result<std::int64_t> findColumn(Source const &source, std::string const &wanted, std::vector<std::string> const &names, bool named,
                                Message missing)
{
    auto const columns = static_cast<std::int64_t>(names.size());
    if (named)
        for (std::int64_t i = 0; i < columns; ++i)
            if (names[static_cast<std::size_t>(i)] == wanted) return i;
    if (auto const index = parseInteger(wanted); index && *index >= -columns && *index < columns)
        return *index < 0 ? *index + columns : *index;
    auto const near = nearestName(wanted, names);
    return dataError("data.csv.column", source.fullName(), std::move(missing),
                     near.empty() ? Message::of("Give a name of the first line or a number below %1.", std::to_string(columns))
                                  : Message::of("Did you mean %1?", quotedContent(near)));
}

/// Index of the label column; -1 without one. `weights`: index of the column of weights, which is never guessed.
Result<std::int64_t> findLabelColumn(Source const &source, std::string const &wanted, std::vector<std::string> const &names, bool named,
                                     std::int64_t weights)
{
    auto const columns = static_cast<std::int64_t>(names.size());
    if (wanted == "none") return std::int64_t{-1};
    if (!wanted.empty()) return findColumn(source, wanted, names, named, Message::of("there is no column '%1' for the labels", wanted));
    if (named) {
        for (auto const *const usual : {"label", "class", "target", "y"})
            for (std::int64_t i = 0; i < columns; ++i)
                if (i != weights && lowered(names[static_cast<std::size_t>(i)]) == usual) return i;
    }
    auto const last = weights == columns - 1 ? columns - 2 : columns - 1;
    return last >= (weights >= 0 && weights < last ? 2 : 1) ? last : -1;
}

/// Labels become int32 when every one is a whole number that fits.
DataArray labelArray(std::vector<float> values)
{
    auto const whole = std::all_of(values.begin(), values.end(), [](float v) {
        return v == std::floor(v) && std::abs(v) < 0x1p24f; // beyond, floats skip whole numbers
    });
    Shape const shape{static_cast<std::int64_t>(values.size())};
    if (!whole) return makeArray(shape, std::move(values));
    std::vector<std::int32_t> integers;
    integers.reserve(values.size());
    for (float const v : values) integers.push_back(static_cast<std::int32_t>(v));
    return makeArray(shape, std::move(integers));
}

struct RowPlace {
    std::int64_t record = 0, byte = 0;
    std::size_t width = 0;                           ///< of the first line
    std::vector<std::string> const *names = nullptr; ///< of the columns; null: the table has no header
};

/// Reads the numbers of a line into `values`. Errors: "data.csv.cells", "data.csv.number".
Status parseRow(Source const &source, std::vector<Cell> const &cells, RowPlace const &row, std::vector<float> &values)
{
    if (cells.size() != row.width)
        return dataError("data.csv.cells", source.at(row.byte),
                         Message::of("record %1 has %2 cells, the first line has %3", row.record, cells.size(), row.width));
    values.clear();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        auto const value = parseNumber(cells[i].text);
        if (!value)
            return dataError("data.csv.number", source.at(static_cast<std::int64_t>(cells[i].at)),
                             row.names ? Message::of("%1 of record %2, column %3 %4, is not a number that float32 can hold",
                                                     quotedContent(cells[i].text), row.record, i, quotedContent((*row.names)[i]))
                                       : Message::of("%1 of record %2, column %3, is not a number that float32 can hold",
                                                     quotedContent(cells[i].text), row.record, i),
                             cells[i].text.empty() ? Message::of("Fill the empty cell, or remove the record.")
                                                   : Message::of("Write numbers with a decimal point; code categories as numbers."));
        values.push_back(*value);
    }
    return {};
}

} // namespace

Result<CsvTable> parseCsv(Source const &source, CsvOptions const &options, JobContext const &job)
{
    std::string_view const text(reinterpret_cast<char const *>(source.bytes.get()), source.size);
    Lines lines(text, options.delimiter ? options.delimiter : detectDelimiter(text));
    auto const openQuote = [&](std::int64_t record) {
        return dataError("data.csv.quote", source.at(static_cast<std::int64_t>(lines.position())),
                         Message::of("a quote of record %1 is not closed, or text follows it", record));
    };

    std::vector<Cell> cells;
    auto got = lines.next(cells);
    if (got == Lines::Got::OpenQuote) return openQuote(0);
    if (got == Lines::Got::End)
        return dataError("data.csv.empty", source.at(0), Message::of("the file has no lines"),
                         Message::of("Give a table of numbers, one record a line."));
    auto const width = cells.size();
    bool const named = options.header == CsvOptions::Header::Present
        || (options.header == CsvOptions::Header::Auto
            && std::any_of(cells.begin(), cells.end(), [](Cell const &c) { return !parseNumber(c.text); }));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < width; ++i) names.push_back(named ? unquoted(cells[i]) : "column " + std::to_string(i));
    std::int64_t weightColumn = -1;
    if (auto const &wanted = options.weightColumn; !wanted.empty()) {
        TW_ASSIGN(weightColumn, findColumn(source, wanted, names, named, Message::of("there is no column '%1' for the weights", wanted)));
    }
    TW_ASSIGN(auto const labelColumn, findLabelColumn(source, options.labelColumn, names, named, weightColumn));
    if (weightColumn >= 0 && weightColumn == labelColumn)
        return dataError("data.csv.column", source.fullName(),
                         Message::of("column '%1' is for the labels and for the weights", names[static_cast<std::size_t>(labelColumn)]),
                         Message::of("Name another column in data.sample_weight or data.label_column."));
    if (named) got = lines.next(cells);

    auto const offsets = std::make_shared<std::vector<std::int64_t>>();
    std::vector<float> features, labels, weights, values;
    std::int64_t damaged = 0;
    std::string firstDamaged;
    for (std::int64_t record = 0; got != Lines::Got::End; ++record, got = lines.next(cells)) {
        if (record % 1024 == 0) {
            if (job.cancelled()) return cancelledError(source.fullName());
            job.report("reading data", static_cast<double>(lines.position()) / static_cast<double>(text.size()));
        }
        if (got == Lines::Got::OpenQuote) return openQuote(record);
        auto const read =
            parseRow(source, cells, {record, static_cast<std::int64_t>(lines.lineStart()), width, named ? &names : nullptr}, values);
        if (!read.ok() && options.skipDamaged) {
            if (damaged++ == 0) firstDamaged = read.error().subject;
            continue;
        }
        if (!read.ok()) return read.error();
        if (static_cast<std::int64_t>(features.size() + width) > limitOf(Limit::Elements))
            return dataError("data.limit", source.at(static_cast<std::int64_t>(lines.lineStart())),
                             Message::of("the table has more than %1 numbers", limitOf(Limit::Elements)), limitRemedy(Limit::Elements));
        offsets->push_back(source.base + static_cast<std::int64_t>(lines.lineStart()));
        for (std::size_t i = 0; i < width; ++i) {
            auto const column = static_cast<std::int64_t>(i);
            if (column == labelColumn) labels.push_back(values[i]);
            if (column == weightColumn) weights.push_back(values[i]);
            else if (column != labelColumn || options.labelIsFeature) features.push_back(values[i]);
        }
    }
    if (damaged > 0)
        job.warn(makeWarning("data.damaged", source.fullName(),
                             Message::of("%1 damaged records are left out, the first at %2.", damaged, firstDamaged)));
    if (offsets->empty())
        return dataError("data.csv.empty", source.at(static_cast<std::int64_t>(source.size)), Message::of("the file has no records"),
                         Message::of("Give at least one record after the header."));

    CsvTable table;
    auto const records = static_cast<std::int64_t>(offsets->size());
    DataOrigin origin;
    origin.file = source.name;
    origin.entry = source.entry;
    origin.recordOffsets = offsets;
    origin.inflated = source.inflated;
    if (weightColumn >= 0) {
        table.weights = makeArray(Shape{records}, std::move(weights));
        table.weights.origin = origin;
    }
    if (labelColumn >= 0) table.labelName = names[static_cast<std::size_t>(labelColumn)];
    auto const notFeature = options.labelIsFeature ? std::int64_t{-1} : labelColumn;
    for (auto const column : {std::max(notFeature, weightColumn), std::min(notFeature, weightColumn)})
        if (column >= 0) names.erase(names.begin() + column);
    if (labelColumn >= 0) {
        table.labels = labelArray(std::move(labels));
        table.labels.origin = origin;
    }
    table.columns = std::move(names);
    table.features = makeArray(Shape{records, static_cast<std::int64_t>(table.columns.size())}, std::move(features));
    table.features.origin = std::move(origin);
    return table;
}

Result<CsvTable> readCsv(std::filesystem::path const &path, CsvOptions const &options, JobContext const &job)
{
    TW_ASSIGN(auto const source, openSource(path));
    return parseCsv(source, options, job);
}

} // namespace tilewright::data
