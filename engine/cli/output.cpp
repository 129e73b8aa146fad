#include "engine/cli/output.h"

#include "engine/core/ascii.h"
#include "engine/core/files.h"
#include "engine/core/numbers.h"
#include "engine/core/safe_text.h"
#include "engine/core/text.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tilewright::cli {

using Json = nlohmann::ordered_json;

namespace {

constexpr char kReportBug[] = "This is a bug in tilewright: please report it with this message, the command line and the project.";

/// The rank of this process when a launcher of an MPI started it.
int mpiRank()
{
    for (char const *name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
        if (char const *text = std::getenv(name)) return parseIntegerAs<int>(text).value_or(0);
    return 0;
}

/// A diagnostic as one safe line of sentences for a terminal. In the engine, message and remedy may be phrases.
std::string sentences(Diagnostic diagnostic)
{
    constexpr std::size_t kMostCharacters = 2000; // a name may have a megabyte
    auto const shown = [](std::string const &text) { return shortened(safeText(text), kMostCharacters); };
    diagnostic.subject = shown(diagnostic.subject);
    diagnostic.message = shown(diagnostic.message);
    diagnostic.remedy = shown(diagnostic.remedy);
    if (!diagnostic.message.empty() && std::string_view(".!?:").find(diagnostic.message.back()) == std::string_view::npos)
        diagnostic.message += '.';
    auto remedy = diagnostic.remedy.text();
    auto const word = std::string_view(remedy).substr(0, remedy.find_first_of(" :"));
    if (std::ranges::all_of(word, isAsciiLetter) && word != "tilewright") diagnostic.remedy = capitalised(std::move(remedy));
    return toText(diagnostic);
}

std::string dump(Json const &json, int indent)
{
    // Names come from files: bytes that are not UTF-8 are replaced, never thrown at the user.
    return safeJson(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

} // namespace

namespace {

/// Whole numbers as numbers, all else as it stands in the message.
Json argumentsJson(Message const &message)
{
    auto list = Json::array();
    for (auto const &argument : message.arguments()) {
        if (argument.kind() == Argument::Kind::Whole) list.push_back(argument.whole());
        else list.push_back(argument.text());
    }
    return list;
}

} // namespace

Json toJson(Diagnostic const &d)
{
    return {{"code", d.code},
            {"subject", d.subject},
            {"message", d.message.text()},
            {"remedy", d.remedy.text()},
            {"arguments", argumentsJson(d.message)}};
}

Output::Output(OutputOptions options) : m_options(std::move(options))
{
    bool const terminal = isatty(STDERR_FILENO) != 0;
    char const *term = std::getenv("TERM");
    bool const plain = std::getenv("NO_COLOR") || (term && std::string_view(term) == "dumb");
    m_color = m_options.color == "always" || (m_options.color == "auto" && terminal && !plain);
    m_progress = terminal && !m_options.quiet && !(term && std::string_view(term) == "dumb");
    m_silent = mpiRank() != 0;
}

Output::~Output() { clearProgress(); }

void Output::toStdout(std::string_view text)
{
    if (m_silent) return;
    clearProgress();
    if (m_stdoutError == 0) m_stdoutError = writeAll(STDOUT_FILENO, text);
}

int Output::finish(int code)
{
    clearProgress();
    if (m_stdoutError == 0) return code;
    auto const error = makeError(ErrorKind::Data, "output.stdout", "stdout",
                                 Message::of("the output could not be written: %1.", std::strerror(m_stdoutError)),
                                 code == 0 ? Message::of("Everything else was done.") : Message());
    std::fprintf(stderr, "tilewright: %s %s\n", painted("error:", "1;31").c_str(), sentences(error).c_str());
    return code == 0 ? static_cast<int>(error.kind) : code;
}

std::string Output::painted(std::string_view text, char const *code) const
{
    return m_color ? "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m" : std::string(text);
}

void Output::document(Json document, bool alwaysWarnings)
{
    showWarnings();
    if (document.is_object() && (alwaysWarnings || !m_warnings.all().empty())) {
        auto list = Json::array();
        auto const &all = m_warnings.all();
        for (auto it = all.begin(); it != all.end(); ++it)
            if (std::find(all.begin(), it, *it) == it) list.push_back(toJson(*it));
        document["warnings"] = std::move(list);
    }
    m_documentWritten = true;
    toStdout(dump(document, m_options.lines ? -1 : 2) + "\n");
}

void Output::event(std::string_view name, Json const &fields)
{
    Json line{{"event", name}};
    for (auto const &[key, value] : fields.items()) line[key] = value;
    toStdout(dump(line, -1) + "\n");
}

void Output::text(std::string_view text) { toStdout(safeText(text, Breaks::Kept)); }

int Output::fail(Diagnostic const &error)
{
    showWarnings();
    auto shown = error;
    if (error.kind == ErrorKind::Internal) shown.remedy += (shown.remedy.empty() ? "" : " ") + std::string(kReportBug);
    if (m_options.json) {
        if (m_options.lines) event("error", {{"error", toJson(shown)}});
        else document({{"error", toJson(shown)}});
    } else {
        clearProgress();
        std::fprintf(stderr, "tilewright: %s %s\n", painted("error:", "1;31").c_str(), sentences(shown).c_str());
    }
    return static_cast<int>(error.kind);
}

int Output::fail(Diagnostic const &error, Json document, std::string_view text)
{
    if (!m_options.json) {
        this->text(text);
        return fail(error);
    }
    document["error"] = toJson(error);
    this->document(std::move(document));
    return static_cast<int>(error.kind);
}

void Output::showWarnings()
{
    auto const &all = m_warnings.all();
    for (; m_shown < all.size(); ++m_shown) {
        // What opening a file tells, the compile may tell again.
        auto const shown = all.begin() + static_cast<std::ptrdiff_t>(m_shown);
        if (m_options.quiet || std::find(all.begin(), shown, *shown) != shown) continue;
        clearProgress();
        auto const word = all[m_shown].severity == Severity::Note ? painted("note:", "1") : painted("warning:", "1;33");
        std::fprintf(stderr, "tilewright: %s %s\n", word.c_str(), sentences(all[m_shown]).c_str());
    }
}

void Output::log(config::LogComponent component, config::LogLevel level, std::string_view text)
{
    if (!m_options.logs.logs(component, level)) return;
    clearProgress();
    std::fprintf(stderr, "%s %s: %s\n", std::string(config::toText(level)).c_str(), std::string(config::toText(component)).c_str(),
                 safeText(text).c_str());
}

void Output::progress(std::string_view phase, double fraction, std::string_view note)
{
    if (!m_progress) return;
    constexpr int kWidth = 30;
    double const share = std::clamp(fraction, 0.0, 1.0);
    int const done = static_cast<int>(share * kWidth);
    std::string line = std::string(phase) + " [" + std::string(static_cast<std::size_t>(done), '=');
    if (done < kWidth) line += ">" + std::string(static_cast<std::size_t>(kWidth - done - 1), '.');
    line += "] " + std::to_string(static_cast<int>(share * 100)) + " %";
    if (!note.empty()) line += " - " + std::string(note);
    progressLine(safeText(line));
}

void Output::progressLine(std::string const &line)
{
    if (!m_progress || line == m_progressLine) return;
    std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
    std::fflush(stderr);
    m_progressLine = line;
}

void Output::clearProgress()
{
    if (m_progressLine.empty()) return;
    std::fprintf(stderr, "\r\x1b[K");
    std::fflush(stderr);
    m_progressLine.clear();
}

std::string wrappedText(std::string const &text, std::size_t column)
{
    constexpr std::size_t kWidth = 100;
    std::string out;
    std::size_t used = column;
    for (auto const &piece : splitText(text, ' ')) {
        auto const width = characterCount(piece);
        if (used > column && used + 1 + width > kWidth) {
            out += "\n" + std::string(column, ' ');
            used = column;
        }
        if (used > column) {
            out += " ";
            ++used;
        }
        out += piece;
        used += width;
    }
    return out;
}

std::string definitionText(std::vector<Definition> const &list)
{
    std::size_t column = 0;
    for (auto const &one : list) column = std::max(column, characterCount(one.name) + 4);
    std::vector<std::string> headings;
    for (auto const &one : list)
        if (std::ranges::find(headings, one.heading) == headings.end()) headings.push_back(one.heading);
    std::string out;
    for (auto const &heading : headings) {
        if (!heading.empty()) out += (out.empty() ? "" : "\n") + heading + "\n";
        for (auto const &one : list) {
            if (one.heading != heading) continue;
            out += "  " + one.name + std::string(column - 2 - characterCount(one.name), ' ') + wrappedText(one.what, column) + "\n";
            if (!one.arguments.empty()) out += std::string(column, ' ') + wrappedText(one.arguments, column) + "\n";
        }
    }
    return out;
}

std::string tableText(std::vector<std::string> const &header, std::vector<std::vector<std::string>> const &rows)
{
    std::vector<std::size_t> width;
    std::vector<bool> right;
    std::vector<std::string> titles;
    for (auto const &cell : header) {
        right.push_back(cell.starts_with('>'));
        titles.push_back(right.back() ? cell.substr(1) : cell);
        width.push_back(titles.back().size());
    }
    auto cells = rows;
    for (auto &row : cells)
        for (std::size_t i = 0; i < row.size() && i < width.size(); ++i) {
            row[i] = safeText(row[i]);
            width[i] = std::max(width[i], characterCount(row[i]));
        }
    std::string text;
    auto const add = [&](std::vector<std::string> const &row) {
        std::string line;
        for (std::size_t i = 0; i < row.size() && i < width.size(); ++i) {
            std::string const pad(width[i] - characterCount(row[i]), ' ');
            if (i) line += "  ";
            line += right[i] ? pad + row[i] : row[i] + pad;
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    };
    add(titles);
    for (auto const &row : cells) add(row);
    return text;
}

std::string capitalised(std::string text)
{
    if (!text.empty()) text.front() = asciiUpper(text.front());
    return text;
}

std::string secondsText(double seconds)
{
    if (seconds < 1e-6) return fixedText(seconds * 1e9, 0) + " ns";
    if (seconds < 1e-3) return fixedText(seconds * 1e6, 1) + " us";
    if (seconds < 1) return fixedText(seconds * 1e3, 1) + " ms";
    return fixedText(seconds, 2) + " s";
}

} // namespace tilewright::cli
