#pragma once

#include "engine/core/random.h"
#include "engine/program/codelet.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

/// One vertex of each codelet with random sizes, and what it must compute as naive loops in double.
namespace tilewright::tests {

struct CaseField {
    DType dtype = DType::F32;
    std::int64_t groups = 1, rows = 1, cols = 1;
    std::int64_t row0 = 0, col0 = 0;
    double low = -1, high = 1;               ///< of the random contents; whole numbers in integer types
    bool written = false;                    ///< the vertex may change it
    std::int32_t rowGroup = 1, colGroup = 1; ///< above 1: the bytes lie in groups of so many rows or columns
    bool regrouped = false;                  ///< comes row-major, and is put into its groups
    program::FieldBlock block{};             ///< of a codelet that wants blocks: where it lies; its last size is cols, the others rows
    std::int64_t elements() const { return groups * rows * cols; }
};
/// A field that lies at `block` of its tensor.
CaseField blockField(DType type, std::int64_t groups, program::FieldBlock const &block, bool written, double low = -1, double high = 1);

/// Contents of all fields, as numbers.
using Contents = std::vector<std::vector<double>>;

struct CodeletCase {
    std::string codelet;
    std::vector<CaseField> fields;
    std::vector<double> scalars;
    std::string expr;
    int replica = 0, replicas = 1;
    std::uint64_t seed = 0;
    double tolerance = 1e-5; ///< relative to the largest expected magnitude of the field
    /// Turns the contents before into those after.
    std::function<void(Contents &)> naive;
};

/// Random cases of one codelet; asked with a fresh stream each time. Empty name: there is no such codelet here.
std::vector<std::string> codeletsWithCases();
CodeletCase makeCase(std::string const &codelet, RandomStream &random);

/// By codelet; one file for each subject, a line each in codelet_cases.cpp.
using CaseMakers = std::map<std::string, std::function<CodeletCase(RandomStream &)>>;
CaseMakers productCases();
CaseMakers convCases();
CaseMakers movementCases();
CaseMakers elementwiseCases();
CaseMakers reductionCases();
CaseMakers lossCases();
CaseMakers optimizerCases();
CaseMakers poolCases();
CaseMakers normCases();

} // namespace tilewright::tests
