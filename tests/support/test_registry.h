#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

class QObject;

namespace tilewright::tests {

struct TestClass {
    std::string name;
    std::function<std::unique_ptr<QObject>()> create;
};

/// The test classes linked into this executable. A ctest entry runs one of them by name.
std::vector<TestClass> &registeredTests();

struct Register {
    Register(char const *name, std::function<std::unique_ptr<QObject>()> create) { registeredTests().push_back({name, std::move(create)}); }
};

/// Registers the test class with the executable's main; put it after the class.
#define TW_REGISTER_TEST(Class)                                                                                                            \
    static ::tilewright::tests::Register const twRegister##Class(#Class, [] { return std::make_unique<Class>(); })

} // namespace tilewright::tests
