#include "engine/runtime/proposal_parts.h"

#include "engine/model/recomputation.h"
#include "engine/model/resolve.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright::runtime {

using project::Project;

std::vector<std::int64_t> recurrentCheckpoints(model::ResolvedModel const &model)
{
    std::int64_t common = 0;
    for (std::size_t i = 0; i < model.calls.size(); ++i) common = std::gcd(common, model::recurrentSteps(model, i));
    std::vector<std::int64_t> counts;
    auto const most = static_cast<std::int64_t>(2 * std::sqrt(static_cast<double>(common)));
    std::int64_t last = 1;
    for (std::int64_t parts = 2; parts <= most; ++parts) {
        if (common % parts != 0 || parts < 2 * last) continue;
        counts.push_back(parts - 1);
        last = parts;
    }
    return counts;
}

bool hasState(model::TrainingPlan const &plan) { return plan.optimizer.className != "SGD" || plan.optimizer.number("momentum") != 0; }

bool touches(Proposal const &proposal, std::string_view path)
{
    return std::ranges::any_of(proposal.set, [path](auto const &field) { return field.first == path; });
}

void put(Proposal &proposal, std::string_view path, std::string value)
{
    for (auto &[name, old] : proposal.set)
        if (name == path) {
            old = std::move(value);
            return;
        }
    proposal.set.emplace_back(path, std::move(value));
}

void put(Proposal &proposal, std::string_view path, std::int64_t value) { put(proposal, path, std::to_string(value)); }

std::string targetText(Project const &present, std::string const &name, int ipus, int tilesEach)
{
    auto const all = target::builtinMachines();
    auto const it = std::ranges::find(all, name, &target::MachineInfo::name);
    if (it == all.end()) return {};
    auto const machine = target::parseMachine(present.target);
    std::vector<std::string> options;
    if (tilesEach != it->machine.chip.tiles) options.push_back("tiles=" + std::to_string(tilesEach));
    if (ipus != it->machine.ipus) options.push_back("ipus=" + std::to_string(ipus));
    if (machine.ok() && machine->kind == target::MachineKind::IpuModel) options.emplace_back("model=1");
    std::string text = name;
    for (std::size_t i = 0; i < options.size(); ++i) text += (i ? "," : ":") + options[i];
    return text;
}

std::string targetWithIpus(Project const &project, int ipus)
{
    auto const machine = target::parseMachine(project.target);
    if (!machine.ok()) return {};
    std::string name = systemName(project);
    auto const own = target::parseMachine(name);
    // A single chip makes a system of any size; another system has no more IPUs than its own.
    if (own.ok() && own->ipus > 1 && own->ipus < ipus) {
        target::MachineInfo const *larger = nullptr;
        for (auto const &info : target::builtinMachines())
            if (info.machine.isEmulated() && info.machine.chip == own->chip && info.machine.ipus >= ipus
                && (!larger || info.machine.ipus < larger->machine.ipus))
                larger = &info;
        name = larger ? larger->name : machine->chip.name;
    } else if (own.ok() && own->ipus == 1) {
        name = machine->chip.name; // "ipu2" is a name of it too
    }
    return targetText(project, name, ipus, machine->chip.tiles);
}

std::string systemName(Project const &project) { return project.target.substr(0, project.target.find(':')); }

int targetIpus(Project const &project)
{
    auto const machine = target::parseMachine(project.target);
    return machine.ok() ? machine->ipus : 1;
}

} // namespace tilewright::runtime
