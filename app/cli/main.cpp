#include "engine/cli/command_line.h"
#include "engine/core/process.h"

int main(int argc, char **argv)
{
    tilewright::prepareProcess();
    return tilewright::cli::runCommandLine(argc, argv);
}
