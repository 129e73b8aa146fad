#include "engine/cli/argument_parser.h"
#include "engine/target/machine.h"
#include "packaging/desktop/docs/command_docs.h"

#include <cstdio>

namespace tilewright::docs {

namespace {

/// Text as troff reads it back: marks and non-ASCII characters escaped, no line that begins with a request.
std::string troff(std::string const &text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const c = static_cast<unsigned char>(text[i]);
        if (c == '\\') out += "\\e";
        else if (c == '-') out += "\\-";
        else if (c == '`' || c == '\'') out += "\\(aq";
        else if ((c == '.') && (i == 0 || text[i - 1] == '\n')) out += "\\&.";
        else if (c < 0x80) out += static_cast<char>(c);
        else { // UTF-8, well-formed: these are our own texts
            int const more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
            unsigned code = c & (0x3F >> more);
            for (int k = 0; k < more; ++k) code = (code << 6) | (static_cast<unsigned char>(text[++i]) & 0x3F);
            char escaped[16];
            std::snprintf(escaped, sizeof escaped, "\\[u%04X]", code);
            out += escaped;
        }
    }
    return out;
}

std::string title(std::string const &name, std::string const &version, std::string const &date)
{
    return ".\\\" Generated from the program's own tables. Do not edit.\n.TH " + name + " 1 \"" + date + "\" \"Tilewright " + version
        + "\" \"User Commands\"\n.nh\n";
}

std::string parameterText(cli::Parameter const &p)
{
    std::string text = ".TP\n";
    if (!p.isOption()) text += "\\fI" + troff(p.name) + "\\fR" + (p.many ? " ...\n" : "\n");
    else if (p.isFlag()) text += "\\fB" + troff(p.name) + "\\fR\n";
    else text += "\\fB" + troff(p.name) + "\\fR \\fI" + troff(p.value) + "\\fR\n";
    text += troff(p.help);
    if (!p.choices.empty() && (!p.isOption() || p.value.find('|') == std::string::npos)) {
        text += ":";
        for (auto const &choice : p.choices) text += (choice == p.choices.front() ? " " : ", ") + troff(choice);
    }
    return text + ".\n";
}

std::string usageText(cli::Command const &command, std::string const &program)
{
    std::string text = "\\fB" + troff(program) + "\\fR";
    bool options = false;
    for (auto const &p : command.parameters) {
        if (p.isOption()) {
            options = true;
            continue;
        }
        auto const shown = "\\fI" + troff(p.name) + "\\fR" + (p.many ? " ..." : "");
        text += p.required ? " " + shown : " [" + shown + "]";
    }
    return text + (options ? " [\\fIoptions\\fR]" : "");
}

std::string commandText(cli::Command const &command)
{
    std::string text = ".TP\n" + usageText(command, command.name) + "\n" + troff(command.summary) + ".\n";
    if (!command.details.empty()) text += ".IP\n" + troff(command.details) + "\n";
    if (!command.parameters.empty()) {
        text += ".RS\n";
        for (auto const &p : command.parameters) text += parameterText(p);
        text += ".RE\n";
    }
    return text;
}

constexpr char kEnvironment[] =
    ".SH ENVIRONMENT\n"
    "Options of the environment win over those of a project.\n"
    ".TP\n.B TF_POPLAR_FLAGS\nFlags, as \\fBtilewright options\\fR lists them.\n"
    ".TP\n.BR POPLAR_ENGINE_OPTIONS \", \" POPLAR_TARGET_OPTIONS \", \" POPLAR_RUNTIME_OPTIONS\nJSON objects of options.\n"
    ".TP\n.BR POPLAR_LOG_LEVEL \", \" POPLIBS_LOG_LEVEL \", \" TF_POPLAR_VLOG_LEVEL \", \" TF_CPP_MIN_VLOG_LEVEL \", \" TF_CPP_VMODULE\n"
    "What is logged; \\fB\\-\\-log\\fR wins.\n"
    ".TP\n.B NO_COLOR\nNo colours on stderr.\n"
    ".TP\n.B XDG_CACHE_HOME\nWhere compiled executables are kept: \\fItilewright\\fR in it, else in \\fI~/.cache\\fR.\n"
    ".TP\n.BR XDG_RUNTIME_DIR \", \" TILEWRIGHT_RUN_DIR\nWhere processes tell each other which emulated devices they use.\n"
    ".TP\n.B TILEWRIGHT_DEVICE_FAULT\nSTEP:CLASS makes the device fail after a step, to try scripts that supervise runs. Classes: "
    "application, "
    "IPU_RESET,\nLINK_RESET, PARTITION_RESET, FULL_RESET, unrecoverable.\n";

constexpr char kFiles[] =
    ".SH FILES\n"
    ".TP\n.I NAME.tilewright\nA project: model, configuration, training plan, data source, checkpoints, history. An SQLite file.\n"
    ".TP\n.I NAME.twreport\nA report of a compile and a run. An SQLite file; it never changes once it is finished.\n";

} // namespace

