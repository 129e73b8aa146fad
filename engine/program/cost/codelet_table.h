#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/target/machine.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The cycle model by name: every codelet with its parameters, for the `vertex` command and for reports.
/// The compiler calls the typed functions of the cost headers instead.
namespace tilewright::cost {

/// Values as typed: name -> text.
using ParamMap = std::map<std::string, std::string, std::less<>>;

enum class ParamKind {
    Integer,
    IntegerList, ///< "64,64,32"
    Type,        ///< an element type: f16, f32, f8, i32, u32, u8, bool …
    Choice,      ///< one of `choices`
    Flag         ///< 0 or 1, false or true
};

struct CostParam {
    std::string name;
    ParamKind kind = ParamKind::Integer;
    /// Empty: must be given. "target": the machine's own number.
    std::string defaultText;
    std::string help;
    std::vector<std::string> choices = {};
    std::int64_t minimum = 0;
    std::int64_t maximum = 10'000'000'000;
};

struct CodeletInfo {
    std::string name;   ///< as the library calls it: "poplin::ConvPartial1x1Out"
    std::string alias;  ///< without the namespace
    std::string family; ///< "matmul", "elementwise", "reduce", "slice", "nn", "random", "sort", "copy", "sync"
    std::string title;  ///< one line
    std::vector<CostParam> params;
    /// Cycles of one vertex: of the tile, or of one worker when `perWorker`. Errors name the parameter.
    std::function<Result<Cycles>(ParamMap const &, target::Chip const &)> cycles;
    bool perWorker = false; ///< issue cycles of one worker; alone on a tile it takes six times as many
    /// Machine code, once per tile that uses the codelet. Size guides, not measurements: together one f16
    /// matmul's codelets come to 1.2-1.6 kB, softmax's or a norm's to 1.6-2.0 kB.
    Bytes codeBytes = 0;
    /// Fields of one vertex in memory: 4 bytes a pointer, 8 with a length, work lists 6 bytes an entry.
    /// Values that do not parse count as the defaults.
    std::function<Bytes(ParamMap const &)> stateBytes;
    std::string source; ///< where the formula comes from
};

/// All codelets, grouped by family, in a fixed order.
std::span<CodeletInfo const> codelets();

/// By name or alias. The error names the nearest codelet.
Result<CodeletInfo const *> findCodelet(std::string_view name);

/// `given` with the defaults of the codelet filled in. Errors (Usage): cost.unknown-parameter,
/// cost.missing-parameter, cost.bad-parameter; the subject is "CODELET PARAM".
Result<ParamMap> resolveParams(CodeletInfo const &codelet, ParamMap const &given, target::Chip const &chip);

/// Tile cycles of the vertex alone on its tile: per-worker cycles times six.
Result<Cycles> tileCycles(CodeletInfo const &codelet, ParamMap const &given, target::Chip const &chip);

} // namespace tilewright::cost
