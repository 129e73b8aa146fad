#include "engine/device/registry.h"

#include "engine/core/file_lock.h"
#include "engine/core/files.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/device/state_file.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <thread>
#include <tuple>

#include <pwd.h>
#include <unistd.h>

namespace tilewright::device {

namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

constexpr int kMinPollMs = 100;
/// Holders of the selection lock only touch a few small files; longer means a stopped process.
constexpr int kSelectionTimeoutMs = 10'000;
constexpr auto kWriteInterval = std::chrono::milliseconds(200);
/// The "recent" utilisation looks back over this many updates.
constexpr std::size_t kRecentUpdates = 32;

std::int64_t unixMs()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::string userName()
{
    char buffer[4096];
    passwd entry{};
    passwd *found = nullptr;
    if (::getpwuid_r(::getuid(), &entry, buffer, sizeof buffer, &found) == 0 && found) return found->pw_name;
    return std::to_string(::getuid());
}

std::string subjectOf(AttachRequest const &request) { return "/device:IPU:" + std::to_string(request.tfDevice); }

Message ipuCount(std::size_t n) { return n == 1 ? Message::of("1 IPU") : Message::of("%1 IPUs", n); }

Diagnostic registryError(Diagnostic const &cause)
{
    if (cause.kind == ErrorKind::Cancelled) return cause;
    return makeError(ErrorKind::Device, "device.registry", cause.subject,
                     Message::of("the run registry of the emulated devices cannot be used: %1", cause.message),
                     Message::of("Set TILEWRIGHT_RUN_DIR to a folder that you can write to."));
}

fs::path lockPath(fs::path const &folder, int ipu) { return folder / ("ipu-" + std::to_string(ipu) + ".lock"); }
fs::path statePath(fs::path const &folder, int firstIpu) { return folder / ("ipu-" + std::to_string(firstIpu) + ".json"); }

/// The lock that guards a state file: same name, other ending.
fs::path lockOfState(fs::path const &state)
{
    auto path = state;
    return path.replace_extension(".lock");
}

std::vector<fs::path> sortedEntries(fs::path const &folder, std::string_view extension)
{
    std::vector<fs::path> paths;
    std::error_code problem;
    for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem))
        if (extension.empty() ? it->is_directory(problem) : it->path().extension() == extension) paths.push_back(it->path());
    std::ranges::sort(paths);
    return paths;
}

/// Removes the states of killed processes. Requires: the selection lock is held.
void removeStale(fs::path const &folder)
{
    for (auto const &state : sortedEntries(folder, ".json")) {
        auto const guard = lockOfState(state);
        auto lock = FileLock::tryLock(guard);
        if (!lock.ok() || !*lock) continue;
        std::error_code ignored;
        fs::remove(state, ignored);
        if (state.filename().string().starts_with("model-")) (*lock)->removeFile(guard);
    }
}

/// Who holds these IPUs, for people: "IPU 0 by process 12 ('tilewright train a', user u)".
Message holdersText(fs::path const &folder, std::vector<int> const &ipus)
{
    std::map<std::string, std::pair<Message, std::vector<int>>> holders; // by what it says
    std::map<int, Message> ownerOf;
    for (auto const &path : sortedEntries(folder, ".json")) {
        auto const text = readFile(path);
        auto const state = text.ok() ? parseSlotState(*text) : Result<SlotState>(text.error());
        if (!state.ok() || state->isModel) continue;
        for (int ipu : state->ipus)
            ownerOf[ipu] = Message::of("process %1 ('%2', user %3)", std::to_string(state->pid), state->command, state->user);
    }
    for (int ipu : ipus) {
        auto const lock = FileLock::tryLock(lockPath(folder, ipu));
        if (lock.ok() && *lock) continue;
        auto const known = ownerOf.find(ipu);
        auto const owner = known == ownerOf.end() ? Message::of("another process") : known->second;
        auto &[said, held] = holders[owner];
        said = owner;
        held.push_back(ipu);
    }
    std::vector<Message> parts;
    for (auto const &[text, each] : holders) {
        auto const &[owner, held] = each;
        parts.push_back(held.size() == 1 ? Message::of("IPU %1 by %2", idListText(held), owner)
                                         : Message::of("IPUs %1 by %2", idListText(held), owner));
    }
    return Message::joined(parts, "; ");
}

