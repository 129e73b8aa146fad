#pragma once

#include "engine/program/program.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

/// Faults of a lowered program, of the kinds that a mistake in the compiler makes. Fused mode runs the graph, so it stays right.
namespace tilewright::tests {

struct ProgramFault {
    std::string kind;  ///< "wrong operand", "dropped addend", "stale halo", "lost transfer"
    std::string where; ///< compute set or exchange, and variables
    std::function<void(program::Program &)> apply;
};

/// All that can be made of a program by changing one field or one transfer.
inline std::vector<ProgramFault> faultsOf(program::Program const &program)
{
    using program::Access;
    using program::DimKind;
    std::vector<ProgramFault> all;
    auto const named = [&](program::VarId id) { return program.var(id).name; };
    for (std::size_t c = 0; c < program.computeSets.size(); ++c)
        for (std::size_t f = 0; f < program.computeSets[c].families.size(); ++f) {
            auto const &family = program.computeSets[c].families[f];
            for (std::size_t k = 0; k < family.fields.size(); ++k) {
                if (family.fields[k].access != Access::Read) continue;
                auto const &own = program.var(family.fields[k].var);
                for (std::size_t v = 0; v < program.variables.size(); ++v) {
                    auto const &other = program.variables[v];
                    bool const among = std::ranges::any_of(family.fields, [&](auto const &field) { return field.var.index == v; });
                    if (among || v == family.fields[k].var.index || other.dtype != own.dtype || !(other.layout == own.layout)) continue;
                    all.push_back({"wrong operand", program.computeSets[c].name + ": " + other.name + " for " + own.name,
                                   [c, f, k, v](program::Program &p) { p.computeSets[c].families[f].fields[k].var = program::VarId(v); }});
                    break;
                }
            }
        }
    for (std::size_t e = 0; e < program.exchanges.size(); ++e)
        for (std::size_t t = 0; t < program.exchanges[e].transfers.size(); ++t) {
            auto const &transfer = program.exchanges[e].transfers[t];
            auto const &from = program.var(transfer.src).layout, &to = program.var(transfer.dst).layout;
            auto const where = program.exchanges[e].name + ": " + named(transfer.src) + " to " + named(transfer.dst);
            bool halo = false;
            for (int d = 0; d < to.rank; ++d) halo = halo || to.dim(d).overlaps();
            all.push_back({halo ? "stale halo" : "lost transfer", where, [e, t](program::Program &p) {
                               auto &transfers = p.exchanges[e].transfers;
                               transfers.erase(transfers.begin() + static_cast<std::ptrdiff_t>(t));
                           }});
            if (from.has(DimKind::Addend) && to.has(DimKind::Addend) && transfer.srcPart < 0 && transfer.dstPart < 0 && from.parts() > 1)
                all.push_back({"dropped addend", where, [e, t](program::Program &p) {
                                   p.exchanges[e].transfers[t].srcPart = p.exchanges[e].transfers[t].dstPart = 0;
                               }});
        }
    return all;
}

} // namespace tilewright::tests
