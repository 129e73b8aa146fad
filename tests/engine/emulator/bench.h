#pragma once

#include "engine/core/random.h"
#include "engine/emulator/tile_machine.h"
#include "engine/kernels/half.h"
#include "tests/engine/runtime/session_tools.h"

#include <QtTest>

#include <algorithm>
#include <memory>
#include <vector>

namespace tilewright::tests {

/// A compiled model on a machine of its own, driven step by step.
class Bench {
public:
    Bench(project::Project const &p, SessionFolder const &folder, int threads = 1) : m_pool(threads)
    {
        auto compiled = compiler::compile(p, requestIn(folder).compile, {});
        if (!compiled.ok()) qFatal("%s", toText(compiled.error()).c_str());
        m_exe = compiled->executable;
        m_machine = compiled->machine;
        m_state = runtime::initialState(p, m_exe->entry(0)).value();
        load([this](program::VarId var, int tile) { return m_exe->memory.addressOf(var, tile); });
    }

    void load(emulator::AddressLookup const &addresses)
    {
        emulator::LoadOptions options;
        for (Bytes bytes : m_exe->memory.withGaps) options.imageBytes = std::max(options.imageBytes, bytes);
        options.seed = 42;
        auto loaded = emulator::TileMachine::load(m_exe->program, m_machine, addresses, options, m_pool);
        if (!loaded.ok()) qFatal("%s", toText(loaded.error()).c_str());
        tiles = std::move(loaded).value();
    }

    std::span<std::byte> image(int replica, int tile)
    {
        auto const memory = tiles->tileMemory(replica, tile);
        return {const_cast<std::byte *>(memory.data()), memory.size()};
    }
    void poison(std::byte pattern)
    {
        for (int r = 0; r < m_exe->replicas; ++r)
            for (int t = 0; t < m_exe->program.tiles(); ++t) std::ranges::fill(image(r, t), pattern);
    }
    /// Constants and first weights, as a run uploads them.
    void fill()
    {
        for (auto const &constant : m_exe->constants) {
            auto const &variable = m_exe->program.var(constant.var);
            auto const n = static_cast<std::size_t>(elementCount(variable.shape));
            std::vector<std::byte> bytes(n * static_cast<std::size_t>(sizeOf(variable.dtype)));
            for (std::size_t i = 0; i < n; ++i) {
                double const value = constant.values.size() == 1 ? constant.values[0] : constant.values[i];
                if (variable.dtype == DType::I32) reinterpret_cast<std::int32_t *>(bytes.data())[i] = static_cast<std::int32_t>(value);
                else if (variable.dtype == DType::F16)
                    reinterpret_cast<std::uint16_t *>(bytes.data())[i] = kernels::floatToHalf(static_cast<float>(value));
                else reinterpret_cast<float *>(bytes.data())[i] = static_cast<float>(value);
            }
            tiles->upload(constant.var, bytes);
        }
        for (auto const &variable : m_exe->variables)
            if (auto const *tensor = m_state.find(variable.declared.name); tensor && variable.storage.valid())
                tiles->upload(variable.storage, tensor->bytes);
    }

    /// The feeds of a run: pictures drawn from the counter of calls, labels 0 … 9.
    emulator::StreamHandlers streams()
    {
        emulator::StreamHandlers s;
        s.toDevice = [this](int r, int index, std::byte *to, std::size_t bytes) -> Status {
            auto const seed = deriveSeed(static_cast<std::uint64_t>(r), static_cast<std::uint64_t>(m_calls++));
            for (std::size_t i = 0; i < bytes / 4; ++i)
                if (index == 0) reinterpret_cast<float *>(to)[i] = unitFloat(randomBits(seed, i));
                else reinterpret_cast<std::int32_t *>(to)[i] = static_cast<std::int32_t>(randomBits(seed, i) % 10);
            return {};
        };
        s.fromDevice = [this](int, int index, std::byte const *from, std::size_t) -> Status {
            if (index == 0) losses.push_back(*reinterpret_cast<float const *>(from));
            return {};
        };
        return s;
    }

    void run()
    {
        m_calls = 0;
        losses.clear();
        auto const ok = tiles->run(m_exe->program.main, streams(), {});
        if (!ok.ok()) qFatal("%s", toText(ok.error()).c_str());
    }
    /// Weights and slots of all replicas.
    std::vector<std::vector<std::byte>> results()
    {
        std::vector<std::vector<std::byte>> all;
        for (int r = 0; r < m_exe->replicas; ++r)
            for (auto const &variable : m_exe->variables)
                if (variable.storage.valid() && variable.declared.role != graph::Role::Accumulator)
                    all.push_back(tiles->download(variable.storage, r));
        return all;
    }
    executable::Executable const &exe() const { return *m_exe; }
    target::Machine const &machine() const { return m_machine; }

    std::unique_ptr<emulator::TileMachine> tiles;
    std::vector<float> losses;

private:
    ThreadPool m_pool;
    std::shared_ptr<executable::Executable const> m_exe;
    target::Machine m_machine;
    runtime::TrainingState m_state;
    std::int64_t m_calls = 0;
};

} // namespace tilewright::tests
