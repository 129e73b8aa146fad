#pragma once

#include "engine/config/log_levels.h"
#include "engine/core/result.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::cli {

struct OutputOptions {
    bool json = false;
    bool lines = false; ///< with json: one object per line
    bool quiet = false;
    bool verbose = false;
    std::string color = "auto"; ///< auto, always, never
    config::LogLevels logs;
};

/// Everything a command says. Results go to stdout, as text or JSON; warnings, logs, progress and (without
/// --json) errors to stderr. Under MPI only rank 0 writes to stdout. One thread at a time.
class Output {
public:
    explicit Output(OutputOptions options);
    ~Output();
    Output(Output const &) = delete;
    Output &operator=(Output const &) = delete;

    bool json() const { return m_options.json; }
    bool quiet() const { return m_options.quiet; }
    bool verbose() const { return m_options.verbose; }
    /// Whether progress may be drawn: stderr is a terminal and nobody asked for quiet.
    bool showsProgress() const { return m_progress; }

    /// The command's JSON document; an object also gets "warnings" when there were any (always with
    /// `alwaysWarnings`). Call once, with json() only.
    void document(nlohmann::ordered_json document, bool alwaysWarnings = false);
    /// One line {"event":NAME, …}.
    void event(std::string_view name, nlohmann::ordered_json const &fields);
    /// Text of a result, made safe for a terminal. Without json() only.
    void text(std::string_view text);

    /// Shows an error and returns its exit code.
    int fail(Diagnostic const &error);
    /// A result that is a failure too: the document gets an "error"; without json() `text` goes to stdout and the
    /// error to stderr.
    int fail(Diagnostic const &error, nlohmann::ordered_json document, std::string_view text);

    /// Shows what came in since the last call.
    void showWarnings();
    DiagnosticSink &warnings() { return m_warnings; }

    void log(config::LogComponent component, config::LogLevel level, std::string_view text);

    /// Draws a line of progress where that is wanted; redrawn only when it would look different.
    void progress(std::string_view phase, double fraction, std::string_view note = {});
    void progressLine(std::string const &line);
    void clearProgress();

    /// The last thing of a command that ended with `code`: when stdout took not everything, that is told in a line
    /// on stderr, and success becomes exit code 5. Before, a stdout that fails is left alone and the command goes on.
    int finish(int code);

private:
    void toStdout(std::string_view text);
    std::string painted(std::string_view text, char const *code) const;

    OutputOptions m_options;
    bool m_color = false, m_progress = false, m_silent = false;
    bool m_documentWritten = false;
    int m_stdoutError = 0; ///< errno of the first write that failed
    std::string m_progressLine;
    DiagnosticSink m_warnings;
    std::size_t m_shown = 0; ///< warnings already on stderr
};

/// {"code","subject","message","remedy","arguments"}; the arguments are those of the message, in the order of its pattern's places.
nlohmann::ordered_json toJson(Diagnostic const &diagnostic);

/// Columns padded to their widest cell, two blanks between; a column whose header starts with '>' is set right. Cells
/// are made safe: whatever a file calls its layers, a row stays a row.
std::string tableText(std::vector<std::string> const &header, std::vector<std::vector<std::string>> const &rows);
/// "1.5 ms", "12.3 us", "2.1 s".
std::string secondsText(double seconds);
/// `digits` significant ones.
std::string fixedText(double value, int decimals);

} // namespace tilewright::cli
