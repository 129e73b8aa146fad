#include "engine/core/parallel.h"
#include "engine/core/text.h"
#include "engine/data/formats.h"
#include "engine/data/image.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

namespace tilewright::data {

namespace {

namespace fs = std::filesystem;

constexpr char const *kPhase = "reading data";

struct Picture {
    fs::path path;
    std::int32_t label = 0;
};

bool isHidden(fs::path const &path) { return path.filename().string().starts_with('.'); }

/// Folders in a folder, by name in the order of their bytes.
std::vector<fs::path> foldersIn(fs::path const &folder)
{
    std::vector<fs::path> folders;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        if (std::error_code ignored; at->is_directory(ignored) && !isHidden(at->path())) folders.push_back(at->path());
    std::ranges::sort(folders);
    return folders;
}

/// Pictures in a folder and the folders in it, in the order of their names. Counts other files.
std::vector<fs::path> picturesIn(fs::path const &folder, std::int64_t &others)
{
    std::vector<fs::path> pictures;
    std::error_code failed;
    for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
        std::error_code ignored;
        if (!at->is_regular_file(ignored) || isHidden(at->path())) continue;
        if (isImageName(at->path())) pictures.push_back(at->path());
        else ++others;
    }
    std::ranges::sort(pictures);
    return pictures;
}

/// Whether a folder in it has pictures. Looks at few files.
bool hasClassFolders(fs::path const &folder)
{
    constexpr int kMostLooked = 200;
    int looked = 0;
    for (auto const &each : foldersIn(folder)) {
        std::error_code failed;
        for (fs::directory_iterator at(each, failed), end; !failed && at != end && looked < kMostLooked; at.increment(failed), ++looked)
            if (isImageName(at->path())) return true;
    }
    return false;
}

/// The classes take turns by their share, so that a limit and a validation split have each class in its share.
std::vector<Picture> interleaved(std::vector<std::vector<fs::path>> classes)
{
    struct Place {
        double at;
        std::size_t label, number;
    };
    std::vector<Place> places;
    for (std::size_t label = 0; label < classes.size(); ++label)
        for (std::size_t i = 0; i < classes[label].size(); ++i)
            places.push_back({(static_cast<double>(i) + 0.5) / static_cast<double>(classes[label].size()), label, i});
    std::ranges::sort(places, [](Place const &a, Place const &b) { return std::pair(a.at, a.label) < std::pair(b.at, b.label); });
    std::vector<Picture> pictures;
    for (auto const &place : places)
        pictures.push_back({std::move(classes[place.label][place.number]), static_cast<std::int32_t>(place.label)});
    return pictures;
}

/// Runs `read` for each picture on all threads. Returns the problems by picture.
template <typename Read> Result<std::vector<std::optional<Diagnostic>>> forEach(std::vector<Picture> const &pictures, double from,
                                                                                JobContext const &job, Read const &read)
{
    constexpr std::size_t kRound = 64; // pictures between two polls
    std::vector<std::optional<Diagnostic>> problems(pictures.size());
    ThreadPool pool(static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 64u)));
    for (std::size_t begin = 0; begin < pictures.size(); begin += kRound) {
        if (job.cancelled()) return cancelledError(pictures[begin].path.string());
        pool.run(std::min(kRound, pictures.size() - begin), [&](std::size_t task) {
            auto const i = begin + task;
            auto const source = openSource(pictures[i].path);
            if (auto const status = source.ok() ? read(i, *source) : Status(source.error()); !status.ok()) problems[i] = status.error();
        });
        job.report(kPhase,
                   from + 0.5 * static_cast<double>(std::min(begin + kRound, pictures.size())) / static_cast<double>(pictures.size()));
    }
    return problems;
}

/// Removes the pictures with a problem if the spec says so; otherwise returns the first problem.
Status dropDamaged(DataSourceSpec const &spec, std::vector<std::optional<Diagnostic>> const &problems, std::vector<Picture> &pictures,
                   std::vector<std::string> &damaged)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        if (problems[i] && (spec.damaged != "skip" || problems[i]->kind != ErrorKind::Data)) return *problems[i];
        if (problems[i]) damaged.push_back(pictures[i].path.string());
        else if (kept++ != i) pictures[kept - 1] = std::move(pictures[i]);
    }
    pictures.resize(kept);
    return {};
}

