// Vertices of poplin that the compiler does not use.
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/cost/matmul_cost.h"

namespace tilewright::program {

using namespace cost;

void addLibraryMatmul(std::vector<Codelet> &all)
{
    all.push_back(codeletWithoutFunction({.name = "poplin::OuterProduct",
                                          .family = "matmul",
                                          .title = "outer product of a column and a row",
                                          .params = {floatTypeParam(), integerParam("width", "", "elements of the column"),
                                                     integerParam("channels", "", "elements of the row", 1),
                                                     integerParam("chansPerGroup", "", "output channels per group", 1)},
                                          .cycles = [](Args const &a) -> Result<Cycles> {
                                              return outerProductWorkerCycles(a.type("type"), a.integer("width"), a.integer("channels"),
                                                                              a.integer("chansPerGroup"));
                                          },
                                          .perWorker = true,
                                          .codeBytes = 280,
                                          .stateBytes = fixedState(20),
                                          .source = kPoplinSource}));
    all.push_back(
        codeletWithoutFunction({.name = "poplin::ZeroPartials",
                                .family = "matmul",
                                .title = "zeroing of partials by a vertex of its own",
                                .params = {partialsParam(), integerParam("perWorker", "", "elements of the busiest worker"), groupsParam()},
                                .cycles = [](Args const &a) -> Result<Cycles> {
                                    return zeroPartialsCycles(a.type("partials"), a.integer("perWorker"), a.integer("groups"));
                                },
                                .codeBytes = 120,
                                .stateBytes = fixedState(12),
                                .source = kPoplinSource}));
    all.push_back(codeletWithoutFunction(
        {.name = "poplin::CastAfterReduce",
         .family = "matmul",
         .title = "conversion of partials when no reduction is needed",
         .params = {typeParam("from", "f32", "type of the partials", {"f16", "f32"}),
                    typeParam("to", "f16", "type of the result", {"f16", "f32"}), integerParam("outputs", "", "elements")},
         .cycles = [](Args const &a) -> Result<Cycles> {
             return castAfterReduceCycles(a.integer("outputs"), a.type("from"), a.type("to"));
         },
         .codeBytes = 200,
         .stateBytes = fixedState(16),
         .source = kPoplinSource}));
}

} // namespace tilewright::program
