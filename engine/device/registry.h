#pragma once

#include "engine/core/job_context.h"
#include "engine/device/board_model.h"
#include "engine/device/device_ids.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::device {

/// When a process attaches: at configuration, at its first execution (waits for a busy device), or never.
enum class ConnectionType { Always, OnDemand, PreCompile, Never };
/// "ALWAYS", "ON_DEMAND", "PRE_COMPILE", "NEVER".
std::string_view toText(ConnectionType type);
std::optional<ConnectionType> parseConnectionType(std::string_view text);
/// Whether a process of that type takes exclusive use of a device.
constexpr bool holdsDevice(ConnectionType type) { return type == ConnectionType::Always || type == ConnectionType::OnDemand; }

struct AttachRequest {
    target::Machine machine;
    int ipus = 0;      ///< of the device: 0 = all of `machine`
    int deviceId = -1; ///< exact physical id (select_ipus); -1 = any free device with `ipus` IPUs
    int tfDevice = 0;  ///< N of "/device:IPU:N", for messages
    ConnectionType connection = ConnectionType::Always;
    std::string command;       ///< shown by the monitor
    int pollMs = 1000;         ///< ON_DEMAND only; at least 100
    int timeoutMs = 3'600'000; ///< ON_DEMAND only
};

/// Work of a device since it was attached, in cycles of the execution model (modelled, averaged over the IPUs of the device).
struct DeviceCounters {
    std::int64_t steps = 0;
    Cycles total = 0; ///< all cycles, including waiting
    Cycles compute = 0;
    Cycles amp = 0; ///< part of `compute` with active AMP units
    Cycles exchange = 0;
    bool operator==(DeviceCounters const &) const = default;
};

/// Share of cycles in which the device computes or exchanges, 0 … 1; 0 without cycles.
double utilisation(DeviceCounters const &counters);

/// A device that this process has attached; no device with PRE_COMPILE, NEVER and the host target. The destructor releases it, or the
/// operating system if the process is killed. One thread at a time.
class Attachment {
public:
    Attachment(Attachment &&) noexcept;
    Attachment &operator=(Attachment &&) noexcept;
    ~Attachment();

    bool isAttached() const;
    ConnectionType connection() const;
    int deviceId() const;                 ///< physical id, -1 when not attached
    std::vector<int> const &ipus() const; ///< physical IPU ids by DNC id
    /// "attached /device:IPU:0: 2 IPUs of pod16 (device 16, IPUs 0-1)", or the reason why nothing is attached.
    std::string describe() const;
    /// An error with NEVER (code "device.never"): programs cannot run in that mode.
    Status requireExecution() const;
    /// PRE_COMPILE: runs are accepted and return zeros.
    bool returnsZeros() const { return connection() == ConnectionType::PreCompile; }

    /// Publishes new totals for other processes. Cheap: writes the state file at most five times a second.
    void update(DeviceCounters const &totals);
    /// Writes the state now.
    void flush();
    /// Marks the device as idle until the next update, because the program waits. Writes the state.
    void stand();
    void release();

private:
    friend class Registry;
    struct State;
    explicit Attachment(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

struct IpuState {
    IpuIdentity identity;
    std::int64_t pid = 0; ///< of the process attached to it; 0 = free, -1 = unknown
    bool operator==(IpuState const &) const = default;
};

struct SystemState {
    SystemInfo info;
    std::vector<IpuState> ipus;
    std::vector<DeviceGroup> devices;
    int freeIpus() const;
};

/// One row per process and IPU. Board figures and utilisation are modelled.
struct ProcessState {
    std::int64_t pid = 0;
    std::string command;
    std::string user;
    std::int64_t startedMs = 0; ///< Unix time
    std::int64_t updatedMs = 0;
    std::string system;
    int deviceId = 0;
    int ipuId = 0;
    bool isModel = false; ///< the software model: takes no IPU of the system
    BoardReading reading;
    double boardCelsius = 0;
    double boardWatts = 0; ///< of the board with all its IPUs
    double utilisationRecent = 0;
    double utilisationSession = 0;
    DeviceCounters counters;
};

/// The state of a killed process. Its device is free.
struct StaleState {
    std::string system;
    std::vector<int> ipus;
    std::int64_t pid = 0;
    std::string command;
};

struct RegistryView {
    std::vector<SystemState> systems;
    std::vector<ProcessState> processes;
    std::vector<StaleState> stale;
};

/// The emulated systems of one user on this computer, as a folder shared by all processes of that user: per system a folder with a lock per
/// IPU (held = attached) and a state file per attached device.
class Registry {
public:
    /// Without a folder: TILEWRIGHT_RUN_DIR, the XDG folders, or a temporary one (engine/core/files.h). Errors are Device, code
    /// "device.registry".
    static Result<Registry> open(std::optional<std::filesystem::path> folder = {});

    std::filesystem::path const &folder() const { return m_folder; }

    /// Errors are Device: "device.count", "device.id" (no such device), "device.busy" (with the holder), "device.timeout" (ON_DEMAND); or
    /// Cancelled. ON_DEMAND warns once with "device.waiting" while it waits.
    Result<Attachment> attach(AttachRequest const &request, JobContext const &job) const;

    /// Reads only; never disturbs a running process.
    Result<RegistryView> list() const;

private:
    explicit Registry(std::filesystem::path folder) : m_folder(std::move(folder)) {}
    std::filesystem::path m_folder;
};

} // namespace tilewright::device
