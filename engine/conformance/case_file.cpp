#include "engine/conformance/case_file.h"

#include "engine/core/files.h"
#include "engine/core/json_text.h"
#include "engine/core/random.h"
#include "engine/data/idx.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace tilewright::conformance {

namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 28; ///< of one tensor; larger is a damaged case

/// Standard base64 with padding. Empty optional for anything else.
std::optional<std::vector<std::byte>> fromBase64(std::string_view text)
{
    static auto const kValues = [] {
        std::array<std::int8_t, 256> values{};
        values.fill(-1);
        constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (std::size_t i = 0; i < kLetters.size(); ++i) values[static_cast<unsigned char>(kLetters[i])] = static_cast<std::int8_t>(i);
        return values;
    }();
    if (text.size() % 4 != 0) return std::nullopt;
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t i = 0; i < text.size(); i += 4) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            bool const padded = i + k >= text.size() - padding;
            int const value = padded ? 0 : kValues[static_cast<unsigned char>(text[i + k])];
            if (value < 0) return std::nullopt;
            group = group << 6 | static_cast<std::uint32_t>(value);
        }
        for (int shift = 16; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(group >> shift & 0xff));
    }
    bytes.resize(bytes.size() - padding);
    return bytes;
}

Status fillFromData(Tensor &tensor, std::string_view text, std::string const &subject)
{
    auto const bytes = fromBase64(text);
    auto const count = static_cast<std::size_t>(elementCount(tensor.shape));
    if (!bytes || bytes->size() != count * 4) return caseError(subject, Message::of("data is not the base64 of %1 values.", count));
    tensor = reference::fromBytes(tensor.dtype, tensor.shape, bytes->data());
    return {};
}

/// The generator of the format (its README): element i from output i of SplitMix64.
Status fillFromGenerator(Tensor &tensor, Json const &gen, std::string const &subject)
{
    auto const count = elementCount(tensor.shape);
    tensor.v.assign(static_cast<std::size_t>(count), 0.0);
    TW_ASSIGN(auto const seedValue, integerOf(gen, "seed"));
    auto const seed = static_cast<std::uint64_t>(seedValue);
    auto const *kind = find(gen, "kind");
    std::string const name = kind && kind->is_string() ? kind->get<std::string>() : std::string();
    if (name == "uniform") {
        double const lo = numberOr(gen, "lo", 0.0), hi = numberOr(gen, "hi", 1.0);
        for (std::int64_t i = 0; i < count; ++i) {
            auto const z = randomBits(seed, static_cast<std::uint64_t>(i));
            double const value = lo + (hi - lo) * (static_cast<double>(z >> 40) * 0x1p-24);
            tensor.v[static_cast<std::size_t>(i)] = static_cast<double>(static_cast<float>(value));
        }
        return {};
    }
    if (name == "int") {
        TW_ASSIGN(auto const lo, integerOf(gen, "lo"));
        TW_ASSIGN(auto const hi, integerOf(gen, "hi"));
        if (hi <= lo) return caseError(subject, Message::of("the generator's range is empty."));
        for (std::int64_t i = 0; i < count; ++i) {
            auto const z = randomBits(seed, static_cast<std::uint64_t>(i));
            tensor.v[static_cast<std::size_t>(i)] =
                static_cast<double>(lo + static_cast<std::int64_t>((z >> 33) % static_cast<std::uint64_t>(hi - lo)));
        }
        return {};
    }
    if (name == "onehot") {
        TW_ASSIGN(auto const classes, integerOf(gen, "classes"));
        if (classes < 1 || tensor.shape.empty() || tensor.shape.back() != classes)
            return caseError(subject, Message::of("one-hot rows must have as many columns as classes."));
        for (std::int64_t row = 0; row < count / classes; ++row) {
            auto const z = randomBits(seed, static_cast<std::uint64_t>(row));
            auto const chosen = static_cast<std::int64_t>((z >> 33) % static_cast<std::uint64_t>(classes));
            tensor.v[static_cast<std::size_t>(row * classes + chosen)] = 1.0;
        }
        return {};
    }
    return caseError(subject, Message::of("generator '%1' is not known.", name));
}

