// Tile mode: runs the program on the memories of the emulated tiles.
#include "engine/core/host_memory.h"
#include "engine/kernels/half.h"
#include "engine/runtime/executor.h"

#include <algorithm>
#include <span>
#include <type_traits>

namespace tilewright::runtime {

namespace {

class TileExecutor final : public Executor {
public:
    TileExecutor(executable::EntryRef const &entry, std::shared_ptr<emulator::TileMachine> machine)
        : m_entry(entry), m_program(entry.executable().program), m_machine(std::move(machine))
    {
    }

    void loadConstants()
    {
        for (auto const &constant : m_entry.executable().constants) {
            auto const &variable = m_program.var(constant.var);
            auto const n = static_cast<std::size_t>(elementCount(variable.shape));
            std::vector<std::byte> bytes(n * static_cast<std::size_t>(sizeOf(variable.dtype)));
            for (std::size_t i = 0; i < n; ++i) {
                double const value = constant.values.size() == 1 ? constant.values[0] : constant.values[i];
                switch (variable.dtype) {
                case DType::F32: reinterpret_cast<float *>(bytes.data())[i] = static_cast<float>(value); break;
                case DType::F16:
                    reinterpret_cast<std::uint16_t *>(bytes.data())[i] = kernels::floatToHalf(static_cast<float>(value));
                    break;
                case DType::I32: reinterpret_cast<std::int32_t *>(bytes.data())[i] = static_cast<std::int32_t>(value); break;
                case DType::U8: bytes[i] = static_cast<std::byte>(static_cast<std::uint8_t>(value)); break;
                case DType::Bool: bytes[i] = static_cast<std::byte>(value != 0); break;
                }
            }
            m_machine->upload(constant.var, bytes);
        }
    }

    void write(graph::VariableId variable, std::span<std::byte const> data, int replica) override
    {
        m_machine->upload(m_entry.storage(variable), data, replica);
    }
    std::vector<std::byte> read(graph::VariableId variable, int replica) const override
    {
        return m_machine->download(m_entry.storage(variable), replica);
    }
    bool writeValue(std::string_view name, float value) override
    {
        bool any = false;
        for (auto const &constant : m_entry.executable().constants) {
            if (constant.written != name) continue;
            m_machine->upload(constant.var, std::as_bytes(std::span(&value, 1)));
            any = true;
        }
        return any;
    }
    bool has(graph::VariableId variable) const override { return m_entry.storage(variable).valid(); }
    Status run(StreamHandlers const &streams, JobContext const &job) override
    {
        return inEntry([&] { return m_machine->run(m_program.root(m_entry.number()), streams, job); });
    }
    Status runUpdate(StreamHandlers const &streams, JobContext const &job) override
    {
        return inEntry([&] { return m_machine->runUpdate(streams, job); });
    }
    bool pauseAt(std::optional<std::int64_t> superstep) override
    {
        m_machine->pauseAt(superstep);
        return true;
    }
    bool isPaused() const override { return m_machine->isPaused(); }
    Status resume(StreamHandlers const &streams, JobContext const &job) override
    {
        return inEntry([&] { return m_machine->resume(streams, job); });
    }
    std::int64_t supersteps() const override { return m_machine->position().supersteps; }
    std::uint64_t seed() const override { return m_machine->seed(); }
    void setSeed(std::uint64_t seed) override { m_machine->setSeed(seed); }
    void setUpdates(std::int64_t done) override
    {
        inEntry([&] { m_machine->setUpdates(done); });
    }
    std::optional<program::MeasuredCycles> measured() const override
    {
        return inEntry([&] { return m_machine->clocks().measured(); });
    }
    Result<std::unique_ptr<Executor>> beside(executable::EntryRef const &entry) override
    {
        return std::unique_ptr<Executor>(std::make_unique<TileExecutor>(entry, m_machine));
    }
    std::shared_ptr<emulator::TileMachine> const &machine() const { return m_machine; }

private:
    /// The machine is in its first entry unless another one is running.
    template <typename Body> std::invoke_result_t<Body const &> inEntry(Body const &body) const
    {
        struct Stay {
            emulator::TileMachine &machine;
            ~Stay() { machine.enter(0); }
        } const stay{*m_machine};
        m_machine->enter(m_entry.number());
        return body();
    }

    executable::EntryRef m_entry;
    program::Program const &m_program;
    std::shared_ptr<emulator::TileMachine> m_machine; ///< shared by the entries
};

} // namespace

Bytes tileExecutorBytes(executable::EntryRef const &entry)
{
    Bytes bytes = 0;
    for (auto const used : entry.executable().memory.withoutGaps) bytes = addBytes(bytes, used);
    return multiplyBytes(bytes, entry.replicas());
}

Result<std::unique_ptr<Executor>> makeTileExecutor(executable::EntryRef const &entry, target::Machine const &machine, std::uint64_t seed,
                                                   ThreadPool &pool, Traps traps)
{
    auto const &exe = entry.executable();
    // Addresses by variable and tile, computed once because the loader needs one for each block.
    auto table = std::make_shared<std::vector<std::vector<Bytes>>>(exe.program.variables.size());
    auto const tiles = static_cast<std::size_t>(exe.program.tiles());
    emulator::LoadOptions options;
    for (std::size_t t = 0; t < tiles; ++t) {
        options.imageBytes = std::max(options.imageBytes, exe.memory.withGaps[t]);
        options.usedBytes += exe.memory.withoutGaps[t];
        for (auto const &item : exe.memory.layouts[static_cast<std::size_t>(exe.memory.layoutOf[t])].items) {
            if (item.variable < 0) continue;
            auto &row = (*table)[static_cast<std::size_t>(item.variable)];
            if (row.empty()) row.assign(tiles, -1);
            row[t] = item.offset;
        }
    }
    options.seed = seed;
    auto const lookup = [table](program::VarId var, int tile) -> Bytes {
        auto const &row = (*table)[var.index];
        return row.empty() ? -1 : row[static_cast<std::size_t>(tile)];
    };
    TW_ASSIGN(auto tileMachine, emulator::TileMachine::load(exe.program, machine, lookup, options, pool));
    auto executor = std::make_unique<TileExecutor>(entry, std::move(tileMachine));
    executor->loadConstants();
    if (traps.any()) {
        auto &traced = *executor->machine();
        traced.onStep = [watch = std::make_shared<TileTraps>(traced, exe, traps)](program::StepId step) { watch->after(step); };
    }
    return std::unique_ptr<Executor>(std::move(executor));
}

emulator::TileMachine *tileMachineOf(Executor &executor)
{
    auto *tile = dynamic_cast<TileExecutor *>(&executor);
    return tile ? tile->machine().get() : nullptr;
}

std::vector<emulator::TileRange> variableRanges(executable::Executable const &executable)
{
    std::vector<emulator::TileRange> ranges;
    auto const &memory = executable.memory;
    for (std::size_t t = 0; t < memory.layoutOf.size(); ++t)
        for (auto const &item : memory.layouts[static_cast<std::size_t>(memory.layoutOf[t])].items)
            if (item.variable >= 0) ranges.push_back({static_cast<int>(t), item.offset, item.bytes});
    return ranges;
}

} // namespace tilewright::runtime