std::string manPage(std::string const &version, std::string const &date)
{
    std::string text = title("TILEWRIGHT", version, date);
    text += ".SH NAME\ntilewright \\- build, compile and train models on an emulated IPU\n"
            ".SH SYNOPSIS\n.B tilewright\n.I command\n.RI [ arguments \" ...] [\" options ]\n.br\n.B tilewright\n"
            "[\\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR]\n"
            ".SH DESCRIPTION\n"
            "Tilewright compiles Keras-style models onto an emulated system of one to 64 IPUs, trains them there for real on\n"
            "this computer, and tells where every byte and every cycle went. Cycles, emulated seconds, temperatures and power\n"
            "are modelled; host seconds are measured.\n"
            ".PP\nWithout a command, on a desktop, it starts the workbench,\n.BR tilewright\\-gui (1).\n"
            ".SH COMMANDS\n";
    std::string group;
    for (auto const &command : cli::commandTable()) {
        if (command.group != group) text += ".SS " + troff(command.group) + "\n";
        group = command.group;
        text += commandText(command);
    }
    text += ".SH OPTIONS\nEvery command takes these, before or after its name.\n";
    for (auto const &p : cli::globalParameters()) text += parameterText(p);
    text += ".TP\n\\fB\\-\\-version\\fR\nprint the program's version.\n";
    text += ".SH TARGETS\nOptions follow in the same word: \\fBgc200:tiles=8\\fR, \\fBpod16:ipus=4\\fR.\n";
    for (auto const &machine : target::builtinMachines()) text += ".TP\n.B " + troff(machine.name) + "\n" + troff(machine.title) + "\n";
    text += ".SH EXIT STATUS\n";
    for (auto const &[code, meaning] : exitCodes()) text += ".TP\n.B " + code + "\n" + troff(meaning) + "\n";
    text += kEnvironment;
    text += kFiles;
    text += ".SH EXAMPLES\n";
    for (auto const &command : cli::commandTable())
        if (!command.example.empty()) text += ".PP\n.EX\n" + troff(command.example) + "\n.EE\n";
    return text + ".SH SEE ALSO\n.BR tilewright\\-gui (1)\n";
}

std::string workbenchManPage(std::string const &version, std::string const &date)
{
    auto const &command = workbenchCommand();
    std::string text = title("TILEWRIGHT-GUI", version, date);
    text +=
        ".SH NAME\ntilewright\\-gui \\- workbench for models on an emulated IPU\n.SH SYNOPSIS\n" + usageText(command, command.name) + "\n";
    text += ".SH DESCRIPTION\n"
            "The workbench builds a model on a canvas, compiles it onto an emulated IPU, trains it, and shows memory, liveness,\n"
            "program, operations and time of the run. A second start hands its files to the window that is open.\n"
            ".PP\nHelp is in the program: press F1.\n.SH OPTIONS\n";
    for (auto const &p : command.parameters) text += parameterText(p);
    text += kFiles;
    text += ".TP\n.I ~/.config/tilewright/\nSettings and layouts (or below \\fBXDG_CONFIG_HOME\\fR).\n"
            ".TP\n.I ~/.local/state/tilewright/\nAutosaves (or below \\fBXDG_STATE_HOME\\fR).\n";
    text += ".SH EXAMPLES\n.EX\n" + troff(command.example) + "\n.EE\n";
    return text + ".SH SEE ALSO\n.BR tilewright (1)\n";
}

} // namespace tilewright::docs
