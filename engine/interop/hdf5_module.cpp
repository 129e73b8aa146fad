// The module that links libhdf5, loaded only in the child process that reads or writes a file: the library costs every start of the program
// more time than the rest of it together. Whatever happens here, the parent has an error to show.
#include "engine/interop/hdf5_child.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tilewright::interop {

namespace {

/// A handle of the library with the function that closes it.
class Handle {
public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : m_id(id), m_close(close) {}
    ~Handle()
    {
        if (m_id >= 0) m_close(m_id);
    }
    Handle(Handle const &) = delete;
    Handle &operator=(Handle const &) = delete;
    operator hid_t() const { return m_id; }
    bool valid() const { return m_id >= 0; }

private:
    hid_t m_id;
    herr_t (*m_close)(hid_t);
};

herr_t keepInnermost(unsigned, H5E_error2_t const *error, void *to)
{
    if (error->desc) *static_cast<std::string *>(to) = error->desc;
    return 0;
}

/// The library's own words for its last error.
std::string lastProblem()
{
    std::string problem;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepInnermost, &problem);
    return problem.empty() ? "the library gives no reason" : problem;
}

herr_t collectName(hid_t, char const *name, H5A_info_t const *, void *to)
{
    static_cast<std::vector<std::string> *>(to)->emplace_back(name);
    return 0;
}

struct Link {
    std::string name;
    H5L_type_t type;
};

herr_t collectLink(hid_t, char const *name, H5L_info_t const *info, void *to)
{
    static_cast<std::vector<Link> *>(to)->push_back({name, info->type});
    return 0;
}

/// Attributes of an object must stay below the 64 KiB of its header; Keras cuts longer lists at this size.
constexpr std::size_t kHeader = 64512;

/// Writes a file into memory.
class Writer {
public:
    explicit Writer(hid_t file) : m_file(file) {}

