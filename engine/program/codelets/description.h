#pragma once

#include "engine/program/codelet.h"
#include "engine/program/cost/cost_params.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// What a person can ask of a codelet: its name in the vendor's library, what it does, and its price for sizes that are typed.
namespace tilewright::program {

/// The sizes of one vertex, without a program around it.
struct SizedVertex {
    std::vector<FieldShape> fields;
    std::vector<double> scalars = {};
    std::string expr = {};
    VertexShape shape() const { return {fields, scalars, expr}; }
};

struct CodeletDescription {
    std::string library; ///< "poplin::ConvPartial1x1Out"; empty: the library has no such vertex
    std::string family;  ///< "matmul", "elementwise", "reduce", "slice", "nn", "optimizer", "state", "random", "sort", "copy", "sync"
    std::string title;   ///< one line
    std::string source;  ///< where the formula comes from
    std::vector<cost::CostParam> params;
    /// The vertex that the parameters describe, with the fields and scalars that the compiler gives it: its state and, without
    /// `cycles`, its time. Empty: a codelet without a function.
    std::function<SizedVertex(cost::Args const &)> vertex;
    /// The library's estimator, whose parameters know more than a compile says: widths of loads, sorted offsets …. Where they
    /// describe a vertex of the compiler's, the cycles are those of Codelet::cycles. Errors name the parameter.
    std::function<Result<Cycles>(cost::Args const &)> cycles;
    bool perWorker = false; ///< `cycles` are issue cycles of one worker; alone on a tile it takes six times as many
    std::function<Bytes(cost::Args const &)> stateBytes = {}; ///< of a codelet without a function
    std::function<Bytes(cost::Args const &)> codeBytes = {};  ///< where they depend on the expression
};
std::shared_ptr<CodeletDescription const> describe(CodeletDescription description);

/// "poplin::ConvPartial1x1Out"; "tilewright::Adam" for what the library does not have.
std::string fullName(Codelet const &codelet);
/// By its name, or the library's with or without namespace. The error names the nearest codelet.
Result<Codelet const *> codeletNamed(std::string_view name);

struct VertexPrice {
    cost::ParamMap params; ///< with the defaults
    Cycles cycles = 0;     ///< of the tile, or of one worker (CodeletDescription::perWorker)
    Cycles tileCycles = 0; ///< of the vertex alone on its tile
    Bytes codeBytes = 0, stateBytes = 0;
};
/// Errors (Usage): those of cost::resolveParams, and cost.no-codelet where the library has no such vertex.
Result<VertexPrice> priceVertex(Codelet const &codelet, cost::ParamMap const &given, target::Chip const &chip);

/// A vertex of the library that the compiler makes no use of: it has a price, and no function yet.
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
