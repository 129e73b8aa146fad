#include "engine/cli/replaceable.h"

#include "engine/cli/command.h"
#include "engine/core/ascii.h"
#include "engine/data/npy.h"
#include "engine/data/source.h"

#include <algorithm>

namespace tilewright::cli {

namespace fs = std::filesystem;

Status requireReplaceable(fs::path const &path, std::string const &what, std::function<bool(fs::path const &)> const &isFormer)
{
    std::error_code problem;
    if (!fs::is_regular_file(path, problem) || fs::file_size(path, problem) == 0 || isFormer(path)) return {};
    return usageError("cli.exists", path.string(), Message::of("the file exists and is not an earlier export (%1).", what),
                      Message::of("Choose another name, or give --force."));
}

std::string predictionName(std::vector<std::string> const &outputs, std::size_t index)
{
    return outputs.size() > 1 ? outputs[index] : std::string("predictions");
}

Status requirePlaceOfPredictions(fs::path const &path, std::vector<std::string> const &outputs, bool force)
{
    auto suffix = path.extension().string();
    std::ranges::transform(suffix, suffix.begin(), asciiLower);
    if (suffix != ".npz")
        return usageError("cli.suffix", path.string(), Message::of("predictions are written as .npz, and the name does not end in .npz."),
                          Message::of("Give a name such as %1.", fs::path(path.filename()).replace_extension(".npz").string()));
    if (force) return {};
    std::vector<std::string> wanted;
    for (std::size_t i = 0; i < outputs.size(); ++i) wanted.push_back(predictionName(outputs, i));
    std::ranges::sort(wanted);
    return requireReplaceable(path, "file of predictions", [&](fs::path const &former) {
        auto const archive = data::openSource(former);
        if (!archive.ok()) return false;
        auto names = data::npzNames(*archive);
        if (!names.ok()) return false;
        std::ranges::sort(*names);
        return *names == wanted;
    });
}

} // namespace tilewright::cli
