#include "app/python/functions.h"

#include "app/python/arrays.h"
#include "app/python/errors.h"
#include "app/python/graph_object.h"
#include "app/python/project_object.h"
#include "engine/core/internal_error.h"
#include "engine/runtime/run_report.h"
#include "engine/runtime/session_parts.h"

#include <pybind11/stl.h>

#include <cstdlib>
#include <cstring>

namespace tilewright::python {

namespace {

/// Functions that were compiled together, loaded on a device of one IPU: they run one at a time, over the same variables.
class Functions {
public:
    Functions(std::string const &name, ProjectObject const &system, std::vector<GraphObject const *> const &graphs, std::string const &mode,
              int threads, std::optional<std::string> const &report)
    {
        std::vector<compiler::Function> all;
        for (auto const *graph : graphs) all.push_back(graph->function());
        m_request.mode = mode == "tile" ? runtime::Mode::Tile : runtime::Mode::Fused;
        m_request.threads = threads;
        m_request.compile.threads = threads;
        m_request.compile.environment =
            orThrow(config::readEnvironment([](char const *variable) -> char const * { return std::getenv(variable); }, nullptr));
        m_request.compile.forReport = report.has_value();
        Status status;
        {
            py::gil_scoped_release const unlocked;
            status = prepare(name, std::move(all), system.project, report);
        }
        orThrow(status);
    }
    ~Functions()
    {
        py::gil_scoped_release const unlocked;
        m_executors.clear();
    }

    /// Runs a function once. `arguments`: the element of its infeed; `elements`: called for each element instead. Returns the elements
    /// that it sent, each a list of arrays.
    py::list run(std::string const &name, std::vector<py::array> const &arguments, py::object const &elements)
    {
        auto const entry = entryNamed(name);
        auto &executor = *m_executors[entry.number()];
        PythonJob job;
        std::vector<py::array> element = arguments;
        py::list sent, current;
        runtime::StreamHandlers streams;
        streams.toDevice = [&](int, int index, std::byte *to, std::size_t bytes) -> Status {
            job.call([&] {
                if (index == 0 && !elements.is_none()) element = elements().cast<std::vector<py::array>>();
                fill(entry, element, static_cast<std::size_t>(index), to, bytes);
            });
            return job.context().cancelled() ? Status(cancelledError(name)) : Status();
        };
        streams.fromDevice = [&](int, int index, std::byte const *from, std::size_t bytes) -> Status {
            job.call([&] {
                if (index == 0) current = py::list();
                auto const &spec = entry->outfeed[static_cast<std::size_t>(index)];
                py::array array(numpyType(spec.dtype), spec.shape);
                std::memcpy(array.mutable_data(), from, bytes);
                current.append(array);
                if (static_cast<std::size_t>(index) + 1 == entry->outfeed.size()) sent.append(current);
            });
            return {};
        };
        Status ran;
        {
            py::gil_scoped_release const unlocked;
            ran = guarded(name, Message::of("the function %1", name), [&] { return executor.run(streams, job.context()); });
        }
        job.finish();
        orThrow(ran);
        return sent;
    }

    py::array read(std::string const &variable)
    {
        auto const [executor, id, declared] = find(variable);
        auto const bytes = executor->read(id);
        py::array array(numpyType(declared->dtype), declared->shape);
        std::memcpy(array.mutable_data(), bytes.data(), bytes.size());
        return array;
    }
    void write(std::string const &variable, py::array const &value)
    {
        auto const [executor, id, declared] = find(variable);
        runtime::TrainingState like;
        like.tensors.push_back({variable, declared->dtype, declared->shape,
                                std::vector<std::byte>(static_cast<std::size_t>(elementCount(declared->shape) * sizeOf(declared->dtype)))});
        py::dict arrays;
        arrays[py::str(variable)] = value;
        executor->write(id, orThrow(stateFrom(arrays, std::move(like))).tensors.front().bytes);
    }
    std::int64_t cycles(std::string const &name) { return entryNamed(name)->patternCycles; }
    py::dict memory() const
    {
        py::dict facts;
        Bytes worst = 0, need = 0;
        for (auto const &ipu : m_compiled.executable->memory.ipus) {
            worst = std::max(worst, ipu.worstBytes);
            need = std::max(need, ipu.maxWithoutGaps);
        }
        facts["worst_tile_bytes"] = worst;
        facts["worst_tile_bytes_without_gaps"] = need;
        facts["tile_bytes"] = m_compiled.machine.chip.bytesPerTile;
        return facts;
    }
    double compileSeconds() const { return m_compiled.seconds; }

private:
    Status prepare(std::string const &name, std::vector<compiler::Function> functions, project::Project const &system,
                   std::optional<std::string> const &report)
    {
        TW_ASSIGN(m_compiled, compiler::compileFunctions(name, std::move(functions), system, m_request.compile, {}));
        // What does not fit has a report all the more.
        if (report) TW_TRY(runtime::writeCompileReport(*report, system, m_compiled));
        if (m_compiled.outOfMemory) return *m_compiled.outOfMemory;
        m_pool.emplace(runtime::threadsOf(m_request));
        TW_ASSIGN(auto first, runtime::makeExecutor(m_request, m_compiled, 0, *m_pool));
        m_executors.push_back(std::move(first));
        for (std::size_t i = 1; i < m_compiled.executable->entries.size(); ++i) {
            TW_ASSIGN(auto another, m_executors.front()->beside(m_compiled.executable->entry(i)));
            m_executors.push_back(std::move(another));
        }
        return {};
    }

