#pragma once

#include "engine/program/codelet.h"

#include <vector>

namespace tilewright::program {

// Codelet families, each in its own file. Field 0 is always the output (or the state updated in place).
void addMatmulCodelets(std::vector<Codelet> &all);
void addConvCodelets(std::vector<Codelet> &all);
void addMapCodelet(std::vector<Codelet> &all);
void addReduceCodelets(std::vector<Codelet> &all);
void addCumulativeCodelets(std::vector<Codelet> &all);
void addCopyCodelets(std::vector<Codelet> &all);
void addSliceCodelets(std::vector<Codelet> &all);
void addLossCodelets(std::vector<Codelet> &all);
void addOptimizerCodelets(std::vector<Codelet> &all);
void addUpdateCodelets(std::vector<Codelet> &all);
void addStateCodelets(std::vector<Codelet> &all);
void addPoolCodelets(std::vector<Codelet> &all);
void addNormCodelets(std::vector<Codelet> &all);
void addNoiseCodelets(std::vector<Codelet> &all);
// Vertices of the library with a cost but without a function.
void addLibraryMatmul(std::vector<Codelet> &all);
void addLibraryElementwise(std::vector<Codelet> &all);
void addLibraryOthers(std::vector<Codelet> &all);

} // namespace tilewright::program
