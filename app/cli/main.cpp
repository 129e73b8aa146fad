#include "engine/cli/command_line.h"

int main(int argc, char **argv) { return tilewright::cli::runCommandLine(argc, argv); }
