"""tf.function: when a Python function is traced, and how its program runs."""

import functools
import inspect

import numpy as np

from tilewright.tf import dtypes, errors, functions, nest  # noqa: F401  (functions fill the table of operations)
from tilewright.tf.log import warn
from tilewright.tf.optable import SymbolicTensor
from tilewright.tf.specs import TensorSpec
from tilewright.tf.tensor import EagerTensor, convert_to_tensor
from tilewright.trace import autograph
from tilewright.trace.context import Tracing, current
from tilewright.trace.graph import FunctionGraph, device_type
from tilewright.trace.loops import Operation
from tilewright.trace.program import Program

_MOST_TRACES = 5


class NeedsStreams(Exception):
    """A loop takes the function's infeed or outfeed: arguments and results go through variables instead."""


class Function:
    """A function that becomes a program: one for each signature of its arguments."""

    def __init__(self, python_function, name=None, input_signature=None, autograph=True, jit_compile=None):
        functools.update_wrapper(self, python_function)
        self.python_function = python_function
        self._name = name or getattr(python_function, "__name__", type(python_function).__name__).replace("<lambda>", "lambda")
        self.input_signature = None if input_signature is None else tuple(input_signature)
        self._autograph, self.jit_compile = autograph, bool(jit_compile)
        self._concrete = {}
        self._bound = {}
        self._warned = 0

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if id(instance) not in self._bound:
            self._bound[id(instance)] = (instance, Function(self.python_function.__get__(instance, owner), self._name, self.input_signature,
                                                            self._autograph, self.jit_compile))
        return self._bound[id(instance)][1]

    def __call__(self, *args, **kwargs):
        from tilewright.ipu.strategy import current_strategy

        if current() is not None:
            return self._converted()(*args, **kwargs)
        strategy = current_strategy()
        if strategy is None and not self.jit_compile:
            return self.python_function(*args, **kwargs)  # the host computes each operation as it comes
        return self.concrete(args, kwargs, strategy)(args, kwargs)

    def get_concrete_function(self, *args, **kwargs):
        from tilewright.ipu.strategy import current_strategy

        return self.concrete(args, kwargs, current_strategy())

    def experimental_get_tracing_count(self):
        return len(self._concrete)

    def _converted(self):
        return autograph.convert(self.python_function) if self._autograph else self.python_function

    def _arguments(self, args, kwargs):
        """Arguments by position, with defaults filled in."""
        if self.input_signature is not None:
            if kwargs and any(_is_tensor(value) for value in kwargs.values()):
                raise ValueError(f"{self._name}: with an input_signature tensors are given by position.")
            if len(args) != len(self.input_signature):
                raise ValueError(f"{self._name} takes {len(self.input_signature)} tensors by its input_signature, not {len(args)}.")
            return [nest.pack_sequence_as(spec, [_as_spec(leaf, one, self._name) for leaf, one in zip(nest.flatten(arg), nest.flatten(spec))])
                    if nest.is_nested(spec) else _as_spec(arg, spec, self._name) for arg, spec in zip(args, self.input_signature)], {}
        try:
            bound = inspect.signature(self.python_function).bind(*args, **kwargs)
        except ValueError:
            return list(args), dict(kwargs)
        bound.apply_defaults()
        return list(bound.args), dict(bound.kwargs)

    def concrete(self, args, kwargs, strategy):
        """The program for these arguments, traced if there is none yet."""
        args, kwargs = self._arguments(args, kwargs)
        key = (id(strategy), _key([args, kwargs]))
        try:
            found = self._concrete.get(key)
        except TypeError:
            raise ValueError(f"{self._name}: an argument of a tf.function must be hashable, a tensor, or a structure of such.") from None
        if found is None:
            if len(self._concrete) >= _MOST_TRACES and self._warned < 2:
                self._warned += 1
                warn(f"{self._name} has been traced {len(self._concrete) + 1} times: each signature of tensors and each Python value is a "
                     "program of its own. Give numbers that change as tensors.")
            found = self._concrete[key] = Concrete(self._name, self._converted(), args, kwargs, strategy)
        return found.bound_to(self)


