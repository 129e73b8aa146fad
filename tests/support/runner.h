#pragma once

#include "tests/support/test_registry.h"

#include <QtTest>

#include <cstdio>
#include <cstring>

// Included by the file that has main(), and by no other.
namespace tilewright::tests {

std::vector<TestClass> &registeredTests()
{
    static std::vector<TestClass> tests;
    return tests;
}

/// Usage: EXECUTABLE [CLASS [Qt Test arguments]]; without a class all run. --list prints the names.
inline int runTests(int argc, char **argv)
{
    std::string const wanted = argc > 1 && argv[1][0] != '-' ? argv[1] : "";
    if (argc > 1 && std::strcmp(argv[1], "--list") == 0) {
        for (auto const &test : registeredTests()) std::printf("%s\n", test.name.c_str());
        return 0;
    }
    std::vector<char *> arguments{argv[0]};
    for (int i = wanted.empty() ? 1 : 2; i < argc; ++i) arguments.push_back(argv[i]);
    int failures = 0;
    bool found = false;
    for (auto const &test : registeredTests()) {
        if (!wanted.empty() && test.name != wanted) continue;
        found = true;
        auto const object = test.create();
        failures += QTest::qExec(object.get(), static_cast<int>(arguments.size()), arguments.data());
    }
    if (!found) {
        std::fprintf(stderr, "no test class named '%s'\n", wanted.c_str());
        return 2;
    }
    return failures == 0 ? 0 : 1;
}

} // namespace tilewright::tests
