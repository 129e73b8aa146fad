#include "engine/program/cost/codelet_table.h"

#include "engine/core/text.h"
#include "engine/program/cost/codelet_entry.h"

namespace tilewright::cost {

std::span<CodeletInfo const> codelets()
{
    static std::vector<CodeletInfo> const table = [] {
        std::vector<CodeletInfo> all;
        addConvCodelets(all);
        addElementwiseCodelets(all);
        addOtherCodelets(all);
        return all;
    }();
    return table;
}

Result<CodeletInfo const *> findCodelet(std::string_view name)
{
    std::vector<std::string> names;
    for (CodeletInfo const &codelet : codelets()) {
        if (codelet.name == name || codelet.alias == name) return &codelet;
        names.push_back(codelet.alias);
    }
    std::string_view const plain = name.substr(name.rfind(':') == std::string_view::npos ? 0 : name.rfind(':') + 1);
    std::string const nearest = nearestName(plain, names);
    return makeError(ErrorKind::Usage, "cost.unknown-codelet", std::string(name), "there is no such codelet",
                     nearest.empty() ? "`vertex --list` names them all." : "Did you mean \"" + nearest + "\"?");
}

Result<Cycles> tileCycles(CodeletInfo const &codelet, ParamMap const &given, target::Chip const &chip)
{
    TW_ASSIGN(Cycles const cycles, codelet.cycles(given, chip));
    return codelet.perWorker ? kWorkers * cycles : cycles;
}

} // namespace tilewright::cost
