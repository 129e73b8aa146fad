#include "engine/program/alike.h"

#include <type_traits>

namespace tilewright::program {

namespace {

template <typename T> void put(std::string &key, T const &value)
{
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    key.append(reinterpret_cast<char const *>(&value), sizeof value);
}

void putText(std::string &key, std::string const &text)
{
    put(key, text.size());
    key += text;
}

void putVariable(std::string &key, Program const &program, VarId var)
{
    put(key, program.var(var).dtype);
    appendKey(key, program.var(var).layout);
    // A vertex depends on the number of dimensions of the tensor.
    put(key, program.var(var).shape.size());
}

} // namespace

void appendKey(std::string &key, Layout const &layout)
{
    put(key, layout.on.begin);
    put(key, layout.on.count);
    put(key, layout.on.ipu);
    put(key, layout.first);
    put(key, layout.rank);
    for (int d = 0; d < layout.rank; ++d) {
        auto const &dim = layout.dim(d);
        put(key, dim.kind);
        put(key, dim.extent);
        put(key, dim.block);
        put(key, dim.step);
        put(key, dim.before);
        put(key, dim.count);
        put(key, dim.stride);
        put(key, dim.group);
    }
    for (auto const place : layout.order) put(key, place);
}

std::string alikeKey(Program const &program, ComputeSet const &set)
{
    std::string key;
    for (auto const &family : set.families) {
        put(key, family.codelet);
        put(key, family.lead);
        put(key, family.fields.size());
        for (auto const &field : family.fields) {
            putVariable(key, program, field.var);
            put(key, field.slice);
        }
        put(key, family.scalars.size());
        for (double const scalar : family.scalars) put(key, scalar);
        putText(key, family.expr);
    }
    return key;
}

std::string alikeKey(Program const &program, Exchange const &exchange)
{
    std::string key;
    for (auto const &t : exchange.transfers) {
        putVariable(key, program, t.src);
        putVariable(key, program, t.dst);
        put(key, t.src0);
        put(key, t.dst0);
        put(key, t.loops.size());
        for (auto const &loop : t.loops) {
            put(key, loop.count);
            put(key, loop.src);
            put(key, loop.dst);
        }
        put(key, t.srcPart);
        put(key, t.dstPart);
        put(key, t.rowMajor);
    }
    put(key, exchange.ring.size());
    for (auto const &ring : exchange.ring) {
        putVariable(key, program, ring.src);
        putVariable(key, program, ring.dst);
        put(key, ring.chunk);
        put(key, ring.inChunk);
    }
    return key;
}

} // namespace tilewright::program
