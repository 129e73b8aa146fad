#include "engine/core/build.h"
#include "packaging/desktop/docs/command_docs.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

/// Writes the man pages and the shell completions into a folder: `tilewright-docs FOLDER DATE`.
int main(int argc, char **argv)
{
    using namespace tilewright;
    if (argc != 3) {
        std::fputs("Usage: tilewright-docs FOLDER DATE\n", stderr);
        return 2;
    }
    std::filesystem::path const folder = argv[1];
    std::string const number(version()), date = argv[2];
    std::pair<char const *, std::string> const files[] = {
        {"tilewright.1", docs::manPage(number, date)}, {"tilewright-gui.1", docs::workbenchManPage(number, date)},
        {"tilewright.bash", docs::bashCompletion()},   {"_tilewright", docs::zshCompletion()},
        {"tilewright.fish", docs::fishCompletion()},
    };
    std::filesystem::create_directories(folder);
    for (auto const &[name, text] : files) {
        std::ofstream stream(folder / name, std::ios::binary);
        stream << text;
        if (!stream.flush()) {
            std::fprintf(stderr, "tilewright-docs: cannot write %s\n", (folder / name).c_str());
            return 1;
        }
    }
    return 0;
}