/// data/mnist/FILE in the nearest folder above the case that has it.
Result<std::filesystem::path> mnistFile(CaseFile const &file, std::string const &name, std::string const &subject)
{
    std::error_code error;
    auto const wanted = std::filesystem::path("data") / "mnist" / std::filesystem::path(name).filename();
    auto const start = std::filesystem::absolute(file.path, error);
    for (auto folder = start.parent_path();; folder = folder.parent_path()) {
        if (auto const candidate = folder / wanted; std::filesystem::exists(candidate, error)) return candidate;
        if (folder == folder.parent_path()) break;
    }
    return makeError(ErrorKind::Data, "data.missing", subject, Message::of("%1 is in no folder above the case.", wanted.string()),
                     Message::of("Put the MNIST files beside the folder of cases."));
}

Status fillFromMnist(Tensor &tensor, CaseFile const &file, Json const &mnist, std::string const &subject, JobContext const &job)
{
    auto const *name = find(mnist, "file");
    if (!name || !name->is_string()) return caseError(subject, Message::of("the MNIST file has no name."));
    TW_ASSIGN(auto const path, mnistFile(file, name->get<std::string>(), subject));
    TW_ASSIGN(auto const all, data::readIdx(path, job));
    TW_ASSIGN(auto const start, integerOf(mnist, "start"));
    TW_ASSIGN(auto const count, integerOf(mnist, "count"));
    if (start < 0 || count < 1 || start > all.count() - count)
        return caseError(subject, Message::of("the MNIST file has not that many records."));
    auto const part = all.slice(start, count);
    if (part.dtype != DType::U8 || part.elements() != elementCount(tensor.shape))
        return caseError(subject, Message::of("the MNIST records do not fill the shape."));
    bool const scaled = find(mnist, "scale") != nullptr;
    tensor.v.clear();
    for (auto const byte : part.as<std::uint8_t>())
        tensor.v.push_back(scaled ? static_cast<double>(static_cast<float>(byte) / 255.0f) : static_cast<double>(byte));
    return {};
}

} // namespace

Result<CaseFile> readCase(std::filesystem::path const &path)
{
    TW_ASSIGN(auto const text, readJsonText(path));
    CaseFile file{path, path.string(), {}, {}};
    TW_ASSIGN(file.json, model::parseJson(text, path.filename().string()));
    auto const *format = file.json.is_object() ? find(file.json, "format") : nullptr;
    if (!format || *format != "keras-conformance-1") return file;
    auto const *kind = find(file.json, "kind");
    auto const *id = find(file.json, "id");
    if (id && id->is_string()) file.id = id->get<std::string>();
    if (!kind || !kind->is_string()) return file;
    file.kind = kind->get<std::string>();
    return file;
}

Diagnostic caseError(std::string const &subject, Message message)
{
    return makeError(ErrorKind::Invalid, "conformance.format", subject, std::move(message), Message::of("See the format's description."));
}

Diagnostic notYet(Message const &what)
{
    return makeError(ErrorKind::Invalid, "conformance.unsupported", "case", Message::of("%1 is not supported yet.", what));
}

bool meansUnsupported(Diagnostic const &diagnostic)
{
    static constexpr std::array<std::string_view, 4> kCodes{"conformance.unsupported", "model.unsupported", "layers.unsupported",
                                                            "layers.optimizer"};
    return std::ranges::find(kCodes, diagnostic.code) != kCodes.end();
}

Json const *find(Json const &object, std::string_view key)
{
    if (!object.is_object()) return nullptr;
    auto const it = object.find(key);
    return it == object.end() || it->is_null() ? nullptr : &*it;
}

Result<Json const *> require(Json const &object, std::string_view key)
{
    auto const *value = find(object, key);
    if (!value) return caseError(std::string(key), Message::of("the case has no '%1'.", std::string(key)));
    return value;
}

Result<Json const *> requireArray(Json const &object, std::string_view key)
{
    TW_ASSIGN(auto const *value, require(object, key));
    if (!value->is_array()) return caseError(std::string(key), Message::of("'%1' is not a list.", std::string(key)));
    return value;
}

Result<std::int64_t> integerOf(Json const &object, std::string_view key)
{
    TW_ASSIGN(auto const *value, require(object, key));
    if (!value->is_number_integer()) return caseError(std::string(key), Message::of("'%1' is not a whole number.", std::string(key)));
    return value->get<std::int64_t>();
}

double numberOr(Json const &object, std::string_view key, double fallback)
{
    auto const *value = find(object, key);
    return value && value->is_number() ? value->get<double>() : fallback;
}