class FolderReader {
public:
    FolderReader(DataSourceSpec const &spec, JobContext const &job) : m_spec(spec), m_job(job) {}

    std::vector<std::string> const &classes() const { return m_classes; }
    std::int64_t damaged() const { return m_damaged; }

    /// Reads a folder of class folders. The first one names the classes and the form of a picture; later ones have the same.
    Status read(fs::path const &folder, DataArray &x, DataArray &y)
    {
        TW_ASSIGN(auto pictures, list(folder));
        std::vector<std::string> damaged;
        TW_TRY(findForm(pictures, damaged));
        if (auto const limit = static_cast<std::size_t>(m_spec.limit); limit > 0 && limit < pictures.size() && m_spec.damaged != "skip")
            pictures.resize(limit);
        TW_TRY(decode(folder, pictures, damaged, x, y));
        tell(folder, damaged);
        return {};
    }

private:
    Result<std::vector<Picture>> list(fs::path const &folder)
    {
        auto const folders = foldersIn(folder);
        bool const first = m_classes.empty();
        if (first)
            for (auto const &each : folders) m_classes.push_back(each.filename().string());
        std::vector<std::vector<fs::path>> byClass(m_classes.size());
        std::int64_t others = 0;
        for (auto const &each : folders) {
            auto const name = each.filename().string();
            auto const found = std::ranges::find(m_classes, name);
            if (found == m_classes.end())
                return dataError("data.images.class", each.string(), Message::of("the training pictures have no class '%1'", name),
                                 Message::of("Classes are %1.", joinText(m_classes, ", ")));
            auto &pictures = byClass[static_cast<std::size_t>(found - m_classes.begin())];
            pictures = picturesIn(each, others);
            if (first && pictures.empty())
                return dataError("data.images.class", each.string(), Message::of("the class folder has no PNG or JPEG files"),
                                 Message::of("Add pictures to it, or remove it."));
        }
        if (others > 0)
            m_job.warn(makeWarning("data.images.others", folder.string(),
                                   Message::of("%1 files are neither PNG nor JPEG by their names: they are left out.", others)));
        auto pictures = interleaved(std::move(byClass));
        if (pictures.empty())
            return dataError("data.missing", folder.string(), Message::of("no class folder with PNG or JPEG files is in it"),
                             Message::of("Make a folder for each class, named as the class, with its pictures."));
        return pictures;
    }

    Status findForm(std::vector<Picture> &pictures, std::vector<std::string> &damaged)
    {
        if (m_spec.imageSize.size() == 2) m_height = m_spec.imageSize[0], m_width = m_spec.imageSize[1];
        if (m_channels == 0) m_channels = static_cast<int>(m_spec.imageChannels);
        if (m_height > 0 && m_channels > 0) return {};
        std::vector<ImageSize> sizes(pictures.size());
        TW_ASSIGN(auto const problems, forEach(pictures, 0, m_job, [&](std::size_t i, Source const &source) -> Status {
                      TW_ASSIGN(sizes[i], readImageSize(source));
                      return {};
                  }));
        std::size_t first = 0;
        while (first < problems.size() && problems[first]) ++first;
        for (std::size_t i = first; i < pictures.size() && m_height == 0; ++i)
            if (!problems[i] && (sizes[i].height != sizes[first].height || sizes[i].width != sizes[first].width))
                return dataError("data.images.size", pictures[i].path.string(),
                                 Message::of("the picture is %1, but %2 is %3", toText(Shape{sizes[i].height, sizes[i].width}),
                                             pictures[first].path.string(), toText(Shape{sizes[first].height, sizes[first].width})),
                                 Message::of("Set data.image_size to [height, width]: all pictures are scaled to it."));
        if (m_height == 0 && first < sizes.size()) m_height = sizes[first].height, m_width = sizes[first].width;
        if (m_channels == 0) {
            bool coloured = false;
            for (std::size_t i = 0; i < sizes.size(); ++i) coloured = coloured || (!problems[i] && sizes[i].coloured);
            m_channels = coloured ? 3 : 1;
        }
        return dropDamaged(m_spec, problems, pictures, damaged);
    }

