#include "tests/engine/program/codelet_cases.h"

namespace tilewright::tests {

namespace {

CaseMakers const &makers()
{
    static CaseMakers const all = [] {
        CaseMakers m;
        for (auto const part :
             {productCases, convCases, movementCases, elementwiseCases, reductionCases, lossCases, optimizerCases, poolCases, normCases})
            m.merge(part());
        return m;
    }();
    return all;
}

} // namespace

std::vector<std::string> codeletsWithCases()
{
    std::vector<std::string> names;
    for (auto const &[name, maker] : makers()) names.push_back(name);
    return names;
}

CaseField blockField(DType type, std::int64_t groups, program::FieldBlock const &block, bool written, double low, double high)
{
    std::int64_t rows = 1;
    for (int d = 0; d + 1 < block.rank; ++d) rows *= block.size(d);
    return {type, groups, rows, block.size(block.rank - 1), 0, 0, low, high, written, 1, 1, false, block};
}

CodeletCase makeCase(std::string const &codelet, RandomStream &random)
{
    auto const it = makers().find(codelet);
    if (it == makers().end()) return {};
    auto c = it->second(random);
    c.codelet = codelet;
    return c;
}

} // namespace tilewright::tests
