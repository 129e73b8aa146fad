// `tilewright python`: runs a TensorFlow-for-IPU script with the packages of the Python front end.
#include "engine/cli/command.h"
#include "engine/cli/output.h"
#include "engine/cli/workbench.h"
#include "engine/core/files.h"
#include "engine/core/text.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tilewright::cli {

namespace {

namespace fs = std::filesystem;

constexpr char kInterpreter[] = "/usr/bin/python3";

/// Whether the extension module lies in a folder.
bool holdsModule(fs::path const &folder)
{
    std::error_code problem;
    for (auto const &entry : fs::directory_iterator(folder, problem))
        if (entry.path().filename().string().starts_with("_tilewright.")) return true;
    return false;
}

/// The folders that Python is to search: in an installation one, in a build the module's and that of the packages.
Result<std::vector<std::string>> searchPath()
{
    auto const beside = fs::path(programPath()).parent_path().parent_path();
    for (auto const &folder : {beside / "lib" / "tilewright" / "python", beside / "python"}) {
        if (!holdsModule(folder)) continue;
        std::vector<std::string> path{folder.string()};
        std::ifstream packages(folder / "packages.path");
        std::string line;
        if (std::getline(packages, line)) path.push_back(line);
        return path;
    }
    return notInstalled("python", Message::of("the Python front end is not installed."),
                        Message::of("Build Tilewright with the packages python3-dev, python3-numpy and pybind11-dev."));
}

Result<int> python(Context &context)
{
    auto const &args = context.arguments;
    TW_ASSIGN(auto const path, searchPath());
    auto const joined = joinText(path, ":");
    if (args.has("--path")) {
        if (context.output.json()) context.output.document({{"path", path}});
        else context.output.text(joined + "\n");
        return 0;
    }
    auto const words = args.list("SCRIPT");
    if (words.empty())
        return usageError("cli.missing", "SCRIPT", Message::of("no script is named."), Message::of("Name one, or ask for --path."));
    char const *chosen = std::getenv("TILEWRIGHT_PYTHON");
    std::string const interpreter = chosen && *chosen ? chosen : kInterpreter;
    if (access(interpreter.c_str(), X_OK) != 0)
        return notInstalled(interpreter, Message::of("there is no Python interpreter."), Message::of("Install python3 and python3-numpy."));
    char const *before = std::getenv("PYTHONPATH");
    setenv("PYTHONPATH", (before && *before ? joined + ":" + before : joined).c_str(), 1);
    if (args.has("--report")) setenv("TILEWRIGHT_REPORT", std::filesystem::absolute(args.text("--report")).c_str(), 1);
    std::vector<std::string> arguments{"-P", "-m", "tilewright"};
    if (args.has("--check")) arguments.push_back("--check");
    if (args.has("--check") && context.output.json()) arguments.push_back("--json");
    arguments.insert(arguments.end(), words.begin(), words.end());
    return notInstalled(interpreter, Message::of("Python cannot be started: %1.", becomeProgram(interpreter, arguments)),
                        Message::of("Install python3 and python3-numpy."));
}

} // namespace

std::vector<Command> pythonCommands()
{
    auto script = words("SCRIPT", "a Python script and its own arguments", false);
    return {
        {.name = "python",
         .group = "Scripts",
         .summary = "runs a TensorFlow-for-IPU script on the emulated system",
         .details = "The script imports tensorflow, keras and tensorflow.python.ipu as on the real system; these are Tilewright's own\n"
                    "packages, which hold a part of those names. Names that are missing are errors that name them.\n"
                    "Options of tilewright stand before the script. TILEWRIGHT_PYTHON names another interpreter than\n"
                    "/usr/bin/python3, TILEWRIGHT_DATA the folder of mnist.npz and other data sets, TILEWRIGHT_REPORT the folder of\n"
                    "--report: `tilewright report FOLDER/01-NAME-fit.twreport` shows the first.",
         .example = "tilewright python train.py --epochs 5",
         .parameters = {std::move(script), flag("--check", "list the names that the script uses and that are missing, without running it"),
                        flag("--path", "print the folders of the packages, for PYTHONPATH"),
                        option("--report", "FOLDER", "write the report of each program that the script runs into this folder")},
         .run = python,
         .passesWords = true}};
}

} // namespace tilewright::cli