    bool part(Hdf5Part const &part)
    {
        if (part.isArray) return array(part);
        // A name with a slash, "a/b", may have made the group "a" already.
        bool const there = part.path.empty() || m_made.contains(part.path);
        if (!there && !Handle(H5Gcreate2(m_file, part.path.c_str(), parents(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose).valid()) return false;
        note(part.path);
        Handle const object(H5Oopen(m_file, part.path.empty() ? "/" : part.path.c_str(), H5P_DEFAULT), H5Oclose);
        for (auto const &[name, text] : part.texts)
            if (!this->text(object, name, text)) return false;
        for (auto const &[name, texts] : part.lists)
            if (!list(object, name, texts)) return false;
        return true;
    }

private:
    /// Links with parents that are not there yet.
    hid_t parents()
    {
        if (!m_parents.valid()) return H5P_DEFAULT;
        H5Pset_create_intermediate_group(m_parents, 1);
        return m_parents;
    }
    /// Without the time of writing: equal models give equal bytes.
    hid_t untimed()
    {
        if (m_untimed.valid()) H5Pset_obj_track_times(m_untimed, false);
        return m_untimed.valid() ? static_cast<hid_t>(m_untimed) : H5P_DEFAULT;
    }
    bool array(Hdf5Part const &part)
    {
        std::vector<hsize_t> extents(part.shape.begin(), part.shape.end());
        Handle const space(extents.empty() ? H5Screate(H5S_SCALAR)
                                           : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
                           H5Sclose);
        auto const stored = part.isWhole ? H5T_STD_I64LE : H5T_IEEE_F32LE, held = part.isWhole ? H5T_NATIVE_INT32 : H5T_NATIVE_FLOAT;
        Handle const set(H5Dcreate2(m_file, part.path.c_str(), stored, space, parents(), untimed(), H5P_DEFAULT), H5Dclose);
        note(part.path);
        return set.valid() && (part.values.empty() || H5Dwrite(set, held, H5S_ALL, H5S_ALL, H5P_DEFAULT, part.values.data()) >= 0);
    }
    /// The path and the groups above it.
    void note(std::string path)
    {
        for (; !path.empty() && m_made.insert(path).second; path.resize(path.find('/') == std::string::npos ? 0 : path.rfind('/'))) {}
    }
    static bool text(hid_t object, std::string const &name, std::string const &text)
    {
        Handle const type(H5Tcopy(H5T_C_S1), H5Tclose);
        H5Tset_size(type, H5T_VARIABLE);
        H5Tset_cset(type, H5T_CSET_UTF8);
        Handle const space(H5Screate(H5S_SCALAR), H5Sclose);
        Handle const attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
        char const *value = text.c_str();
        return attribute.valid() && H5Awrite(attribute, type, &value) >= 0;
    }
    static bool list(hid_t object, std::string const &name, std::vector<std::string> const &texts)
    {
        std::size_t width = 1;
        for (auto const &text : texts) width = std::max(width, text.size());
        std::size_t const atOnce = std::max<std::size_t>(1, kHeader / width);
        if (texts.size() <= atOnce) return piece(object, name, texts, width);
        for (std::size_t at = 0, number = 0; at < texts.size(); at += atOnce, ++number) {
            auto const from = texts.begin() + static_cast<std::ptrdiff_t>(at);
            auto const to = texts.begin() + static_cast<std::ptrdiff_t>(std::min(texts.size(), at + atOnce));
            if (!piece(object, name + std::to_string(number), {from, to}, width)) return false;
        }
        return true;
    }
    static bool piece(hid_t object, std::string const &name, std::vector<std::string> const &texts, std::size_t width)
    {
        Handle const type(H5Tcopy(H5T_C_S1), H5Tclose);
        H5Tset_size(type, width);
        H5Tset_strpad(type, H5T_STR_NULLPAD);
        hsize_t const count = texts.size();
        Handle const space(H5Screate_simple(1, &count, nullptr), H5Sclose);
        Handle const attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
        std::vector<char> buffer(width * texts.size(), '\0');
        for (std::size_t i = 0; i < texts.size(); ++i) std::memcpy(buffer.data() + i * width, texts[i].data(), texts[i].size());
        return attribute.valid() && (texts.empty() || H5Awrite(attribute, type, buffer.data()) >= 0);
    }

    hid_t m_file;
    std::set<std::string> m_made;
    Handle m_parents{H5Pcreate(H5P_LINK_CREATE), H5Pclose};
    Handle m_untimed{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
};

class Walk {
public:
    Walk(Teller &teller, ChildLimits const &limits) : m_tell(teller), m_limits(limits) {}

    bool group(hid_t id, std::string const &path, int depth)
    {
        if (depth > kDepth) return refuse(path, "groups are nested deeper than 100 levels");
        if (!attributes(id, path)) return false;
        std::vector<Link> links;
        if (H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, nullptr, collectLink, &links) < 0) return refuse(path, lastProblem());
        for (auto const &link : links) {
            if (link.type != H5L_TYPE_HARD) continue;
            auto const inner = path.empty() ? link.name : path + "/" + link.name;
            Handle const object(H5Oopen(id, link.name.c_str(), H5P_DEFAULT), H5Oclose);
            H5O_info_t info;
            if (!object.valid() || H5Oget_info(object, &info) < 0) return refuse(inner, lastProblem());
            // The same object under a second name, or a group inside itself.
            if (!m_seen.insert(info.addr).second) continue;
            if (m_seen.size() > kObjects) return refuse(inner, "the file holds more than a million objects");
            bool const fine = info.type == H5O_TYPE_GROUP ? group(object, inner, depth + 1)
                : info.type == H5O_TYPE_DATASET           ? array(object, inner)
                                                          : true;
            if (!fine) return false;
        }
        return true;
    }

private:
    static constexpr int kDepth = 100;
    static constexpr std::size_t kObjects = 1'000'000;

    bool refuse(std::string const &path, std::string const &why)
    {
        m_tell.error(path, why);
        return false;
    }
    bool tooLarge(std::string const &path, char const *limit)
    {
        m_tell.tooLarge(path, limit);
        return false;
    }

    bool attributes(hid_t object, std::string const &path)
    {
        std::vector<std::string> names;
        hsize_t from = 0;
        if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &from, collectName, &names) < 0) return refuse(path, lastProblem());
        return std::ranges::all_of(names, [&](auto const &name) { return attribute(object, path, name); });
    }

