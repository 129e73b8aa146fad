#include "engine/program/codelets/description.h"

#include "engine/core/text.h"
#include "engine/program/codelets/description_parts.h"

namespace tilewright::program {

namespace {

std::string_view withoutNamespace(std::string_view name)
{
    auto const colon = name.rfind(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

} // namespace

std::shared_ptr<CodeletDescription const> describe(CodeletDescription description)
{
    return std::make_shared<CodeletDescription const>(std::move(description));
}

std::string fullName(Codelet const &codelet)
{
    auto const &library = codelet.description->library;
    return library.empty() ? "tilewright::" + codelet.name : library;
}

Result<Codelet const *> codeletNamed(std::string_view name)
{
    std::vector<std::string> names;
    for (auto const &codelet : builtinCodelets()) {
        auto const full = fullName(codelet);
        if (name == codelet.name || name == full || name == withoutNamespace(full)) return &codelet;
        names.push_back(codelet.name);
        names.emplace_back(withoutNamespace(full));
    }
    auto const nearest = nearestName(std::string(withoutNamespace(name)), names);
    return makeError(ErrorKind::Usage, "cost.unknown-codelet", std::string(name), Message::of("there is no such codelet"),
                     nearest.empty() ? Message::of("`tilewright vertex --list` lists all codelets.")
                                     : Message::of("Did you mean \"%1\"?", nearest));
}

Result<VertexPrice> priceVertex(Codelet const &codelet, cost::ParamMap const &given, target::Chip const &chip)
{
    auto const &d = *codelet.description;
    VertexPrice price;
    TW_ASSIGN(price.params, cost::resolveParams(codelet.name, d.params, given, chip));
    cost::Args const args(price.params, chip);
    price.codeBytes = d.codeBytes ? d.codeBytes(args) : codelet.codeBytes;
    auto const vertex = d.vertex ? d.vertex(args) : SizedVertex{};
    price.stateBytes = d.vertex ? codelet.stateBytes(vertex.shape()) : d.stateBytes(args);
    if (d.cycles) {
        TW_ASSIGN(price.cycles, d.cycles(args));
    } else {
        price.cycles = codelet.cycles(vertex.shape(), chip);
    }
    price.tileCycles = d.perWorker ? cost::kWorkers * price.cycles : price.cycles;
    return price;
}

Codelet codeletWithoutFunction(LibraryVertex vertex)
{
    Codelet codelet;
    codelet.name = withoutNamespace(vertex.name);
    codelet.codeBytes = vertex.codeBytes;
    codelet.description = describe({.library = std::move(vertex.name),
                                    .family = std::move(vertex.family),
                                    .title = std::move(vertex.title),
                                    .source = std::move(vertex.source),
                                    .params = std::move(vertex.params),
                                    .vertex = {},
                                    .cycles = std::move(vertex.cycles),
                                    .perWorker = vertex.perWorker,
                                    .stateBytes = std::move(vertex.stateBytes)});
    return codelet;
}

DType storageType(cost::ValueType type)
{
    switch (type.kind()) {
    case cost::ValueType::F16:
    case cost::ValueType::I16:
    case cost::ValueType::U16: return DType::F16;
    case cost::ValueType::F32: return DType::F32;
    case cost::ValueType::I32:
    case cost::ValueType::U32:
    case cost::ValueType::I64:
    case cost::ValueType::U64: return DType::I32;
    case cost::ValueType::Bool: return DType::Bool;
    case cost::ValueType::F8:
    case cost::ValueType::I8:
    case cost::ValueType::U8: return DType::U8;
    }
    return DType::F32;
}

FieldShape matrixField(DType type, std::int64_t rows, std::int64_t cols, std::int64_t groups)
{
    return {type, groups, rows, cols, 2, {rows, cols}};
}

FieldShape blockField(DType type, std::initializer_list<std::int64_t> size)
{
    FieldShape field;
    field.dtype = type;
    for (auto const extent : size) {
        field.size[static_cast<std::size_t>(field.rank++)] = extent;
        field.rows *= field.cols;
        field.cols = extent;
    }
    return field;
}

} // namespace tilewright::program
