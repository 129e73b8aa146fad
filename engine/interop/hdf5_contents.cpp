#include "engine/interop/hdf5_contents.h"

#include "engine/core/limits.h"
#include "engine/interop/hdf5_child.h"
#include "engine/interop/library_child.h"

#include <algorithm>
#include <utility>

namespace tilewright::interop {

std::vector<std::string> Hdf5Contents::texts(std::string const &object, std::string const &name) const
{
    auto const found = attributes.find(object);
    if (found == attributes.end()) return {};
    if (auto const whole = found->second.find(name); whole != found->second.end()) return whole->second;
    std::vector<std::string> list;
    for (int part = 0;; ++part) {
        auto const piece = found->second.find(name + std::to_string(part));
        if (piece == found->second.end()) return list;
        list.insert(list.end(), piece->second.begin(), piece->second.end());
    }
}

std::string Hdf5Contents::text(std::string const &object, std::string const &name) const
{
    auto const list = texts(object, name);
    return list.empty() ? std::string() : list.front();
}

FileArray const *Hdf5Contents::find(std::string_view path) const
{
    auto const found = std::ranges::find(arrays, path, &FileArray::path);
    return found == arrays.end() ? nullptr : &*found;
}

namespace {

Diagnostic hdf5Damaged(std::string subject, std::string const &why)
{
    return makeError(ErrorKind::Invalid, "import.hdf5", std::move(subject), Message::of("the HDF5 file cannot be read: %1.", why),
                     Message::of("Write the model again with model.save(), or open it with Keras to see whether it is whole."));
}

Diagnostic noHdf5(std::string subject)
{
    return makeError(ErrorKind::Usage, "import.no-hdf5", std::move(subject), Message::of("this build has no module for HDF5 files."),
                     Message::of("Build with libhdf5-dev, or use model.to_json()."));
}

constexpr ChildLibrary kHdf5Library{"tilewright-hdf5.so", "libhdf5", hdf5Damaged, noHdf5};

bool hearAttribute(ChildReader &reader, Hdf5Contents &contents)
{
    std::string path, name;
    std::uint32_t count = 0;
    if (!reader.text(path) || !reader.text(name) || !reader.count(count)) return false;
    auto &list = contents.attributes[path][name];
    for (std::uint32_t i = 0; i < count; ++i)
        if (!reader.text(list.emplace_back())) return false;
    return true;
}

bool hearArray(ChildReader &reader, FileArray &to)
{
    char type = 0;
    std::int64_t count = 0;
    if (!reader.text(to.path) || !reader.take(&type, 1) || !reader.shape(to.shape, count) || !reader.reserve(4 * count)) return false;
    to.dtype = type == 'f' ? DType::F32 : DType::I32;
    to.bytes.resize(static_cast<std::size_t>(4 * count));
    return reader.take(to.bytes.data(), to.bytes.size());
}

Result<Hdf5Contents> readIsolated(std::string const &path, std::span<std::byte const> image, JobContext const &job)
{
    ChildLimits const limits{limitOf(Limit::Elements), limitOf(Limit::InflatedBytes), limitOf(Limit::JsonBytes)};
    Hdf5Contents contents;
    auto const work = [&](void *module, int descriptor) {
        auto *const tell = functionIn<TellHdf5>(module, kTellHdf5);
        if (tell) tell(descriptor, path.c_str(), image.data(), image.size(), limits);
        return tell != nullptr;
    };
    auto const hear = [&](char kind, ChildReader &reader) {
        if (static_cast<Hdf5Message>(kind) == Hdf5Message::Attribute) return hearAttribute(reader, contents);
        return static_cast<Hdf5Message>(kind) == Hdf5Message::Array && hearArray(reader, contents.arrays.emplace_back());
    };
    TW_TRY(inLibraryChild(kHdf5Library, path, limits, job, work, hear));
    return contents;
}

} // namespace

Result<Hdf5Contents> readHdf5(std::filesystem::path const &path, JobContext const &job) { return readIsolated(path.string(), {}, job); }

Result<Hdf5Contents> readHdf5(std::span<std::byte const> image, std::string const &name, JobContext const &job)
{
    if (image.empty()) return hdf5Damaged(name, "it is empty");
    return readIsolated(name, image, job);
}

Result<std::string> hdf5Image(std::vector<Hdf5Part> const &parts, std::string const &name, JobContext const &job)
{
    ChildLimits limits{limitOf(Limit::Elements), 0, limitOf(Limit::JsonBytes)};
    for (auto const &part : parts) limits.bytes += 2 * static_cast<std::int64_t>(part.values.size());
    auto const work = [&](void *module, int descriptor) {
        auto *const tell = functionIn<ImageHdf5>(module, kImageHdf5);
        if (tell) tell(descriptor, parts);
        return tell != nullptr;
    };
    return inLibraryChild(kHdf5Library, name, limits, job, work, [](char, ChildReader &) { return false; });
}

} // namespace tilewright::interop