struct Hold {
    int deviceId = -1;
    std::vector<int> ipus;
    std::vector<FileLock> locks;
    fs::path state;
};

/// First candidate whose IPUs are all free. Requires: the selection lock is held, so that two processes
/// cannot each take half of what the other needs.
Result<std::optional<Hold>> takeFirstFree(fs::path const &folder, std::vector<DeviceGroup> const &candidates)
{
    for (auto const &group : candidates) {
        Hold hold{group.id, group.ipus, {}, statePath(folder, group.ipus.front())};
        for (int ipu : group.ipus) {
            TW_ASSIGN(auto lock, FileLock::tryLock(lockPath(folder, ipu)));
            if (!lock) break;
            hold.locks.push_back(std::move(*lock));
        }
        if (hold.locks.size() == group.ipus.size()) return std::optional<Hold>(std::move(hold));
    }
    return std::optional<Hold>();
}

/// The software model is made anew for each process: it never is busy.
Result<std::optional<Hold>> makeModel(fs::path const &folder, int ipus)
{
    for (int n = 0;; ++n) {
        auto const name = "model-" + std::to_string(::getpid()) + "-" + std::to_string(n);
        TW_ASSIGN(auto lock, FileLock::tryLock(folder / (name + ".lock")));
        if (!lock) continue;
        Hold hold{0, {}, {}, folder / (name + ".json")};
        for (int i = 0; i < ipus; ++i) hold.ipus.push_back(i);
        hold.locks.push_back(std::move(*lock));
        return std::optional<Hold>(std::move(hold));
    }
}

Result<std::vector<DeviceGroup>> candidatesFor(AttachRequest const &request, SystemInfo const &system)
{
    auto groups = deviceGroups(system.machine.ipus);
    if (request.deviceId >= 0) {
        if (request.deviceId >= static_cast<int>(groups.size()))
            return makeError(ErrorKind::Device, "device.id", subjectOf(request),
                             Message::of("%1 has no device with id %2.", system.name, request.deviceId),
                             Message::of("Its ids are 0 to %1; 'tilewright devices' lists them.", std::to_string(groups.size() - 1)));
        return std::vector<DeviceGroup>{groups[static_cast<std::size_t>(request.deviceId)]};
    }
    auto const wanted = static_cast<std::size_t>(request.ipus > 0 ? request.ipus : request.machine.ipus);
    std::vector<DeviceGroup> fitting;
    std::vector<std::string> sizes;
    for (auto &group : groups) {
        if (auto const size = std::to_string(group.ipus.size()); sizes.empty() || sizes.back() != size) sizes.push_back(size);
        if (group.ipus.size() == wanted) fitting.push_back(std::move(group));
    }
    if (fitting.empty())
        return makeError(ErrorKind::Device, "device.count", subjectOf(request),
                         Message::of("%1 has no device with %2 for %3.", system.name, ipuCount(wanted), subjectOf(request)),
                         sizes == std::vector<std::string>{"1"}
                             ? Message::of("Its devices have 1 IPU each; 'tilewright devices' lists them.")
                             : Message::of("Its devices have %1 IPUs; 'tilewright devices' lists them.", joinText(sizes, ", ")));
    return fitting;
}

} // namespace

std::string_view toText(ConnectionType type)
{
    switch (type) {
    case ConnectionType::Always: return "ALWAYS";
    case ConnectionType::OnDemand: return "ON_DEMAND";
    case ConnectionType::PreCompile: return "PRE_COMPILE";
    case ConnectionType::Never: return "NEVER";
    }
    return "";
}

std::optional<ConnectionType> parseConnectionType(std::string_view text)
{
    for (auto type : {ConnectionType::Always, ConnectionType::OnDemand, ConnectionType::PreCompile, ConnectionType::Never})
        if (toText(type) == text) return type;
    return {};
}

double utilisation(DeviceCounters const &c)
{
    return c.total > 0 ? std::clamp(static_cast<double>(c.compute + c.exchange) / static_cast<double>(c.total), 0.0, 1.0) : 0;
}

struct Attachment::State {
    AttachRequest request;
    std::string system;
    fs::path selection; ///< the registry's selection lock
    std::optional<Hold> hold;
    SlotState slot;
    BoardModel board{BoardCurve{}};
    std::deque<DeviceCounters> recent;
    SteadyClock::time_point written;
    pid_t owner = ::getpid(); ///< a forked child shares the locks but must not remove the state

