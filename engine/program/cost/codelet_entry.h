#pragma once

#include "engine/program/cost/codelet_table.h"
#include "engine/program/cost/value_type.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// How the files of the codelet table write their entries. Internal to engine/program/cost.
namespace tilewright::cost {

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

struct Entry {
    std::string name;
    std::string family;
    std::string title;
    std::vector<CostParam> params;
    std::function<Result<Cycles>(Args const &)> cycles;
    bool perWorker = false;
    Bytes codeBytes = 0;
    std::function<Bytes(Args const &)> stateBytes;
    std::string source;
};
CodeletInfo makeCodelet(Entry entry);

CostParam integerParam(std::string name, std::string defaultText, std::string help, std::int64_t minimum = 0,
                       std::int64_t maximum = 10'000'000'000);
CostParam listParam(std::string name, std::string help);
CostParam typeParam(std::string name, std::string defaultText, std::string help, std::vector<std::string> choices = {});
CostParam choiceParam(std::string name, std::string defaultText, std::string help, std::vector<std::string> choices);
CostParam flagParam(std::string name, std::string help);

void addConvCodelets(std::vector<CodeletInfo> &table);
void addElementwiseCodelets(std::vector<CodeletInfo> &table);
void addOtherCodelets(std::vector<CodeletInfo> &table);

} // namespace tilewright::cost
