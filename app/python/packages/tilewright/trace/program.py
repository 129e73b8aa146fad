"""A compiled function on the device: its variables, its feeds, its runs."""

import numpy as np

from tilewright.reports import path_for
from tilewright.tf.errors import from_engine


class Program:
    """One traced function, compiled for the system of its strategy; the host's processor without one."""

    def __init__(self, graph, strategy):
        import _tilewright

        from tilewright.keras.training.fields import set_fields, system_fields

        system = _tilewright.Project.template("empty")
        fields = system_fields(strategy)
        set_fields(system, {key: value for key, value in fields.items() if key.startswith(("system.", "ipu_config"))})
        self._graph = graph
        try:
            self._functions = _tilewright.Functions(graph.name, system, [graph.raw],
                                                    report=None if strategy is None else path_for(graph.name, "function"))
        except _tilewright.Error as error:
            raise from_engine(error) from None
        self._synced = {}  # the device's variables: name -> the host's array that equals it
        for name, array in graph.captured:
            self._functions.write(name, array)

    def cycles(self):
        """Modelled cycles of one run."""
        return self._functions.cycles(self._graph.name)

    def memory(self):
        return self._functions.memory()

    def run(self, arguments=()):
        """Runs it once; returns the elements that it sent."""
        import _tilewright

        self._write_variables()
        feed, queue = self._graph.infeed_of, self._graph.outfeed_of
        try:
            sent = self._functions.run(self._graph.name, list(arguments), elements=None if feed is None else feed.next_arrays)
        except _tilewright.Error as error:
            raise from_engine(error) from None
        self._read_variables()
        if queue is not None:
            queue.receive(sent)
            return []
        return sent

    def run_with(self, arguments, results):
        """The same with arguments and results in variables."""
        for name, array in arguments.items():
            self._functions.write(name, array)
        self.run()
        return [self._functions.read(name) for name in results]

    def _write_variables(self):
        for variable, _, name in self._graph.variables.values():
            value = variable._cell.read()
            if self._synced.get(name) is not value:
                self._functions.write(name, np.asarray(value))
                self._synced[name] = value

    def _read_variables(self):
        for variable, _, name in self._graph.variables.values():
            if id(variable) in self._graph.written:
                variable._cell.write(np.asarray(self._functions.read(name)).astype(variable.dtype.as_numpy_dtype))
                self._synced[name] = variable._cell.read()