    /// Texts only: Keras writes nothing else that an import needs.
    bool attribute(hid_t object, std::string const &path, std::string const &name)
    {
        Handle const id(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
        if (!id.valid()) return refuse(path + "@" + name, lastProblem());
        Handle const type(H5Aget_type(id), H5Tclose);
        if (!type.valid() || H5Tget_class(type) != H5T_STRING) return true;
        Handle const space(H5Aget_space(id), H5Sclose);
        auto const count = space.valid() ? H5Sget_simple_extent_npoints(space) : -1;
        if (count < 0) return refuse(path + "@" + name, lastProblem());
        if (count > m_limits.textBytes) return tooLarge(path + "@" + name, "json_bytes");
        std::vector<std::string> texts;
        if (H5Tis_variable_str(type) > 0) {
            std::vector<char *> pointers(static_cast<std::size_t>(count), nullptr);
            Handle const memory(H5Tcopy(type), H5Tclose);
            if (count > 0 && H5Aread(id, memory, pointers.data()) < 0) return refuse(path + "@" + name, lastProblem());
            for (auto const *text : pointers) texts.emplace_back(text ? text : "");
        } else {
            auto const size = H5Tget_size(type);
            if (size == 0 || size > static_cast<std::size_t>(m_limits.textBytes)
                || static_cast<std::int64_t>(size) > m_limits.textBytes / std::max<std::int64_t>(1, count))
                return tooLarge(path + "@" + name, "json_bytes");
            std::vector<char> buffer(size * static_cast<std::size_t>(count));
            if (count > 0 && H5Aread(id, type, buffer.data()) < 0) return refuse(path + "@" + name, lastProblem());
            for (std::size_t at = 0; at < buffer.size(); at += size)
                texts.emplace_back(buffer.data() + at, ::strnlen(buffer.data() + at, size));
        }
        for (auto const &text : texts) m_text += static_cast<std::int64_t>(text.size());
        if (m_text > m_limits.textBytes) return tooLarge(path + "@" + name, "json_bytes");
        m_tell.kind(Hdf5Message::Attribute);
        m_tell.text(path);
        m_tell.text(name);
        m_tell.number32(static_cast<std::uint32_t>(texts.size()));
        for (auto const &text : texts) m_tell.text(text);
        return true;
    }

    bool array(hid_t id, std::string const &path)
    {
        Handle const type(H5Dget_type(id), H5Tclose);
        auto const numbers = type.valid() ? H5Tget_class(type) : H5T_NO_CLASS;
        if (numbers != H5T_FLOAT && numbers != H5T_INTEGER) return true;
        Handle const properties(H5Dget_create_plist(id), H5Pclose);
        if (!properties.valid()) return refuse(path, lastProblem());
        if (H5Pget_external_count(properties) > 0 || H5Pget_layout(properties) == H5D_VIRTUAL)
            return refuse(path, "the array lies in another file");
        Handle const space(H5Dget_space(id), H5Sclose);
        std::array<hsize_t, H5S_MAX_RANK> extents{};
        int const rank = space.valid() ? H5Sget_simple_extent_dims(space, extents.data(), nullptr) : -1;
        if (rank < 0) return refuse(path, lastProblem());
        std::int64_t count = 1;
        for (int i = 0; i < rank; ++i) {
            auto const extent = extents[static_cast<std::size_t>(i)];
            if (extent > static_cast<hsize_t>(m_limits.elements) || __builtin_mul_overflow(count, static_cast<std::int64_t>(extent), &count)
                || count > m_limits.elements)
                return tooLarge(path, "elements");
        }
        m_bytes += 4 * count;
        if (m_bytes > m_limits.bytes) return tooLarge(path, "inflated_bytes");
        bool const isFloat = numbers == H5T_FLOAT;
        std::vector<std::byte> values(static_cast<std::size_t>(4 * count));
        if (count > 0 && H5Dread(id, isFloat ? H5T_NATIVE_FLOAT : H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
            return refuse(path, lastProblem());
        m_tell.kind(Hdf5Message::Array);
        m_tell.text(path);
        m_tell.bytes(isFloat ? "f" : "i", 1);
        m_tell.number32(static_cast<std::uint32_t>(rank));
        for (int i = 0; i < rank; ++i) m_tell.number64(static_cast<std::int64_t>(extents[static_cast<std::size_t>(i)]));
        m_tell.bytes(values.data(), values.size());
        return true;
    }

    Teller &m_tell;
    ChildLimits const &m_limits;
    std::set<haddr_t> m_seen;
    std::int64_t m_bytes = 0, m_text = 0;
};

} // namespace

} // namespace tilewright::interop

extern "C" void tilewrightTellHdf5(int descriptor, char const *path, std::byte const *image, std::size_t size,
                                   tilewright::interop::ChildLimits const &limits)
{
    using namespace tilewright::interop;
    // The file may lie where nobody can lock it, and names no code to load.
    ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0);
    Teller tell(descriptor);
    auto const fail = [&] { tell.error("", lastProblem()); };
    Handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    if (!access.valid()) return fail();
    if (size > 0) {
        H5Pset_fapl_core(access, std::size_t{1} << 20, false);
        H5Pset_file_image(access, const_cast<std::byte *>(image), size);
    }
    Handle const file(H5Fopen(size > 0 ? "image.h5" : path, H5F_ACC_RDONLY, access), H5Fclose);
    if (!file.valid()) return fail();
    Handle const root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
    if (!root.valid()) return fail();
    if (Walk(tell, limits).group(root, "", 0)) tell.kind(ChildMessage::End);
}

extern "C" void tilewrightImageHdf5(int descriptor, std::vector<tilewright::interop::Hdf5Part> const &parts)
{
    using namespace tilewright::interop;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    Teller tell(descriptor);
    auto const fail = [&](std::string const &path) { tell.error(path, lastProblem()); };
    Handle const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access, std::size_t{1} << 20, false);
    Handle const file(H5Fcreate("image.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    if (!file.valid()) return fail("");
    Writer writer(file);
    for (auto const &part : parts)
        if (!writer.part(part)) return fail(part.path);
    if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) return fail("");
    auto const size = H5Fget_file_image(file, nullptr, 0);
    std::vector<char> image(size > 0 ? static_cast<std::size_t>(size) : 0);
    if (size <= 0 || H5Fget_file_image(file, image.data(), image.size()) < 0) return fail("");
    tell.image(image.data(), image.size());
    tell.kind(ChildMessage::End);
}

static_assert(std::is_same_v<decltype(tilewrightImageHdf5), tilewright::interop::ImageHdf5>);
static_assert(std::is_same_v<decltype(tilewrightTellHdf5), tilewright::interop::TellHdf5>);
