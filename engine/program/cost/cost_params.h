#pragma once

#include "engine/core/result.h"
#include "engine/program/cost/value_type.h"
#include "engine/target/machine.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Vertex sizes as typed parameters: their declaration, checks and numeric values.
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
    /// Empty: required. "target": the machine's number.
    std::string defaultText;
    std::string help;
    std::vector<std::string> choices = {};
    std::int64_t minimum = 0;
    std::int64_t maximum = 10'000'000'000;
};

/// Checked parameters of one call. Requires: the names are parameters of the codelet.
class Args {
public:
    Args(ParamMap const &resolved, target::Chip const &chip) : m_values(resolved), m_chip(chip) {}
    std::int64_t integer(std::string_view name) const;
    int smallInteger(std::string_view name) const { return static_cast<int>(integer(name)); }
    bool flag(std::string_view name) const;
    ValueType type(std::string_view name) const;
    std::string const &text(std::string_view name) const;
    std::vector<std::int64_t> list(std::string_view name) const;
    target::Chip const &chip() const { return m_chip; }

private:
    ParamMap const &m_values;
    target::Chip const &m_chip;
};

/// `given` with defaults. Errors (Usage): cost.unknown-parameter, cost.missing-parameter, cost.bad-parameter; the subject is "CODELET
/// PARAM".
Result<ParamMap> resolveParams(std::string_view codelet, std::span<CostParam const> params, ParamMap const &given,
                               target::Chip const &chip);

CostParam integerParam(std::string name, std::string defaultText, std::string help, std::int64_t minimum = 0,
                       std::int64_t maximum = 10'000'000'000);
CostParam listParam(std::string name, std::string help);
CostParam typeParam(std::string name, std::string defaultText, std::string help, std::vector<std::string> choices = {});
CostParam choiceParam(std::string name, std::string defaultText, std::string help, std::vector<std::string> choices);
CostParam flagParam(std::string name, std::string help);

} // namespace tilewright::cost
