#include "engine/cli/workbench.h"

#include "engine/cli/command.h"
#include "engine/cli/interrupt.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace tilewright::cli {

namespace {

bool isSet(char const *variable)
{
    char const *value = std::getenv(variable);
    return value && *value;
}

} // namespace

std::string programPath()
{
    std::error_code problem;
    auto const path = std::filesystem::read_symlink("/proc/self/exe", problem);
    return problem ? std::string() : path.string();
}

bool hasDesktop() { return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY"); }

// A platform of the user's choice may need no display: a frame buffer, VNC, off-screen.
bool canShowWindows() { return hasDesktop() || isSet("QT_QPA_PLATFORM"); }

std::string becomeProgram(std::string const &path, std::vector<std::string> const &arguments)
{
    std::vector<std::string> all{path};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char *> pointers;
    for (auto &argument : all) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    allowInterrupts();
    execv(path.c_str(), pointers.data());
    return std::strerror(errno);
}

Status startWorkbench(std::vector<std::string> const &arguments)
{
    auto const gui = std::filesystem::path(programPath()).parent_path() / "tilewright-gui";
    if (access(gui.c_str(), X_OK) != 0)
        return notInstalled(gui.string(), Message::of("the workbench is not installed."),
                            Message::of("Install the package that brings tilewright-gui."));
    return notInstalled(gui.string(), Message::of("the workbench cannot be started: %1.", becomeProgram(gui.string(), arguments)),
                        Message::of("Reinstall the package that brings tilewright-gui."));
}

} // namespace tilewright::cli