std::int64_t integerOr(Json const &object, std::string_view key, std::int64_t fallback)
{
    auto const *value = find(object, key);
    return value && value->is_number_integer() ? value->get<std::int64_t>() : fallback;
}

Result<Shape> shapeOf(Json const &extents, std::string const &subject)
{
    if (!extents.is_array()) return caseError(subject, Message::of("a shape is a list of extents."));
    Shape shape;
    std::int64_t elements = 1;
    for (auto const &extent : extents) {
        std::int64_t const n = extent.is_number_integer() ? extent.get<std::int64_t>() : -1;
        if (n < 0) return caseError(subject, Message::of("an extent is not a whole number."));
        if (n > 0 && elements > kMostElements / n) return caseError(subject, Message::of("the shape is too large."));
        elements *= n;
        shape.push_back(n);
    }
    return shape;
}

Result<std::vector<double>> numbersOf(Json const &array, std::string const &subject)
{
    std::vector<double> numbers;
    if (!array.is_array()) return caseError(subject, Message::of("is not a list of numbers."));
    for (auto const &number : array) {
        if (!number.is_number()) return caseError(subject, Message::of("is not a list of numbers."));
        numbers.push_back(number.get<double>());
    }
    return numbers;
}

Status allowOnly(Json const &object, std::initializer_list<std::string_view> keys)
{
    if (!object.is_object()) return caseError("case", Message::of("a part of the case that holds named members is of another type."));
    for (auto const &[key, value] : object.items())
        if (!value.is_null() && std::ranges::find(keys, std::string_view(key)) == keys.end())
            return notYet(Message::of("'%1' of the case", key));
    return {};
}

Result<Tensor> tensorOf(CaseFile const &file, Json const &json, std::string const &subject, JobContext const &job)
{
    if (!json.is_object()) return caseError(subject, Message::of("is not a tensor."));
    Tensor tensor;
    auto const *dtype = find(json, "dtype");
    std::string const type = dtype && dtype->is_string() ? dtype->get<std::string>() : std::string("float32");
    if (type != "float32" && type != "int32") return caseError(subject, Message::of("type '%1' is not known.", type));
    tensor.dtype = type == "int32" ? DType::I32 : DType::F32;
    TW_ASSIGN(auto const *extents, require(json, "shape"));
    TW_ASSIGN(tensor.shape, shapeOf(*extents, subject));
    if (auto const *data = find(json, "data"); data && data->is_string())
        TW_TRY(fillFromData(tensor, data->get_ref<std::string const &>(), subject));
    else if (auto const *gen = find(json, "gen")) TW_TRY(fillFromGenerator(tensor, *gen, subject));
    else if (auto const *mnist = find(json, "mnist")) TW_TRY(fillFromMnist(tensor, file, *mnist, subject, job));
    else return caseError(subject, Message::of("the tensor has no data."));
    if (auto const *first = find(json, "first4")) {
        TW_ASSIGN(auto const wanted, numbersOf(*first, subject));
        for (std::size_t i = 0; i < std::min(wanted.size(), tensor.v.size()); ++i)
            if (static_cast<float>(wanted[i]) != static_cast<float>(tensor.v[i]))
                return caseError(subject, Message::of("element %1 is not what 'first4' says.", i));
    }
    return tensor;
}

Result<std::vector<Tensor>> tensorsOf(CaseFile const &file, Json const &array, std::string const &subject, JobContext const &job)
{
    if (!array.is_array()) return caseError(subject, Message::of("is not a list of tensors."));
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < array.size(); ++i) {
        TW_ASSIGN(auto tensor, tensorOf(file, array[i], subject + "[" + std::to_string(i) + "]", job));
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

Tensor rowsOf(Tensor const &tensor, std::int64_t begin, std::int64_t count)
{
    Tensor part{tensor.dtype, tensor.shape, {}};
    std::int64_t const rows = tensor.shape.at(0);
    std::int64_t const width = elementCount(tensor.shape) / rows;
    part.shape[0] = count;
    part.v.reserve(static_cast<std::size_t>(count * width));
    for (std::int64_t r = 0; r < count; ++r) {
        auto const from = tensor.v.begin() + (begin + r) % rows * width;
        part.v.insert(part.v.end(), from, from + width);
    }
    return part;
}

} // namespace tilewright::conformance
