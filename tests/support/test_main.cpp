#include "tests/support/runner.h"

#include <QCoreApplication>

int main(int argc, char **argv)
{
    QCoreApplication const application(argc, argv);
    return tilewright::tests::runTests(argc, argv);
}