class Concrete:
    """A traced function with its program. `streams`: arguments and results may go through the feeds."""

    def __init__(self, name, function, args, kwargs, strategy, streams=True):
        self._name, self._function, self._strategy = name, function, strategy
        try:
            self._trace(args, kwargs, streams)
        except NeedsStreams:
            self._trace(args, kwargs, False)
        self._program = None
        self._owner = None

    def text(self):
        """The graph in the engine's text form."""
        return self._graph.raw.text()

    def variables(self):
        """The variables of the program by the device's names."""
        return {name: variable for variable, _, name in self._graph.variables.values()}

    def bound_to(self, owner):
        self._owner = owner
        return self

    @property
    def name(self):
        return self._name

    @property
    def structured_outputs(self):
        return self._outputs

    def _trace(self, args, kwargs, streams):
        graph = FunctionGraph(self._name)
        graph.streams_free = not streams
        leaves = [(i, leaf) for i, leaf in enumerate(_flatten([args, kwargs])) if _is_tensor(leaf)]
        specs = []
        for i, leaf in leaves:
            if leaf.dtype == dtypes.float64 if isinstance(leaf, EagerTensor) else leaf.dtype == np.float64:
                raise TypeError(f"{self._name}: argument {i} has the type float64, which the IPU does not have. Cast it to float32.")
            spec = TensorSpec(leaf.shape, leaf.dtype)
            specs.append((f"argument_{i}", list(spec.shape), device_type(spec.dtype, f"{self._name}, argument {i}"), spec))
        if streams:
            numbers = graph.raw.infeed([entry[:3] for entry in specs]) if specs else []
            graph.arguments_fed = bool(specs)
        else:
            numbers = [graph.raw.read(graph.raw.variable(f"{self._name}/{name}", shape, kind)) for name, shape, kind, _ in specs]
        symbols = iter([graph.traced(number, entry[3]) for number, entry in zip(numbers, specs)])
        args, kwargs = _replace([args, kwargs], lambda leaf: next(symbols) if _is_tensor(leaf) else leaf)
        with Tracing(graph):
            result = self._function(*args, **kwargs)
            leaves = nest.flatten(result)
            sent = [graph.lift(leaf) for leaf in leaves if leaf is not None and not isinstance(leaf, Operation)]
        for tensor in sent:
            if tensor.dtype == dtypes.float64:
                raise TypeError(f"{self._name}: a result has the type float64, which the IPU does not have. Cast it to float32.")
        if streams and graph.outfeed_of is not None:
            raise NeedsStreams()
        if streams and sent:
            graph.raw.outfeed([tensor.number for tensor in sent], [f"result_{i}" for i in range(len(sent))])
        if not streams:
            for i, tensor in enumerate(sent):
                variable = graph.raw.variable(f"{self._name}/result_{i}", list(tensor.shape), graph.raw.dtype(tensor.number))
                graph.raw.assign(variable, tensor.number)
        self._graph, self._specs, self._sent, self._streams = graph, specs, [tensor.spec for tensor in sent], streams
        self._result, self._outputs = result, [tensor.spec for tensor in sent]

    def __call__(self, args, kwargs=None):
        if self._program is None:
            self._program = Program(self._graph, self._strategy)
        args, kwargs = self._owner._arguments(args, kwargs or {}) if self._owner is not None else (args, kwargs or {})
        arrays = [np.array(leaf._value if isinstance(leaf, EagerTensor) else leaf, entry[2], order="C")
                  for leaf, entry in zip((leaf for leaf in _flatten([args, kwargs]) if _is_tensor(leaf)), self._specs)]
        if self._streams:
            sent = self._program.run(arrays)
            values = sent[0] if sent else []
        else:
            values = self._program.run_with({f"{self._name}/{entry[0]}": array for entry, array in zip(self._specs, arrays)},
                                            [f"{self._name}/result_{i}" for i in range(len(self._sent))])
        tensors = iter([EagerTensor(np.asarray(value).astype(spec.dtype.as_numpy_dtype), spec.dtype) for value, spec in zip(values, self._sent)])
        if self._result is None:
            return None
        return _replace(self._result, lambda leaf: None if leaf is None or isinstance(leaf, Operation) else next(tensors))


def _is_tensor(value):
    return isinstance(value, (EagerTensor, np.ndarray, np.generic))


def _flatten(structure):
    return nest.flatten(structure)


def _replace(structure, function):
    leaves = [function(leaf) for leaf in nest.flatten(structure)]
    return nest.pack_sequence_as(structure, leaves) if nest.is_nested(structure) else leaves[0]


def _as_spec(value, spec, name):
    """The value as a tensor of the signature."""
    if isinstance(value, SymbolicTensor):
        return value
    tensor = value if isinstance(value, EagerTensor) else convert_to_tensor(value, spec.dtype)
    if tensor.dtype != spec.dtype or not spec.shape.is_compatible_with(tensor.shape):
        raise ValueError(f"{name}: the input_signature asks for {spec}, not for {tensor.dtype.name} {tensor.shape}.")
    return tensor


class _Identity:
    """An object as part of a key: by identity, and kept alive with it."""

    def __init__(self, target):
        self.target = target

    def __eq__(self, other):
        return isinstance(other, _Identity) and self.target is other.target

    def __hash__(self):
        return id(self.target)


def _key(structure):
    if isinstance(structure, dict):
        return ("dict", *((key, _key(structure[key])) for key in sorted(structure)))
    if isinstance(structure, (tuple, list)):
        return (type(structure).__name__, *(_key(part) for part in structure))
    if _is_tensor(structure):
        dtype = structure.dtype if isinstance(structure, EagerTensor) else dtypes.as_dtype(structure.dtype)
        return ("tensor", dtype.name, tuple(structure.shape))
    if structure is None or isinstance(structure, (bool, int, float, str, bytes)):
        return structure
    return _Identity(structure)


def function(func=None, input_signature=None, autograph=True, jit_compile=None, experimental_implements=None,
             experimental_autograph_options=None, experimental_relax_shapes=False, experimental_compile=None,
             experimental_follow_type_hints=None):
    """tf.function, with and without parentheses."""
    def decorate(python_function):
        if isinstance(python_function, Function):
            return python_function
        return Function(python_function, None, input_signature, autograph, jit_compile or experimental_compile)

    return decorate if func is None else decorate(func)


def require_float_types(values, where):
    """strategy.run takes no float64."""
    for leaf in nest.flatten(values):
        if _is_tensor(leaf) and leaf.dtype in (dtypes.float64, np.float64):
            raise TypeError(f"{where}: a tensor of type float64 was given, which the IPU does not have. Cast it to float32.")


def invalid(message):
    return errors.InvalidArgumentError(None, None, message)
