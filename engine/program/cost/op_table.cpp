#include "engine/program/cost/op_table.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace tilewright::cost {

namespace {

using K = ValueType::Kind;

// The four price forms of a loop, with short names for the tables below.
constexpr OpCost no{};
constexpr OpCost sca(int cycles) { return {OpCost::Form::Scalar, static_cast<std::int16_t>(cycles), 0}; }
constexpr OpCost vec(int cycles) { return {OpCost::Form::Vector, static_cast<std::int16_t>(cycles), 0}; }
constexpr OpCost unr(int cycles, int elements)
{
    return {OpCost::Form::Unrolled, static_cast<std::int16_t>(cycles), static_cast<std::int8_t>(elements)};
}

/// Price out of place; in place is equal unless an exception is listed.
struct Row {
    std::string_view op;
    OpCost f16, f32, i32, boolean;
};

struct Exception {
    std::string_view op;
    ValueType::Kind type;
    OpCost outOfPlace;
    OpCost inPlace;
};

constexpr Row kUnary[] = {
    // Operation: f16, f32, i32, bool.
    {"abs", sca(1), sca(1), sca(2), no},
    {"asin", sca(102), sca(102), no, no},
    {"bitwise_not", no, no, vec(1), no},
    {"cbrt", vec(17), vec(27), no, no},
    {"ceil", vec(2), vec(2), no, no},
    {"clz", no, no, sca(1), no},
    {"cos", unr(25, 1), sca(2300), no, no},
    {"erf", unr(13, 1), unr(41, 1), no, no},
    {"exp", unr(4, 4), unr(6, 2), no, no},
    {"exp2", unr(4, 4), unr(6, 2), no, no},
    {"expm1", vec(5), sca(4), no, no},
    {"floor", vec(2), vec(2), no, no},
    {"gelu_erf", unr(16, 1), unr(22, 1), no, no},
    {"inverse", unr(15, 4), unr(6, 2), no, no},
    {"is_finite", vec(5), vec(5), no, no},
    {"is_inf", vec(5), vec(3), no, no},
    {"is_nan", vec(3), vec(3), no, no},
    {"log", unr(4, 4), unr(12, 2), no, no},
    {"log1p", vec(18), vec(18), no, no},
    {"logical_not", no, no, no, sca(17)},
    {"nearby_int", vec(2), vec(2), no, no},
    {"negate", unr(2, 4), unr(2, 2), sca(2), no},
    {"popcount", no, no, sca(1), no},
    {"relu", unr(3, 4), unr(3, 2), no, no},
    {"round", vec(2), vec(2), no, no},
    {"rsqrt", unr(19, 4), unr(8, 2), no, no},
    {"sigmoid", unr(6, 4), unr(12, 2), no, no},
    {"sign", vec(5), vec(5), sca(5), no},
    {"sin", unr(25, 1), sca(2300), no, no},
    {"sqrt", unr(23, 4), unr(10, 2), sca(110), no},
    {"square", unr(2, 4), unr(2, 2), vec(1), no},
    {"tan", unr(5700, 1), unr(5100, 1), no, no},
    {"tanh", unr(4, 4), unr(12, 2), no, no},
    {"trunc", unr(11, 4), unr(3, 2), no, no},
};

constexpr Exception kUnaryExceptions[] = {
    {"abs", K::F16, sca(1), vec(1)},          {"abs", K::F32, sca(1), vec(1)},           {"log", K::F16, unr(4, 4), unr(6, 4)},
    {"log", K::F32, unr(12, 2), unr(14, 2)},  {"log1p", K::F16, vec(18), vec(17)},       {"logical_not", K::Bool, sca(17), vec(17)},
    {"negate", K::F16, unr(2, 4), unr(3, 4)}, {"negate", K::F32, unr(2, 2), unr(3, 2)},  {"relu", K::F16, unr(3, 4), unr(2, 4)},
    {"relu", K::F32, unr(3, 2), unr(2, 2)},   {"sigmoid", K::F16, unr(6, 4), unr(4, 4)}, {"sigmoid", K::F32, unr(12, 2), unr(10, 2)},
    {"tanh", K::F16, unr(4, 4), unr(2, 4)},   {"tanh", K::F32, unr(12, 2), unr(10, 2)},  {"trunc", K::F32, unr(3, 2), unr(4, 2)},
};

constexpr Row kBinary[] = {
    // Operation: f16, f32, i32, bool.
    {"add", vec(1), vec(1), unr(7, 1), no},
    {"atan2", unr(578, 4), unr(272, 2), no, no},
    {"bitwise_and", no, no, unr(7, 1), no},
    {"bitwise_or", no, no, unr(7, 1), no},
    {"bitwise_xnor", no, no, unr(7, 1), no},
    {"bitwise_xor", no, no, unr(7, 1), no},
    {"divide", unr(21, 4), unr(10, 2), unr(277, 1), no},
    {"equal", unr(9, 4), unr(14, 4), unr(22, 4), unr(6, 4)},
    {"greater", unr(9, 4), unr(14, 4), unr(22, 4), unr(31, 4)},
    {"greater_equal", unr(9, 4), unr(14, 4), unr(26, 4), unr(28, 4)},
    {"less", unr(9, 4), unr(14, 4), unr(22, 4), unr(28, 4)},
    {"less_equal", unr(9, 4), unr(14, 4), unr(26, 4), unr(28, 4)},
    {"logical_and", no, no, no, unr(5, 4)},
    {"logical_or", no, no, no, unr(5, 4)},
    {"maximum", unr(4, 4), unr(3, 2), unr(7, 1), no},
    {"minimum", unr(4, 4), unr(3, 2), unr(7, 1), no},
    {"multiply", vec(1), vec(1), unr(7, 1), no},
    {"not_equal", unr(11, 4), unr(20, 4), unr(22, 4), unr(5, 4)},
    {"power", unr(325, 1), unr(312, 1), unr(32, 1), no},
    {"remainder", unr(300, 4), unr(133, 2), unr(292, 1), no},
    {"shift_left", no, no, unr(7, 1), no},
    {"shift_right", no, no, unr(7, 1), no},
    {"shift_right_sign_extend", no, no, unr(7, 1), no},
    {"subtract", vec(1), vec(1), unr(7, 1), no},
};

constexpr Exception kBinaryExceptions[] = {
    {"add", K::I64, unr(11, 1), unr(11, 1)},         {"bitwise_and", K::I16, unr(3, 4), unr(3, 4)},
    {"bitwise_or", K::I16, unr(3, 4), unr(3, 4)},    {"divide", K::U32, unr(265, 1), unr(264, 1)},
    {"maximum", K::F32, unr(3, 2), unr(4, 2)},       {"maximum", K::U32, unr(8, 1), unr(8, 1)},
    {"minimum", K::F32, unr(3, 2), unr(4, 2)},       {"minimum", K::U32, unr(8, 1), unr(8, 1)},
    {"multiply", K::I64, unr(30, 1), unr(28, 1)},    {"power", K::I32, unr(32, 1), unr(34, 1)},
    {"remainder", K::U32, unr(282, 1), unr(282, 1)}, {"subtract", K::I64, unr(11, 1), unr(11, 1)},
};

constexpr Row kBroadcast[] = {
    // Operation: f16, f32, i32, bool.
    {"add", vec(1), vec(1), unr(6, 1), no},
    {"atan2", unr(578, 4), unr(272, 2), no, no},
    {"bitwise_and", no, no, unr(6, 1), no},
    {"bitwise_or", no, no, unr(6, 1), no},
    {"bitwise_xnor", no, no, unr(6, 1), no},
    {"bitwise_xor", no, no, unr(6, 1), no},
    {"divide", unr(8, 2), unr(6, 2), unr(277, 1), no},
    {"equal", unr(8, 4), unr(12, 4), unr(16, 4), unr(14, 4)},
    {"greater", unr(8, 4), unr(12, 4), unr(16, 4), unr(12, 4)},
    {"greater_equal", unr(8, 4), unr(12, 4), unr(20, 4), unr(12, 4)},
    {"inv_std_dev_to_variance", unr(10, 2), unr(11, 2), no, no},
    {"less", unr(8, 4), unr(12, 4), unr(16, 4), unr(16, 4)},
    {"less_equal", unr(8, 4), unr(12, 4), unr(20, 4), unr(16, 4)},
    {"logical_and", no, no, no, unr(4, 4)},
    {"logical_or", no, no, no, unr(4, 4)},
    {"maximum", unr(3, 4), unr(3, 2), unr(6, 1), no},
    {"minimum", unr(3, 4), unr(3, 2), unr(6, 1), no},
    {"multiply", vec(1), vec(1), unr(6, 1), no},
    {"not_equal", unr(10, 4), unr(18, 4), unr(16, 4), unr(4, 4)},
    {"power", unr(325, 1), unr(312, 1), unr(23, 1), no},
    {"remainder", unr(225, 4), unr(93, 2), unr(280, 1), no},
    {"shift_left", no, no, unr(6, 1), no},
    {"shift_right", no, no, unr(6, 1), no},
    {"shift_right_sign_extend", no, no, unr(6, 1), no},
    {"subtract", vec(1), vec(1), unr(6, 1), no},
    {"variance_to_inv_std_dev", unr(24, 4), unr(12, 2), no, no},
};

constexpr Exception kBroadcastExceptions[] = {
    {"divide", K::U32, unr(260, 1), unr(260, 1)},
    {"equal", K::Bool, unr(14, 4), unr(5, 4)},
    {"inv_std_dev_to_variance", K::F32, unr(11, 2), vec(7)},
    {"maximum", K::U32, unr(7, 1), unr(7, 1)},
    {"minimum", K::U32, unr(8, 1), unr(8, 1)},
    {"power", K::I32, unr(23, 1), unr(25, 1)},
    {"remainder", K::U32, unr(267, 1), unr(267, 1)},
};

/// The result is a bool, so only bool operands can be overwritten.
bool isPredicate(std::string_view op)
{
    constexpr std::array<std::string_view, 9> kPredicates{"equal",     "greater",   "greater_equal", "less",  "less_equal",
                                                          "not_equal", "is_finite", "is_inf",        "is_nan"};
    return std::find(kPredicates.begin(), kPredicates.end(), op) != kPredicates.end();
}

struct Table {
    std::span<Row const> rows;
    std::span<Exception const> exceptions;
};

Table tableOf(OpTable table)
{
    switch (table) {
    case OpTable::Unary: return {kUnary, kUnaryExceptions};
    case OpTable::Binary: return {kBinary, kBinaryExceptions};
    case OpTable::BroadcastScalar: return {kBroadcast, kBroadcastExceptions};
    }
    return {};
}

std::vector<std::string_view> namesOf(OpTable table)
{
    std::vector<std::string_view> names;
    for (Row const &row : tableOf(table).rows) names.push_back(row.op);
    return names;
}

/// Unsigned types cost the same as signed ones unless listed.
ValueType signedOf(ValueType type)
{
    switch (type.kind()) {
    case K::U32: return K::I32;
    case K::U64: return K::I64;
    case K::U16: return K::I16;
    default: return type;
    }
}

OpCost lookUp(Table const &table, std::string_view op, ValueType type, bool inPlace)
{
    for (Exception const &entry : table.exceptions)
        if (type == ValueType(entry.type) && entry.op == op) return inPlace ? entry.inPlace : entry.outOfPlace;
    for (Row const &row : table.rows) {
        if (row.op != op) continue;
        switch (type.kind()) {
        case K::F16: return row.f16;
        case K::F32: return row.f32;
        case K::I32: return row.i32;
        case K::Bool: return row.boolean;
        default: return no;
        }
    }
    return no;
}

} // namespace

