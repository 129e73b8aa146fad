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

/// All output of a command. Results go to stdout, as text or JSON. Warnings, logs, progress and (without --json) errors go to stderr. Under
/// MPI only rank 0 writes to stdout. One thread at a time.
class Output {
public:
    explicit Output(OutputOptions options);
    ~Output();
    Output(Output const &) = delete;
    Output &operator=(Output const &) = delete;

    bool json() const { return m_options.json; }
    bool quiet() const { return m_options.quiet; }
    bool verbose() const { return m_options.verbose; }
    /// Whether to draw progress: stderr is a terminal and --quiet was not given.
    bool showsProgress() const { return m_progress; }

    /// The command's JSON document. An object also gets "warnings" if there were any (always with `alwaysWarnings`). Call once, with json()
    /// only.
    void document(nlohmann::ordered_json document, bool alwaysWarnings = false);
    /// One line {"event":NAME, …}.
    void event(std::string_view name, nlohmann::ordered_json const &fields);
    /// Text of a result, escaped for a terminal. Without json() only.
    void text(std::string_view text);

    /// Shows an error and returns its exit code.
    int fail(Diagnostic const &error);
    /// A result that is also a failure: the document gets an "error". Without json(), `text` goes to stdout and the error to stderr.
    int fail(Diagnostic const &error, nlohmann::ordered_json document, std::string_view text);

    /// Shows the warnings since the last call.
    void showWarnings();
    DiagnosticSink &warnings() { return m_warnings; }

    void log(config::LogComponent component, config::LogLevel level, std::string_view text);

    /// Draws a progress line if progress is shown. Redraws it only when it changes.
    void progress(std::string_view phase, double fraction, std::string_view note = {});
    void progressLine(std::string const &line);
    void clearProgress();

    /// Call last, with the command's exit code. If stdout could not be written completely, prints a line on stderr and turns success into
    /// exit code 5. A failing stdout does not stop the command earlier.
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

/// Columns padded to their widest cell, separated by two blanks. A header that starts with '>' right-aligns its column. Cells are escaped,
/// so that a layer's name cannot break a row.
std::string tableText(std::vector<std::string> const &header, std::vector<std::vector<std::string>> const &rows);
/// The text in lines of at most 100 characters, for a place that begins at `column`: lines after the first are indented as far.
std::string wrappedText(std::string const &text, std::size_t column);
/// A thing with a name, for definitionText.
struct Definition {
    std::string heading = {}; ///< of a group; empty: none
    std::string name, what, arguments;
};
/// A list for people: names at the left, beside them in wrapped lines what each is, then its arguments. Groups come in the order of their
/// first things.
std::string definitionText(std::vector<Definition> const &list);
/// The text with its first letter in upper case.
std::string capitalised(std::string text);
/// "1.5 ms", "12.3 us", "2.1 s".
std::string secondsText(double seconds);

} // namespace tilewright::cli