    Status decode(fs::path const &folder, std::vector<Picture> &pictures, std::vector<std::string> &damaged, DataArray &x, DataArray &y)
    {
        Shape shape{static_cast<std::int64_t>(pictures.size()), m_height, m_width, m_channels};
        TW_ASSIGN(auto const bytes, checkedBytes(shape, 1, folder.string()));
        TW_TRY(checkElements(shape, folder.string()));
        TW_ASSIGN(auto const memory, allocateBytes(bytes, folder.string()));
        auto const each = static_cast<std::size_t>(m_height * m_width * m_channels);
        TW_ASSIGN(auto const problems, forEach(pictures, 0.5, m_job, [&](std::size_t i, Source const &source) -> Status {
                      TW_ASSIGN(auto image, decodeImage(source, m_channels));
                      bool const same = image.height == m_height && image.width == m_width;
                      if (!same && m_spec.imageSize.empty())
                          return dataError("data.images.size", pictures[i].path.string(),
                                           Message::of("the picture is %1, the training pictures are %2",
                                                       toText(Shape{image.height, image.width}), toText(Shape{m_height, m_width})),
                                           Message::of("Set data.image_size to [height, width]: all pictures are scaled to it."));
                      if (!same) image = resized(image, m_height, m_width);
                      std::memcpy(memory.get() + i * each, image.pixels.data(), each);
                      return {};
                  }));
        std::size_t kept = 0;
        for (std::size_t i = 0; i < pictures.size(); ++i) {
            if (problems[i]) continue;
            if (kept != i) std::memmove(memory.get() + kept * each, memory.get() + i * each, each);
            ++kept;
        }
        TW_TRY(dropDamaged(m_spec, problems, pictures, damaged));
        shape[0] = static_cast<std::int64_t>(kept);
        std::vector<std::int32_t> labels;
        for (auto const &picture : pictures) labels.push_back(picture.label);
        x = DataArray{DType::U8, shape, memory, {}};
        y = makeArray(Shape{shape[0]}, std::move(labels));
        x.origin.file = y.origin.file = folder.string();
        return {};
    }

    void tell(fs::path const &folder, std::vector<std::string> const &damaged)
    {
        if (damaged.empty()) return;
        m_damaged += static_cast<std::int64_t>(damaged.size());
        constexpr std::size_t kMostNamed = 5;
        std::vector<std::string> const named(damaged.begin(),
                                             damaged.begin() + static_cast<std::ptrdiff_t>(std::min(kMostNamed, damaged.size())));
        m_job.warn(makeWarning("data.damaged", folder.string(),
                               named.size() == damaged.size()
                                   ? Message::of("%1 damaged pictures are left out: %2.", damaged.size(), joinText(named, ", "))
                                   : Message::of("%1 damaged pictures are left out: %2, …", damaged.size(), joinText(named, ", "))));
    }

    DataSourceSpec const &m_spec;
    JobContext const &m_job;
    std::vector<std::string> m_classes;
    std::int64_t m_height = 0, m_width = 0, m_damaged = 0;
    int m_channels = 0;
};

Result<Dataset> openImages(DataSourceSpec const &spec, fs::path const &path, JobContext const &job)
{
    std::error_code ignored;
    // The two parts may lie side by side, as "train" and "test".
    bool const parts = spec.x.empty() && hasClassFolders(path / "train");
    auto const train = !spec.x.empty() ? path / spec.x : parts ? path / "train" : path;
    auto const test = !spec.testX.empty()                   ? path / spec.testX
        : parts && fs::is_directory(path / "test", ignored) ? path / "test"
                                                            : fs::path();
    Dataset dataset;
    FolderReader reader(spec, job);
    TW_TRY(reader.read(train, dataset.x, dataset.y));
    auto const name = path.filename().empty() ? path.parent_path().filename() : path.filename();
    if (!test.empty()) TW_TRY(reader.read(test, dataset.testX, dataset.testY));
    dataset.name = name.string();
    dataset.classNames = reader.classes();
    dataset.describe = Message::of("Picture folders of %1: %2 classes, %3 training and %4 test pictures.", dataset.name,
                                   reader.classes().size(), dataset.x.count(), dataset.testX.count());
    if (reader.damaged() > 0) dataset.describe += " " + Message::of("%1 damaged pictures are left out.", reader.damaged());
    return dataset;
}

} // namespace

DataFormat imagesFormat()
{
    return {"images", "A folder for each class with its PNG and JPEG files; or two such folders named train and test.",
            [](fs::path const &path) { return hasClassFolders(path) || hasClassFolders(path / "train"); }, openImages};
}

} // namespace tilewright::data
