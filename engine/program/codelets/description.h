#pragma once

#include "engine/program/codelet.h"
#include "engine/program/cost/cost_params.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Public description of a codelet: its name in the vendor's library, its function, and its cost for given sizes.
namespace tilewright::program {

/// The sizes of one vertex without a program.
struct SizedVertex {
    std::vector<FieldShape> fields;
    std::vector<double> scalars = {};
    std::string expr = {};
    VertexShape shape() const { return {fields, scalars, expr}; }
};

struct CodeletDescription {
    std::string library; ///< "poplin::ConvPartial1x1Out"; empty: no such vertex in the library
    std::string family;  ///< "matmul", "elementwise", "reduce", "slice", "nn", "optimizer", "state", "random", "sort", "copy", "sync"
    std::string title;   ///< one line
    std::string source;  ///< source of the formula
    std::vector<cost::CostParam> params;
    /// The vertex for the parameters, with the compiler's fields and scalars: its state and, without `cycles`, its time. Empty: a codelet
    /// without a function.
    std::function<SizedVertex(cost::Args const &)> vertex;
    /// The library's estimator, with parameters that no compile sets: widths of loads, sorted offsets …. Where they describe a vertex of
    /// the compiler, the cycles equal Codelet::cycles. Errors name the parameter.
    std::function<Result<Cycles>(cost::Args const &)> cycles;
    bool perWorker = false; ///< `cycles` are issue cycles of one worker; alone on a tile it takes six times as many
    std::function<Bytes(cost::Args const &)> stateBytes = {}; ///< of a codelet without a function
    std::function<Bytes(cost::Args const &)> codeBytes = {};  ///< if they depend on the expression
};
std::shared_ptr<CodeletDescription const> describe(CodeletDescription description);

/// "poplin::ConvPartial1x1Out"; "tilewright::Adam" for codelets that the library lacks.
std::string fullName(Codelet const &codelet);
/// Finds a codelet by its name, or the library's with or without namespace. The error names the nearest one.
Result<Codelet const *> codeletNamed(std::string_view name);

struct VertexPrice {
    cost::ParamMap params; ///< with the defaults
    Cycles cycles = 0;     ///< of the tile, or of one worker (CodeletDescription::perWorker)
    Cycles tileCycles = 0; ///< of the vertex alone on its tile
    Bytes codeBytes = 0, stateBytes = 0;
};
/// Errors (Usage): those of cost::resolveParams, and cost.no-codelet if the library has no such vertex.
Result<VertexPrice> priceVertex(Codelet const &codelet, cost::ParamMap const &given, target::Chip const &chip);

/// A vertex of the library that the compiler does not use: it has a cost, but no function.
struct LibraryVertex {
    std::string name; ///< with its namespace
    std::string family;
    std::string title;
    std::vector<cost::CostParam> params;
    std::function<Result<Cycles>(cost::Args const &)> cycles;
    bool perWorker = false;
    Bytes codeBytes = 0;
    std::function<Bytes(cost::Args const &)> stateBytes;
    std::string source;
};
Codelet codeletWithoutFunction(LibraryVertex vertex);

} // namespace tilewright::program
