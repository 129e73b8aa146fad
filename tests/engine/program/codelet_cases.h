#pragma once

#include "engine/core/random.h"
#include "engine/program/codelet.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

/// One vertex of each codelet with random sizes, and its expected result from naive loops in double.
namespace tilewright::tests {

struct CaseField {
    DType dtype = DType::F32;
    std::int64_t groups = 1, rows = 1, cols = 1;
    std::int64_t row0 = 0, col0 = 0;
    double low = -1, high = 1;               ///< of the random contents; whole numbers in integer types
    bool written = false;                    ///< the vertex can change it
    std::int32_t rowGroup = 1, colGroup = 1; ///< above 1: rows or columns are stored in groups of this size
    bool regrouped = false;                  ///< comes row-major, and is put into its groups
    program::FieldBlock block{};             ///< position, for codelets with blocks; its last size is cols, the others rows
    std::int64_t elements() const { return groups * rows * cols; }
};
/// A field at `block` of its tensor.
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

/// Random cases of one codelet, called with a new stream each time. Empty name: not this file's codelet.
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
