#include "engine/runtime/state_entries.h"

#include <cstring>

namespace tilewright::runtime {

namespace {

Status runOnce(Session &session, executable::EntryRef const &entry, StreamHandlers const &streams, JobContext const &job)
{
    TW_ASSIGN(auto const executor, session.executor().beside(entry));
    executor->pauseAt({});
    return executor->run(streams, job);
}

} // namespace

Status loadThrough(Session &session, executable::EntryRef const &entry, TrainingState const &state, JobContext const &job)
{
    std::vector<StateTensor const *> tensors;
    for (auto const &feed : entry->infeed) {
        auto const *tensor = state.find(feed.name);
        if (!tensor)
            return makeError(ErrorKind::Invalid, "checkpoint.missing", feed.name, Message::of("the checkpoint holds no such weight."),
                             Message::of("Use a checkpoint of this model, or train from the start."));
        if (tensor->shape != feed.shape || tensor->dtype != feed.dtype)
            return makeError(ErrorKind::Invalid, "checkpoint.shape", feed.name,
                             Message::of("the checkpoint holds %1, the model has %2.",
                                         std::string(toText(tensor->dtype)) + toText(tensor->shape),
                                         std::string(toText(feed.dtype)) + toText(feed.shape)),
                             Message::of("Use a checkpoint of this model, or train from the start."));
        tensors.push_back(tensor);
    }
    StreamHandlers streams;
    streams.toDevice = [&](int, int index, std::byte *to, std::size_t bytes) -> Status {
        auto const &from = tensors[static_cast<std::size_t>(index)]->bytes;
        TW_CHECK(from.size() == bytes, "a variable of another size");
        std::memcpy(to, from.data(), bytes);
        return {};
    };
    return runOnce(session, entry, streams, job);
}

Result<TrainingState> readThrough(Session &session, executable::EntryRef const &entry, JobContext const &job)
{
    TrainingState state;
    for (auto const &output : entry->outfeed) state.tensors.push_back({output.name, output.dtype, output.shape, {}});
    StreamHandlers streams;
    streams.fromDevice = [&](int replica, int index, std::byte const *from, std::size_t bytes) -> Status {
        if (replica == 0) state.tensors[static_cast<std::size_t>(index)].bytes.assign(from, from + bytes);
        return {};
    };
    TW_TRY(runOnce(session, entry, streams, job));
    return state;
}

} // namespace tilewright::runtime