    void write()
    {
        slot.updatedMs = unixMs();
        written = SteadyClock::now();
        // A full disk must not stop a run: others then see an older state.
        if (auto const status = writeFileAtomically(hold->state, toText(slot), Sync::No); !status.ok()) return;
    }
    void release()
    {
        if (!hold || owner != ::getpid()) return;
        // With the selection lock nobody sees an IPU held by "another process" between the two steps.
        auto const guard = FileLock::lock(selection, JobContext{}, 1000);
        std::error_code ignored;
        fs::remove(hold->state, ignored);
        if (slot.isModel) hold->locks.front().removeFile(lockOfState(hold->state));
        hold.reset();
    }
};

Attachment::Attachment(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Attachment::Attachment(Attachment &&) noexcept = default;
Attachment &Attachment::operator=(Attachment &&other) noexcept
{
    if (m_state) m_state->release();
    m_state = std::move(other.m_state);
    return *this;
}
Attachment::~Attachment() { release(); }

bool Attachment::isAttached() const { return m_state && m_state->hold.has_value(); }
ConnectionType Attachment::connection() const { return m_state ? m_state->request.connection : ConnectionType::Never; }
int Attachment::deviceId() const { return isAttached() ? m_state->hold->deviceId : -1; }
std::vector<int> const &Attachment::ipus() const
{
    static std::vector<int> const kNone;
    return isAttached() ? m_state->hold->ipus : kNone;
}

std::string Attachment::describe() const
{
    if (!m_state) return "released";
    auto const device = subjectOf(m_state->request);
    if (!m_state->request.machine.isEmulated()) return "no device attached: the host computes";
    if (!isAttached()) {
        if (connection() == ConnectionType::PreCompile) return device + " not attached (PRE_COMPILE): results are zeros";
        if (connection() == ConnectionType::Never) return device + " not attached (NEVER): compile only";
        return device + " released";
    }
    auto const count = ipuCount(ipus().size());
    if (m_state->slot.isModel) return "attached " + device + ": software model of " + m_state->system + " with " + count;
    return "attached " + device + ": " + count + " of " + m_state->system + " (device " + std::to_string(deviceId())
        + (ipus().size() == 1 ? ", IPU " : ", IPUs ") + idListText(ipus()) + ")";
}

Status Attachment::requireExecution() const
{
    if (connection() != ConnectionType::Never) return {};
    return makeError(ErrorKind::Device, "device.never", m_state ? subjectOf(m_state->request) : "device",
                     Message::of("the program cannot be executed: the device connection is of type NEVER, which only compiles."),
                     Message::of("Set ipu_config.device_connection.type to ALWAYS or ON_DEMAND."));
}

void Attachment::update(DeviceCounters const &totals)
{
    if (!isAttached()) return;
    auto &s = *m_state;
    auto const previous = s.slot.counters;
    s.recent.push_back(previous);
    if (s.recent.size() > kRecentUpdates) s.recent.pop_front();
    s.slot.counters = totals;
    auto const since = [&](DeviceCounters const &old) {
        return DeviceCounters{totals.steps - old.steps, totals.total - old.total, totals.compute - old.compute, totals.amp - old.amp,
                              totals.exchange - old.exchange};
    };
    s.slot.utilisationRecent = utilisation(since(s.recent.front()));
    auto const delta = since(previous);
    if (delta.total > 0) {
        auto const cycles = static_cast<double>(delta.total);
        s.board.advance(cycles / static_cast<double>(std::max<std::int64_t>(1, s.request.machine.chip.clockHz)),
                        static_cast<double>(delta.amp) / cycles, static_cast<double>(delta.exchange) / cycles);
        s.slot.reading = s.board.reading();
    }
    if (SteadyClock::now() - s.written >= kWriteInterval) s.write();
}

void Attachment::flush()
{
    if (isAttached()) m_state->write();
}

void Attachment::stand()
{
    if (!isAttached()) return;
    m_state->recent.clear();
    m_state->slot.utilisationRecent = 0;
    m_state->write();
}

void Attachment::release()
{
    if (m_state) m_state->release();
}

int SystemState::freeIpus() const { return static_cast<int>(std::ranges::count(ipus, 0, &IpuState::pid)); }

Result<Registry> Registry::open(std::optional<fs::path> folder)
{
    if (folder) {
        auto const made = ensureFolder(*folder);
        if (!made.ok()) return registryError(made.error());
        return Registry(*folder);
    }
    auto found = runFolder();
    if (!found.ok()) return registryError(found.error());
    return Registry(std::move(*found));
}

Result<Attachment> Registry::attach(AttachRequest const &request, JobContext const &job) const
{
    auto state = std::make_unique<Attachment::State>();
    state->request = request;
    bool const attaches = request.connection == ConnectionType::Always || request.connection == ConnectionType::OnDemand;
    if (!attaches || !request.machine.isEmulated()) return Attachment(std::move(state));

    bool const waits = request.connection == ConnectionType::OnDemand;
    if (waits && request.pollMs < kMinPollMs)
        return makeError(ErrorKind::Invalid, "device.poll-time", "on_demand_device_poll_time",
                         Message::of("the poll time of %1 ms is too short.", request.pollMs),
                         Message::of("It is at least %1 ms.", std::to_string(kMinPollMs)));
    auto const system = systemOf(request.machine);
    bool const isModel = request.machine.kind == target::MachineKind::IpuModel;
    std::vector<DeviceGroup> candidates;
    if (!isModel) { TW_ASSIGN(candidates, candidatesFor(request, system)); }
    auto const folder = m_folder / system.name;
    if (auto const made = ensureFolder(folder); !made.ok()) return registryError(made.error());

    state->system = system.name;
    state->selection = m_folder / "selection.lock";
    auto const start = SteadyClock::now();
    for (bool warned = false;;) {
        Message holders;
        {
            auto const guard = FileLock::lock(state->selection, job, kSelectionTimeoutMs);
            if (!guard.ok()) return registryError(guard.error());
            removeStale(folder);
            int const modelIpus = request.ipus > 0 ? request.ipus : request.machine.ipus;
            auto hold = isModel ? makeModel(folder, modelIpus) : takeFirstFree(folder, candidates);
            if (!hold.ok()) return registryError(hold.error());
            if (*hold) {
                state->hold = std::move(*hold);
                state->board = BoardModel(boardCurve(request.machine.chip));
                auto const now = unixMs();
                state->slot = {::getpid(), request.command,        userName(), now, now, state->hold->deviceId, state->hold->ipus,
                               isModel,    state->board.reading(), 0,          {}};
                auto const written = writeFileAtomically(state->hold->state, toText(state->slot), Sync::No);
                if (!written.ok()) {
                    // Nobody else can have seen it, and the selection lock is ours: let go by hand.
                    state->hold.reset();
                    return registryError(written.error());
                }
                state->written = SteadyClock::now();
                break;
            }
            std::vector<int> wanted;
            for (auto const &group : candidates) wanted.insert(wanted.end(), group.ipus.begin(), group.ipus.end());
            holders = holdersText(folder, wanted);
        }
        auto const expected = Message::of("%1 expects %2 of %3, and all devices that match are busy: %4.", subjectOf(request),
                                          ipuCount(candidates.front().ipus.size()), system.name, holders);
        auto const busy = [&](ErrorKind kind, char const *code, Message const &prefix) {
            return makeError(
                kind, code, subjectOf(request), prefix + expected,
                waits ? Message::of(
                    "Stop that process or wait for its end ('tilewright monitor' shows it), choose another target, or raise the "
                    "time to wait (on_demand_device_timeout).")
                      : Message::of("Stop that process or wait for its end ('tilewright monitor' shows it), choose another target, or set "
                                    "ipu_config.device_connection.type to ON_DEMAND to wait."));
        };
        if (!waits) return busy(ErrorKind::Device, "device.busy", "");
        auto const waited = std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - start).count();
        if (waited >= request.timeoutMs)
            return busy(ErrorKind::Cancelled, "device.timeout",
                        Message::of("no device became free within %1 ms.", request.timeoutMs) + " ");
        if (!warned) {
            job.warn(makeWarning("device.waiting", subjectOf(request), Message::of("waiting for a free device: %1", expected)));
            warned = true;
            job.report("Wait for a device", 0);
        }
        auto const wake =
            SteadyClock::now() + std::chrono::milliseconds(std::min<std::int64_t>(request.pollMs, request.timeoutMs - waited));
        while (SteadyClock::now() < wake) {
            if (job.cancelled()) return cancelledError(subjectOf(request));
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
    return Attachment(std::move(state));
}

namespace {

constexpr std::int64_t kUnknownPid = -1;

/// N of "ipu-N.json", -1 for other names.
int firstIpuOf(fs::path const &state)
{
    auto const name = state.stem().string();
    return name.starts_with("ipu-") ? parseIntegerAs<int>(std::string_view(name).substr(4)).value_or(-1) : -1;
}

/// States in a system's folder, each with whether its lock is held. Requires: the selection lock is held.
void readStates(fs::path const &folder, SystemState &system, RegistryView &view)
{
    std::map<int, double> boardWatts; // of the held IPUs; free ones draw the idle power
    auto const curve = boardCurve(system.info.machine.chip);
    auto const ipusOfBoard = [&](int board) {
        return std::ranges::count_if(system.ipus, [&](auto const &ipu) { return ipu.identity.board == board; });
    };
    std::map<int, std::int64_t> heldOfBoard;
    auto const firstRow = view.processes.size();
    for (auto const &path : sortedEntries(folder, ".json")) {
        auto const text = readFile(path);
        auto const parsed = text.ok() ? parseSlotState(*text) : Result<SlotState>(text.error());
        SlotState state;
        if (parsed.ok()) state = *parsed;
        auto const guard = lockOfState(path);
        std::error_code ignored;
        auto const lock = fs::exists(guard, ignored) ? FileLock::tryLock(guard) : Result<std::optional<FileLock>>(Diagnostic{});
        bool const held = lock.ok() && !*lock;
        if (!held) {
            view.stale.push_back({system.info.name, state.ipus, state.pid, state.command});
            continue;
        }
        if (!parsed.ok()) { // attached all the same: at least the IPU that names the file
            state.command = "(state unreadable: " + parsed.error().message + ")";
            state.pid = kUnknownPid;
            state.ipus = {firstIpuOf(path)};
        }
        for (int ipu : state.ipus) {
            if (ipu < 0 || ipu >= system.info.machine.ipus) continue;
            ProcessState row;
            row.pid = state.pid;
            row.command = state.command;
            row.user = state.user;
            row.startedMs = state.startedMs;
            row.updatedMs = state.updatedMs;
            row.system = system.info.name;
            row.deviceId = state.deviceId;
            row.ipuId = ipu;
            row.isModel = state.isModel;
            row.reading = state.reading;
            row.utilisationRecent = state.utilisationRecent;
            row.utilisationSession = utilisation(state.counters);
            row.counters = state.counters;
            if (!state.isModel) {
                auto &target = system.ipus[static_cast<std::size_t>(ipu)];
                target.pid = state.pid;
                boardWatts[target.identity.board] += state.reading.watts;
                ++heldOfBoard[target.identity.board];
            }
            view.processes.push_back(std::move(row));
        }
    }
    for (auto row = firstRow; row < view.processes.size(); ++row) {
        auto &process = view.processes[row];
        int const board = system.ipus[static_cast<std::size_t>(process.ipuId)].identity.board;
        process.boardWatts = process.reading.watts;
        if (!process.isModel)
            process.boardWatts = boardWatts[board] + curve.idleWatts * static_cast<double>(ipusOfBoard(board) - heldOfBoard[board]);
        process.boardCelsius = boardCelsius(curve, process.boardWatts);
    }
}

} // namespace

Result<RegistryView> Registry::list() const
{
    RegistryView view;
    auto systems = builtinSystems();
    for (auto const &folder : sortedEntries(m_folder, "")) {
        auto const name = folder.filename().string();
        if (std::ranges::find(systems, name, &SystemInfo::name) != systems.end()) continue;
        if (auto const machine = target::parseMachine(name); machine.ok() && machine->isEmulated()) systems.push_back(systemOf(*machine));
    }
    auto const guard = FileLock::lock(m_folder / "selection.lock", JobContext{}, kSelectionTimeoutMs);
    if (!guard.ok()) return registryError(guard.error());
    for (auto &info : systems) {
        SystemState system;
        for (int ipu = 0; ipu < info.machine.ipus; ++ipu) system.ipus.push_back({identify(info, ipu), 0});
        system.devices = deviceGroups(info.machine.ipus);
        system.info = std::move(info);
        readStates(m_folder / system.info.name, system, view);
        view.systems.push_back(std::move(system));
    }
    std::ranges::stable_sort(view.processes, {}, [](auto const &p) { return std::tie(p.system, p.isModel, p.pid, p.ipuId); });
    return view;
}

} // namespace tilewright::device