    executable::EntryRef entryNamed(std::string const &name) const
    {
        if (auto const entry = m_compiled.executable->find(name)) return *entry;
        throw Failure(makeError(ErrorKind::Usage, "python.function", name, Message::of("there is no function of this name.")));
    }

    static void fill(executable::EntryRef const &entry, std::vector<py::array> const &element, std::size_t index, std::byte *to,
                     std::size_t bytes)
    {
        auto const &specs = entry->infeed;
        if (element.size() != specs.size())
            throw Failure(makeError(ErrorKind::Usage, "python.arguments", entry->name,
                                    Message::of("the function takes %1 tensors, not %2.", specs.size(), element.size())));
        auto const &array = element[index];
        auto const dtype = orThrow(dtypeOf(array, specs[index].name));
        Shape const shape(array.shape(), array.shape() + array.ndim());
        if (dtype != specs[index].dtype || shape != specs[index].shape || !(array.flags() & py::array::c_style))
            throw Failure(makeError(ErrorKind::Usage, "python.arguments", specs[index].name,
                                    Message::of("the tensor is to be %1 %2 in C order, not %3 %4.", numpyName(specs[index].dtype),
                                                toText(specs[index].shape), numpyName(dtype), toText(shape))));
        std::memcpy(to, array.data(), bytes);
    }

    struct Found {
        runtime::Executor *executor;
        graph::VariableId id;
        graph::Variable const *variable;
    };
    Found find(std::string const &name)
    {
        for (std::size_t e = 0; e < m_executors.size(); ++e) {
            auto const &graph = m_compiled.executable->entries[e].graph;
            for (std::size_t v = 0; v < graph.variables.size(); ++v)
                if (graph.variables[v].name == name && m_executors[e]->has(graph::VariableId(v)))
                    return {m_executors[e].get(), graph::VariableId(v), &graph.variables[v]};
        }
        throw Failure(
            makeError(ErrorKind::Usage, "session.no-variable", name, Message::of("the functions have no variable of this name.")));
    }

    runtime::RunRequest m_request;
    compiler::CompileOutcome m_compiled;
    std::optional<ThreadPool> m_pool;
    std::vector<std::unique_ptr<runtime::Executor>> m_executors; ///< by entry
};

} // namespace

void defineFunctions(py::module_ &module)
{
    using namespace py::literals;
    defineGraph(module);
    py::class_<Functions>(module, "Functions",
                          "Graphs that are compiled together for one IPU of the project's system and run over the same variables.")
        .def(py::init<std::string const &, ProjectObject const &, std::vector<GraphObject const *> const &, std::string const &, int,
                      std::optional<std::string> const &>(),
             "name"_a, "system"_a, "graphs"_a, "mode"_a = "fused", "threads"_a = 0, "report"_a = std::nullopt)
        .def("run", &Functions::run, "name"_a, "arguments"_a = std::vector<py::array>(), "elements"_a = py::none(),
             "Runs a function once: `arguments` is the element of its infeed, or `elements` is called for each. Returns the elements it "
             "sent.")
        .def("read", &Functions::read, "variable"_a)
        .def("write", &Functions::write, "variable"_a, "value"_a)
        .def("cycles", &Functions::cycles, "name"_a, "Modelled cycles of one run.")
        .def("memory", &Functions::memory, "Bytes of the worst tile, with and without gaps, and of a tile.")
        .def_property_readonly("compile_seconds", &Functions::compileSeconds);
}

} // namespace tilewright::python