std::string_view canonicalOp(std::string_view op)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kAliases{{
        {"sub", "subtract"},       {"mul", "multiply"},  {"div", "divide"},    {"max", "maximum"},
        {"min", "minimum"},        {"pow", "power"},     {"neg", "negate"},    {"absolute", "abs"},
        {"exponent", "exp"},       {"logarithm", "log"}, {"ln", "log"},        {"exponential", "exp"},
        {"reciprocal", "inverse"}, {"eq", "equal"},      {"ne", "not_equal"},  {"gt", "greater"},
        {"ge", "greater_equal"},   {"lt", "less"},       {"le", "less_equal"}, {"signum", "sign"},
        {"and", "logical_and"},    {"or", "logical_or"},
    }};
    for (auto const &[alias, name] : kAliases)
        if (alias == op) return name;
    return op;
}

std::optional<OpCost> opCost(OpTable table, std::string_view op, ValueType type, bool inPlace)
{
    std::string_view const name = canonicalOp(op);
    if (inPlace && type != ValueType(K::Bool) && isPredicate(name)) return std::nullopt;
    Table const entries = tableOf(table);
    OpCost cost = lookUp(entries, name, type, inPlace);
    if (cost == no && signedOf(type) != type) cost = lookUp(entries, name, signedOf(type), inPlace);
    if (cost == no) return std::nullopt;
    return cost;
}

std::span<std::string_view const> opNames(OpTable table)
{
    static std::vector<std::string_view> const unary = namesOf(OpTable::Unary);
    static std::vector<std::string_view> const binary = namesOf(OpTable::Binary);
    static std::vector<std::string_view> const broadcast = namesOf(OpTable::BroadcastScalar);
    switch (table) {
    case OpTable::Unary: return unary;
    case OpTable::Binary: return binary;
    case OpTable::BroadcastScalar: return broadcast;
    }
    return unary;
}

bool hasHandWrittenLoop(std::string_view op, ValueType type)
{
    return type.isFloat() && (op == "add" || op == "subtract" || op == "multiply");
}

} // namespace tilewright::cost
